import type { DocumentNode } from '../source/node.ts';
import { type CompileContext, reportRepeated } from './compile-context.ts';
import { resolvePointer } from '../json/pointer.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';

/** The kinds of questions that the mock and the suite know; see `docs/extensions.md`. */
export const openQuestionKinds = [
  'accept',
  'anonymous-callers',
  'ban-length',
  'counted-requests',
  'default-value',
  'error-code',
  'events',
  'invalid-parameter',
  'invalid-path-parameter',
  'key-issuance',
  'malformed-body',
  'marks',
  'order',
  'order-of-checks',
  'paging',
  'plan-assignment',
  'rate-limit-body',
  'read-only-property',
  'reference',
  'request-media-type',
  'retry-after-format',
  'string-limits',
  'transitions',
  'undescribed-operations',
  'undescribed-requests',
  'unknown-properties',
  'versioning',
  'window-kind',
] as const;

export type OpenQuestionKind = (typeof openQuestionKinds)[number];

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
  /** Id of the choice that the mock makes unless told otherwise. */
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

/** The name of the member whose schema stands where a question points. */
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
  const known = openQuestionKinds.find((each) => each === kind);
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
