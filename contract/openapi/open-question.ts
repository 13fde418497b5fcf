import type { DocumentNode } from '../source/node.ts';
import { type CompileContext, reportRepeated } from './compile-context.ts';
import { resolvePointer } from '../json/pointer.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';

/**
 * The kinds of questions that the mock and the suite know, with their choices; see
 * `docs/extensions.md`. The mock makes the first, unless the document or its user says otherwise.
 * `any`: the choice says by its members what to do.
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

/** An entry of `x-unspecified`: what the interface leaves open, and what servers may do. */
export interface OpenQuestion {
  readonly id: string;
  /** `unknown` for a kind that is none of ours: such a question is listed and not asked. */
  readonly kind: OpenQuestionKind | 'unknown';
  /** Section of the interface. */
  readonly source: string;
  /** JSON pointer of the place in the document that is open; empty for one that does not exist. */
  readonly at: string;
  readonly question: string;
  readonly choices: readonly Choice[];
  /** Id of the choice that the mock makes by default. */
  readonly default: string;
  /** Members of the entry that only its kind knows, such as `paths`. */
  readonly details: JsonObject;
}

export interface Choice {
  readonly id: string;
  readonly description: string;
  /** Members that only the question's kind knows, such as `minLength`. */
  readonly details: JsonObject;
}

/** The name of the member whose schema is where a question points. */
export function openMember({ at }: Pick<OpenQuestion, 'at'>): string {
  return at.split('/').at(-1) ?? '';
}

/** Whether questions leave the body of the response at a place open. */
export function isBodyOpen(questions: readonly OpenQuestion[], pointer: string): boolean {
  return questions.some(({ kind, at }) => kind === 'rate-limit-body' && at === pointer);
}

const members = ['id', 'kind', 'source', 'at', 'question', 'choices', 'default'];

/**
 * The list `x-unspecified` of the document: unique ids, `at` a place in the document, `default` one
 * of at least two choices; all else is an error, and an unknown kind a warning.
 */
export function compileOpenQuestions(
  context: CompileContext,
  node: DocumentNode,
): readonly OpenQuestion[] {
  if (!Array.isArray(node.value))
    context.issues.misuse(node.pointer, 'must be a list of questions');
  const items = node.items();
  reportRepeated(context, items, 'id');
  return items.map((item) => compileQuestion(context, item));
}

function compileQuestion(context: CompileContext, item: DocumentNode): OpenQuestion {
  const { issues, root } = context;
  const read = (name: string): string => readText(context, item, name);
  const id = read('id');
  const kind = read('kind');
  const known = isKnownKind(kind) ? kind : undefined;
  if (known === undefined && kind !== '')
    issues.report('ignored-member', item.at('kind'), `${kind} is not known: it is not asked`);
  const at = read('at');
  const isThere = at === '' || isPlace(root.value, at);
  if (!isThere) issues.misuse(item.at('at'), `${at} does not exist`);
  const question = read('question');
  const choices = item.get('choices')?.items() ?? [];
  if (choices.length < 2) issues.misuse(item.at('choices'), 'must list at least two choices');
  reportRepeated(context, choices, 'id');
  const preset = read('default');
  if (preset !== '' && !choices.some((choice) => choice.text('id') === preset))
    issues.misuse(item.at('default'), `${preset} is none of the choices`);
  return {
    id,
    kind: known ?? 'unknown',
    source: item.text('source') ?? '',
    at: isThere ? at : '',
    question,
    choices: choices.map((choice) => ({
      id: readText(context, choice, 'id'),
      description: choice.text('description') ?? '',
      details: rest(choice.object, ['id', 'description']),
    })),
    default: preset,
    details: rest(item.object, members),
  };
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

function readText({ issues }: CompileContext, item: DocumentNode, name: string): string {
  const text = item.text(name) ?? '';
  if (text === '') issues.misuse(item.pointer, `${name} must be a text`);
  return text;
}

function rest(object: JsonObject, known: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !known.includes(name)));
}
