import { showLine } from '../../page/view/visible.ts';
import { cutValue } from './describe.ts';
import {
  failing,
  isAsExpected,
  isServed,
  isWrongStatus,
  operationsOf,
  type Claim,
  type Log,
  type Reading,
  type Symptom,
} from './log.ts';

/** Fewest different requests that show that nothing of a request matters to the whole service. */
const fewestRequests = 5;

/** The share of responses from which on they are called all the same. */
const nearlyAll = 0.95;

/** A service with one response for everything, or one status; else operations with one response. */
export function explainConstants(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const claim =
    explainResponse(symptoms, log) ??
    explainStatus(symptoms, log.answered, 'any') ??
    explainStatus(symptoms, log.answered.filter(isError), 'errors');
  const claims = claim === undefined ? [] : [claim];
  const left = symptoms.filter((each) => claim?.symptoms.includes(each) !== true);
  return [...claims, ...explainFixed(left, log)].filter((each) => each.symptoms.length > 0);
}

function isError({ response }: Reading): boolean {
  return (response?.status ?? 0) >= 400;
}

function explainResponse(symptoms: readonly Symptom[], log: Log): Claim | undefined {
  const groups = Map.groupBy(
    log.answered,
    ({ response }) => `${response?.status} ${response?.body ?? ''}`,
  );
  const [same = []] = [...groups.values()].toSorted((one, other) => other.length - one.length);
  const [first] = same;
  if (first?.response === undefined || same.length < log.answered.length * nearlyAll) return;
  const { status, body } = first.response;
  if (status === log.contract.rateLimit?.status) return;
  if (countRequests(same) < fewestRequests || operationsOf(same).length < 2) return;
  return {
    kind: 'constant-response',
    outcome: { kind: 'same-response', as: first.exchange.index },
    operations: [],
    among: [{ kind: 'answered', with: 'any' }],
    received: `${status} ${body === '' ? 'without a body' : cutValue(showLine(body))}`,
    symptoms: symptoms.filter(({ reading }) => same.includes(reading)),
  };
}

function explainStatus(
  symptoms: readonly Symptom[],
  readings: readonly Reading[],
  scope: 'any' | 'errors',
): Claim | undefined {
  const [status, ...others] = new Set(readings.map(({ response }) => response?.status));
  const due = new Set(readings.map(({ expected }) => expected)).difference(
    new Set([undefined, status]),
  );
  const isSpread = due.size > 1 && operationsOf(readings).length > 1;
  if (status === undefined || others.length > 0 || !isSpread) return;
  const own = symptoms.filter(
    ({ reading }) => readings.includes(reading) && reading.expected !== status,
  );
  if (!own.some(isWrongStatus)) return;
  return {
    kind: 'constant-status',
    outcome: { kind: 'status', status },
    operations: [],
    among: [{ kind: 'answered', with: scope }],
    symptoms: own,
    leads: isWrongStatus,
  };
}

/** Operations with one response whatever they are sent, as from examples: nothing is stored. */
function explainFixed(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const served = Map.groupBy(log.answered.filter(isServed), ({ operation }) => operation);
  // Three requests show it for one operation; then two are enough for the others.
  if (!served.values().some((readings) => isFixed(readings, 3))) return [];
  const own = symptoms.filter(
    ({ requirement: { subject }, reading }) =>
      isServed(reading) &&
      isFixed(served.get(reading.operation) ?? [], 2) &&
      ['state', 'status', 'concurrency', 'parameter'].includes(subject.kind),
  );
  return [
    {
      kind: 'fixed-response',
      outcome: failing(own),
      among: [{ kind: 'answered', with: 'successes' }],
      symptoms: own,
    },
  ];
}

function isFixed(readings: readonly Reading[], fewest: number): boolean {
  const bodies = new Set(readings.map(({ response }) => response?.body));
  return countRequests(readings) >= fewest && bodies.size === 1 && readings.some(isAsExpected);
}

/** Different requests among some. */
function countRequests(readings: readonly Reading[]): number {
  const requests = readings.map(({ exchange: { request } }) => request);
  return new Set(requests.map(({ method, target, body }) => `${method} ${target} ${body}`)).size;
}
