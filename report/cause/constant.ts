import { showLine } from '../../page/view/visible.ts';
import { cutValue } from './describe.ts';
import { isCrash, isServed, operationsOf, type Log, type Reading } from './reading.ts';
import {
  failing,
  isAsExpected,
  isWrongStatus,
  symptomsOf,
  type Claim,
  type Symptom,
} from './symptom.ts';

/** Fewest different requests that show that nothing of a request matters to the whole service. */
const fewestRequests = 5;

/** The share of responses from which on they are called all the same. */
const nearlyAll = 0.95;

/** A service with one response for everything: all else follows from that. */
export function explainConstantResponses(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const all = [...log.readings.values()].filter((each) => !isCrash(each));
  const [same = []] = [...Map.groupBy(all, responseOf).values()].toSorted(
    (one, other) => other.length - one.length,
  );
  const [first] = same;
  if (first === undefined || same.length < all.length * nearlyAll) return [];
  const isLimit = first.response?.status === log.contract.rateLimit?.status;
  if (isLimit || countRequests(same) < fewestRequests || operationsOf(same).length < 2) return [];
  const body = first.response?.body ?? '';
  return claimOf({
    kind: 'constant-response',
    outcome: { kind: 'same-response', as: first.exchange.index },
    operations: [],
    among: [{ kind: 'answered', with: 'any' }],
    received: `${first.response?.status ?? ''} ${body === '' ? 'without a body' : cutValue(showLine(body))}`,
    symptoms: symptomsOf(symptoms, same),
  });
}

/** A service whose responses, or whose errors, have one status whatever is expected. */
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
    const own = symptomsOf(symptoms, some).filter(({ reading }) => reading.expected !== status);
    if (!own.some(isWrongStatus)) continue;
    return claimOf({
      kind: 'constant-status',
      outcome: { kind: 'status', status },
      operations: [],
      among: [{ kind: 'answered', with: scope }],
      symptoms: own,
      leads: isWrongStatus,
    });
  }
  return [];
}

/** Operations with one response whatever they are sent, as from examples: nothing is stored. */
export function explainFixedResponses(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const served = [...Map.groupBy(log.readings.values(), ({ operation }) => operation)].map(
    ([operation, readings]) => ({ operation, readings: readings.filter(isServed) }),
  );
  // Three requests show it for one operation; then two are enough for the others.
  if (!served.some(({ readings }) => isFixed(readings, 3))) return [];
  const fixed = new Set(
    served.filter(({ readings }) => isFixed(readings, 2)).map(({ operation }) => operation),
  );
  const own = symptoms.filter(
    ({ requirement: { subject }, reading }) =>
      fixed.has(reading.operation) &&
      isServed(reading) &&
      ['state', 'status', 'concurrency', 'parameter'].includes(subject.kind),
  );
  return claimOf({
    kind: 'fixed-response',
    outcome: failing(own),
    among: [{ kind: 'answered', with: 'successes' }],
    symptoms: own,
  });
}

function isFixed(readings: readonly Reading[], fewest: number): boolean {
  const bodies = new Set(readings.map(({ response }) => response?.body));
  return countRequests(readings) >= fewest && bodies.size === 1 && readings.some(isAsExpected);
}

function claimOf(claim: Claim): readonly Claim[] {
  return claim.symptoms.length === 0 ? [] : [claim];
}

function responseOf({ response }: Reading): string {
  return `${response?.status ?? ''} ${response?.body ?? ''}`;
}

/** Different requests among some. */
function countRequests(readings: readonly Reading[]): number {
  return new Set(
    readings.map(
      ({ exchange: { request } }) => `${request.method} ${request.target} ${request.body ?? ''}`,
    ),
  ).size;
}
