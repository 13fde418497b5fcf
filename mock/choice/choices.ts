import type { Choice, Contract, OpenQuestion } from '../../contract/index.ts';

/** The answers that the mock gives to what a document leaves open. */
export interface Gaps {
  /**
   * The choice for a kind of question at any of the places, JSON pointers; the engine's own where
   * the document does not ask.
   */
  choose(kind: GapKind, ...places: readonly string[]): Choice;
  /** All questions of a kind, with their choices. */
  answers(kind: GapKind): readonly { readonly question: OpenQuestion; readonly choice: Choice }[];
  /** The choice for every question of the document. */
  readonly choices: Readonly<Record<string, string>>;
}

/** A kind of question whose answer changes what the mock does. */
export type GapKind = keyof typeof PLAYED;

/**
 * By kind the choices that the mock can play; the first is the engine's own. `any`: the choice says
 * by its members what to do, and the engine's own has neither id nor members.
 */
const PLAYED = {
  accept: ['ignored', 'not-acceptable'],
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
  reference: ['any', 'must-exist'],
  'request-media-type': ['unsupported', 'refused', 'accepted'],
  'retry-after-format': ['seconds', 'http-date'],
  'string-limits': 'any',
  transitions: ['never', 'elsewhere'],
  'undescribed-operations': ['not-served', 'served'],
  'undescribed-requests': ['http', 'not-found'],
  'unknown-properties': ['ignored', 'refused', 'kept'],
  versioning: ['one-version', 'several-versions'],
  'window-kind': ['fixed', 'from-first-request', 'sliding'],
} as const satisfies Record<string, readonly string[] | 'any'>;

/** A choice that cannot be made. The message names what could be chosen. */
export class GapError extends Error {
  override readonly name = 'GapError';
}

/**
 * The document's default choices, overruled by `chosen` (question id to choice id). Throws
 * `GapError`.
 */
export function createGaps(
  contract: Contract,
  chosen: Readonly<Record<string, string>> = {},
): Gaps {
  refuseUnknown(contract, Object.keys(chosen));
  const answers = contract.openQuestions.map((question) => ({
    question,
    choice: answer(question, chosen[question.id]),
  }));
  return {
    choose(kind, ...places) {
      const found = answers.find(({ question }) => isAsked(question, kind, places));
      return found?.choice ?? engineChoice(kind);
    },
    answers: (kind) => answers.filter(({ question }) => question.kind === kind),
    choices: Object.fromEntries(answers.map(({ question, choice }) => [question.id, choice.id])),
  };
}

function isAsked(question: OpenQuestion, kind: GapKind, places: readonly string[]): boolean {
  return question.kind === kind && (places.length === 0 || places.includes(question.at));
}

function engineChoice(kind: GapKind): Choice {
  const choices = PLAYED[kind];
  return { id: choices === 'any' ? '' : choices[0], description: '', details: {} };
}

function answer(question: OpenQuestion, wanted: string | undefined): Choice {
  const choice = question.choices.find(({ id }) => id === (wanted ?? question.default));
  const known = question.choices.map(({ id }) => id).join(', ');
  if (choice === undefined)
    throw new GapError(`The question ${question.id} has no choice "${wanted}"; it has ${known}.`);
  const obstacle =
    wanted === undefined || wanted === question.default ? undefined : obstacleTo(question, wanted);
  if (obstacle !== undefined)
    throw new GapError(
      `The mock cannot play the choice "${wanted}" of the question ${question.id}${obstacle}.`,
    );
  return choice;
}

/** What keeps the mock from playing a choice, as the end of a sentence; undefined for nothing. */
function obstacleTo(question: OpenQuestion, wanted: string): string | undefined {
  if (!isPlayed(question, wanted)) return '';
  const isPathless =
    question.kind === 'undescribed-operations' && question.details['paths'] === undefined;
  return isPathless ? ': the document names no paths for it (`paths` of the question)' : undefined;
}

function isPlayed(question: OpenQuestion, wanted: string): boolean {
  const played = new Map<string, readonly string[] | 'any'>(Object.entries(PLAYED)).get(
    question.kind,
  );
  return played === 'any' || played?.includes(wanted) === true;
}

function refuseUnknown(contract: Contract, ids: readonly string[]): void {
  const known = contract.openQuestions.map(({ id }) => id);
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown === undefined) return;
  const choices = known.length === 0 ? 'it leaves nothing open' : `it asks ${known.join(', ')}`;
  throw new GapError(`The document does not ask the question "${unknown}"; ${choices}.`);
}
