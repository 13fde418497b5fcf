import type { DocumentNode } from '../source/node.ts';
import { type CompileContext, readExtension } from './compile-context.ts';
import * as codec from '../json/codec.ts';
import { without } from '../json/place.ts';
import { resolvePointer } from '../json/pointer.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';

/**
 * The kinds of questions that the mock and the suite know, with their choices; see `docs/extensions.md`.
 * The mock makes the first choice, unless the document or its user says otherwise. `any`: the members of
 * the choice say what to do.
 */
export const questionChoices = {
  accept: ['ignored', 'not-acceptable'],
  'anonymous-callers': ['by-address', 'together', 'uncounted'],
  'ban-length': 'any',
  'counted-requests': ['within-limit', 'all', 'successful'],
  'default-value': 'any',
  'error-code': ['reason', 'status-phrase', 'status-number'],
  events: ['none', 'sent'],
  'invalid-parameter': ['refused', 'clamped', 'ignored', 'empty'],
  'invalid-path-parameter': ['not-found', 'refused'],
  'key-issuance': ['full-access', 'scoped'],
  'malformed-body': ['refused', 'unprocessable'],
  marks: ['none', 'marked'],
  order: 'any',
  'order-of-checks': ['credential-first', 'body-first'],
  paging: ['none', 'link-header', 'query-parameters'],
  'plan-assignment': ['per-key', 'shared'],
  'rate-limit-body': ['error', 'empty', 'text'],
  'read-only-property': ['ignored', 'refused'],
  reference: ['any', 'must-exist', 'from-1'],
  'request-media-type': ['unsupported', 'refused', 'accepted'],
  'retry-after-format': ['seconds', 'http-date'],
  'string-limits': 'any',
  transitions: ['never', 'elsewhere'],
  'undescribed-operations': ['not-served', 'served'],
  'undescribed-requests': ['http', 'not-found'],
  'unknown-properties': ['ignored', 'refused', 'kept'],
  versioning: ['one-version', 'several-versions'],
  'window-kind': ['fixed', 'from-first-request', 'sliding'],
} as const satisfies Record<string, readonly [string, ...string[]] | 'any'>;

export type OpenQuestionKind = keyof typeof questionChoices;

const choiceCodec = codec.openObject({ id: codec.text, description: codec.optional(codec.text) });

const questionCodec = codec.openObject({
  id: codec.text,
  kind: codec.text,
  /** Section of the interface. */
  source: codec.optional(codec.text),
  /** JSON pointer to the open place in the document; empty if it has no place. */
  at: codec.text,
  question: codec.text,
  choices: codec.refine(
    codec.list(choiceCodec),
    (choices) => new Set(choices.map(({ id }) => id)).size === choices.length && choices.length > 1,
    'a list of at least two, each with its own id',
  ),
  /** Id of the mock's default choice. */
  default: codec.text,
});

type WrittenQuestion = codec.TypeOf<typeof questionCodec>;

/** An entry of `x-unspecified`: what the interface leaves open, and what servers may do. */
export interface OpenQuestion extends Required<Omit<WrittenQuestion, 'kind' | 'choices'>> {
  /** `unknown` for a kind that this package does not have: the question is listed but not observed. */
  readonly kind: OpenQuestionKind | 'unknown';
  readonly choices: readonly Choice[];
  /** Members of the entry that depend on the kind, such as `paths`. */
  readonly details: JsonObject;
}

export interface Choice {
  readonly id: string;
  readonly description: string;
  /** Members that depend on the question's kind, such as `minLength`. */
  readonly details: JsonObject;
}

/** The name of the member at whose schema a question points. */
export function openMember({ at }: Pick<OpenQuestion, 'at'>): string {
  return at.split('/').at(-1) ?? '';
}

/** Whether a question leaves the response body at a pointer open. */
export function isBodyOpen(questions: readonly OpenQuestion[], pointer: string): boolean {
  return questions.some(({ kind, at }) => kind === 'rate-limit-body' && at === pointer);
}

/**
 * The list `x-unspecified` of the document: unique ids, `at` a pointer into the document, `default` one of
 * at least two choices. Anything else is an error, and an unknown kind a warning.
 */
export function compileOpenQuestions(
  context: CompileContext,
  node: DocumentNode,
): readonly OpenQuestion[] {
  const { issues, root } = context;
  if (!Array.isArray(node.value)) issues.misuse(node.pointer, 'has to be a list of questions');
  const found = new Map<string, OpenQuestion>();
  for (const item of node.items()) {
    const written = readExtension(context, item, questionCodec);
    if (written === undefined) continue;
    const { id, kind, source = '', at, choices, ...others } = written;
    if (!isKnownKind(kind))
      issues.report('ignored-member', item.at('kind'), `${kind} is not known: it is not asked`);
    const isThere = at === '' || isPlace(root.value, at);
    if (!isThere) issues.misuse(item.at('at'), `${at} does not exist`);
    if (!choices.some((choice) => choice.id === others.default))
      issues.misuse(item.at('default'), `${others.default} is none of the choices`);
    if (found.has(id)) issues.misuse(item.at('id'), `the id ${id} is taken`);
    const members = item.get('choices')?.items() ?? [];
    found.set(id, {
      ...others,
      id,
      kind: isKnownKind(kind) ? kind : 'unknown',
      source,
      at: isThere ? at : '',
      choices: choices.map(({ id: choice, description = '' }, index) => ({
        id: choice,
        description,
        details: without(members[index]?.object ?? {}, new Set(['id', 'description'])),
      })),
      details: without(item.object, new Set(Object.keys(written))),
    });
  }
  return [...found.values()];
}

function isKnownKind(kind: string): kind is OpenQuestionKind {
  return Object.hasOwn(questionChoices, kind);
}

function isPlace(document: JsonValue, at: string): boolean {
  try {
    return at.startsWith('#') && resolvePointer(document, at) !== undefined;
  } catch {
    return false;
  }
}
