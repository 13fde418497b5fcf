import { showLine } from '../../../view/visible.ts';
import { isCrash, type Log, type Reading } from '../log/reading.ts';
import { isAsExpected, readingsOf, type Symptom } from '../log/symptom.ts';
import { countOf } from '../../../view/count.ts';
import type { Claim } from '../claim/claim.ts';
import { cutValue, tellOperations } from '../claim/words.ts';

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
  const readings = readingsOf(own);
  return [
    {
      kind: 'fixed-response',
      sentence: `${tellOperations(readings, 'answers', 'answer')} the same whatever is sent, as from an example: ${countOf(readings.length, 'response')}.`,
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
  const all = [...log.readings.values()].filter(({ response }) => response !== undefined);
  const [same = []] = [...Map.groupBy(all, answerOf).values()].toSorted(
    (one, other) => other.length - one.length,
  );
  const [first] = same;
  if (first === undefined || same.length < all.length * nearlyAll) return [];
  const isOwn = isCrash(first) || first.response?.status === log.contract.rateLimit?.status;
  const requests = new Set(same.map(requestOf));
  const operations = new Set(same.map(({ operation }) => operation));
  if (isOwn || requests.size < fewestRequests || operations.size < 2) return [];
  const within = new Set(same);
  const own = symptoms.filter(({ reading }) => within.has(reading));
  if (own.length === 0) return [];
  const extent = same.length === all.length ? 'All' : `${same.length} of`;
  return [
    {
      kind: 'constant-response',
      sentence: `${extent} ${all.length} responses were ${describeAnswer(first)}: whatever is sent, the same.`,
      symptoms: own,
      counted: same,
    },
  ];
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
