import type { Log, Reading } from '../log/reading.ts';
import { isAsExpected, readingsOf, type Symptom } from '../log/symptom.ts';
import { countOf } from '../../model/summary.ts';
import type { Claim } from '../claim/claim.ts';
import { tellOperations } from '../claim/words.ts';

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
