import { showLine } from '../../../page/view/visible.ts';
import { isCrash, type Log, type Reading } from '../log/reading.ts';
import { isAsExpected, isWrongStatus, type Symptom } from '../log/symptom.ts';
import type { Condition } from '../codec/fact.ts';
import { failing, type Claim } from '../claim/claim.ts';
import { cutValue } from '../fact/words.ts';

/** Fewest requests that say that an operation has one response for all; of others then two. */
const fewest = 3;

/** Operations that answer the same whatever they are sent, as from examples: nothing is stored. */
export function explainFixedResponses(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const served = [...log.readings.values()].filter(({ response }) => isSuccess(response?.status));
  const groups = [...Map.groupBy(served, ({ operation }) => operation)];
  const isAny = groups.some(([, readings]) => isFixed(readings, fewest));
  const fixed = new Set(
    groups.filter(([, readings]) => isAny && isFixed(readings, 2)).map(([operation]) => operation),
  );
  const own = symptoms.filter(
    ({ requirement: { subject }, reading: { operation, response } }) =>
      fixed.has(operation) &&
      isSuccess(response?.status) &&
      ['state', 'status', 'concurrency', 'parameter'].includes(subject.kind),
  );
  if (own.length === 0) return [];
  return [
    {
      kind: 'fixed-response',
      outcome: failing(own),
      among: [{ kind: 'answered', with: 'successes' }],
      symptoms: own,
    },
  ];
}

function isSuccess(status = 0): boolean {
  return status >= 200 && status < 300;
}

/** Different requests, one and the same body. */
function isFixed(readings: readonly Reading[], least: number): boolean {
  const asked = new Set(
    readings.map(({ exchange: { request } }) => `${request.target} ${request.body ?? ''}`),
  );
  const bodies = new Set(readings.map(({ response }) => response?.body));
  return asked.size >= least && bodies.size === 1 && readings.some(isAsExpected);
}

/** Fewest different requests that say that nothing of them matters. */
const fewestRequests = 5;

/** The share of responses from which on they are called all the same. */
const nearlyAll = 0.95;

/** A service that answers every operation the same, whatever is sent: all else comes of that. */
export function explainConstantResponses(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const all = [...log.readings.values()].filter((each) => !isCrash(each));
  const [same = []] = [...Map.groupBy(all, answerOf).values()].toSorted(
    (one, other) => other.length - one.length,
  );
  const [first] = same;
  if (first === undefined || same.length < all.length * nearlyAll) return [];
  const requests = new Set(same.map(requestOf));
  const operations = operationsOf(same);
  const isLimit = first.response?.status === log.contract.rateLimit?.status;
  if (isLimit || requests.size < fewestRequests || operations.length < 2) return [];
  const within = new Set(same);
  const own = symptoms.filter(({ reading }) => within.has(reading));
  if (own.length === 0) return [];
  return [
    {
      kind: 'constant-response',
      outcome: { kind: 'same-response', as: first.exchange.index },
      operations: [],
      among: [{ kind: 'answered', with: 'any' }],
      received: describeAnswer(first),
      symptoms: own,
    },
  ];
}

/**
 * A service whose responses, or whose refusals, have one status whatever is due: all that is wrong
 * with them comes of that.
 */
export function explainConstantStatuses(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  for (const scope of ['any', 'errors'] as const) {
    const some = [...log.readings.values()].filter(
      (each) => !isCrash(each) && (scope === 'any' || (each.response?.status ?? 0) >= 400),
    );
    const [status, ...others] = new Set(some.map(({ response }) => response?.status));
    const due = new Set(some.map(({ expected }) => expected));
    due.delete(undefined);
    due.delete(status);
    const isSpread = due.size > 1 && operationsOf(some).length > 1;
    if (status === undefined || others.length > 0 || !isSpread) continue;
    const within = new Set(some);
    const own = symptoms.filter(
      ({ reading }) => within.has(reading) && reading.expected !== status,
    );
    if (!own.some(isWrongStatus)) continue;
    const among: Condition = { kind: 'answered', with: scope };
    return [
      {
        kind: 'constant-status',
        outcome: { kind: 'status', status },
        operations: [],
        among: [among],
        symptoms: own,
        leads: isWrongStatus,
      },
    ];
  }
  return [];
}

function operationsOf(readings: readonly Reading[]): readonly string[] {
  return [...new Set(readings.map(({ exchange }) => exchange.request.operation))];
}

function answerOf({ response }: Reading): string {
  return `${response?.status ?? ''} ${response?.body ?? ''}`;
}

function requestOf({ exchange: { request } }: Reading): string {
  return `${request.method} ${request.target} ${request.body ?? ''}`;
}

function describeAnswer({ response }: Reading): string {
  const body = response?.body ?? '';
  return `${response?.status ?? ''} ${body === '' ? 'without a body' : cutValue(showLine(body))}`;
}
