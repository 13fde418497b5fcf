import { countOf } from '../../page/view/count.ts';
import { listWords } from '../../contract/list/list.ts';
import { hasCondition } from './condition.ts';
import type { CauseFact, CauseKind, CauseOutcome } from './fact.ts';
import { operationsOf, type Log, type Reading, type Symptom } from './log.ts';

/** Failures with the same cause, and what the log shows about it. */
export interface Claim {
  readonly kind: CauseKind;
  readonly symptoms: readonly Symptom[];
  /**
   * The failure whose requirement represents the cause. Default: the first in the order of reports.
   */
  readonly lead?: Symptom | undefined;
  /** In plain English. May quote the target. */
  readonly sentence: string;
  readonly fact: CauseFact;
  /** Indexes of the exchanges that show the fact. */
  readonly exchanges: readonly number[];
}

/** Exchanges that show something, and how many there are in total. */
interface Count extends Pick<Claim, 'fact' | 'exchanges'> {
  /** `3 of 7 getPet error responses`; `for all 3 requests without a key, and for no other request`. */
  readonly words: string;
}

/** Counts responses among all responses of the same kind. */
export function countResponses(shown: readonly Reading[], { readings }: Log): Count {
  const statuses = shown.map(({ response }) => response?.status ?? 0);
  const [status] = statuses;
  const kinds: readonly (readonly [words: string, holds: (status: number) => boolean])[] = [
    [`${status} responses`, (each) => each === status],
    ['error responses', (each) => each >= 400],
    ['successful responses', (each) => each < 300],
  ];
  const [among, holds] = kinds.find((each) => statuses.every(each[1])) ?? ['responses', () => true];
  const all = readings.filter(({ response }) => response !== undefined && holds(response.status));
  const own = operationsOf(shown);
  const isOfAll = operationsOf(all).every((each) => own.includes(each)) && own.length > 1;
  const scope = all.filter(({ exchange }) => own.includes(exchange.request.operation));
  const [seen, of] = [shown.length, scope.length];
  // Two adjacent numbers are hard to read, and many names hide what follows.
  const scopeWords = isOfAll ? '' : ` of ${own.length} operations`;
  const what =
    isOfAll || own.length > 2
      ? `${among.replace(/^(\d+) responses/, 'responses with $1')}${scopeWords}`
      : `${listWords(own)} ${among}`;
  return {
    fact: { operations: isOfAll ? [] : own, among, of, others: 0, elsewhere: 0 },
    exchanges: shown.map(({ exchange }) => exchange.index),
    words: `${shareOf(seen, of)} ${of === 1 ? what.replace('responses', 'response') : what}`,
  };
}

/** Which requests are counted: those with a certain expected status and something in common. */
interface Division {
  readonly due?: number | undefined;
  readonly condition?: string | undefined;
  /** Default: what the condition says. */
  readonly meets?: (reading: Reading) => boolean;
}

/**
 * Counts requests with the same outcome: `all 3 requests with limit=100, and for no other request`.
 */
export function countRequests(
  operations: readonly string[],
  outcome: CauseOutcome,
  { due, condition, meets = (each) => !condition || hasCondition(each, condition) }: Division,
  { readings }: Log,
  preposition = '',
): Count {
  const all = readings.filter(({ exchange }) => operations.includes(exchange.request.operation));
  // If the same status is expected of all, it need not be mentioned.
  const isNarrow = due !== undefined && all.filter(meets).some(({ expected }) => expected !== due);
  // Except for crashes, the same status may be right for requests with another expected status.
  const isCrashed =
    outcome.kind === 'no-response' || (outcome.kind === 'status' && outcome.status >= 500);
  const isLimited = due !== undefined && (isNarrow || !isCrashed);
  const isDue = (each: Reading): boolean => !isLimited || each.expected === due;
  const meant = all.filter((each) => isDue(each) && meets(each));
  const others = condition === undefined ? [] : all.filter((each) => isDue(each) && !meets(each));
  const shown = meant.filter((each) => showsOutcome(each, outcome));
  const elsewhere = others.filter((each) => showsOutcome(each, outcome)).length;
  const ofDue = due === undefined || due < 300 ? '' : ` that should get ${due}`;
  const before = isNarrow && ofDue === '' ? 'valid ' : '';
  const noun = meant.length === 1 ? 'request' : 'requests';
  const words = `${preposition}${shareOf(shown.length, meant.length)} ${before}${noun}${isNarrow ? ofDue : ''}`;
  const rest =
    elsewhere > 0
      ? `${elsewhere} of ${countOf(others.length, 'other request')}`
      : `no other request${outcome.kind === 'served' ? ofDue : ''}`;
  return {
    fact: {
      operations,
      among: isLimited ? `${before}requests${ofDue}` : undefined,
      condition,
      outcome,
      of: meant.length,
      others: others.length,
      elsewhere,
    },
    exchanges: shown.map(({ exchange }) => exchange.index),
    words: condition === undefined ? words : `${words} ${condition}, and ${preposition}${rest}`,
  };
}

function shareOf(seen: number, of: number): string {
  if (seen < of) return `${seen} of ${of}`;
  return of === 1 ? 'the only' : `all ${of}`;
}

/** The operations with a verb: `createPet fails`, `createPet and getPet fail`. */
export function withVerb(operations: readonly string[], one: string, many: string): string {
  return `${listWords(operations)} ${operations.length === 1 ? one : many}`;
}

export function capitalise(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** The outcome: no response, accepted although it should have been refused, or the status. */
export function outcomeOf({ response, exchange, expected = 0 }: Reading): CauseOutcome {
  const { outcome } = exchange;
  if (outcome.kind === 'no-response') return { kind: 'no-response', reason: outcome.error.reason };
  const status = response?.status ?? 0;
  return status < 300 && expected >= 300 ? { kind: 'served' } : { kind: 'status', status };
}

export function showsOutcome({ response, exchange }: Reading, outcome: CauseOutcome): boolean {
  if (outcome.kind === 'status') return response?.status === outcome.status;
  if (outcome.kind === 'served') return response !== undefined && response.status < 300;
  const { outcome: own } = exchange;
  return own.kind === 'no-response' && own.error.reason === outcome.reason;
}
