import { describeUse } from '../../../conformance/index.ts';
import type { Log, Reading } from '../log/reading.ts';
import { isWrongStatus, readingsOf, type Symptom } from '../log/symptom.ts';
import { countOf } from '../../../view/count.ts';
import type { Claim } from '../claim/claim.ts';
import { listWords, tellOperations } from '../claim/words.ts';

/**
 * Requests without a valid key that were not turned away as they had to be: all that were answered
 * alike are one cause, unless some operations turn such a key away and others do not.
 */
export function explainCredentials(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const own = symptoms.filter(
    (symptom) => symptom.requirement.subject.kind === 'auth' && isWrongStatus(symptom),
  );
  return [...Map.groupBy(own, (symptom) => outcomeOf(symptom)).values()].map((group) => ({
    kind: 'unchecked-key',
    sentence: tell(group, log),
    symptoms: group,
  }));
}

/** Served, or refused with another status. */
function outcomeOf({ reading: { response } }: Symptom): string {
  const status = response?.status ?? 0;
  return status < 300 ? 'served' : String(status);
}

function tell(group: readonly Symptom[], log: Log): string {
  const readings = readingsOf(group);
  const used = [...new Set(readings.map(({ exchange }) => exchange.request.credential))];
  const status = readings[0]?.response?.status ?? 0;
  const keys = listWords(
    used.map((use) => describeUse(use).words),
    'or',
  );
  const requests = countOf(readings.length, 'request');
  if (status >= 300)
    return `${tellOperations(readings, 'answers', 'answer')} ${status}, not ${readings[0]?.expected ?? 401}, to ${keys}: ${requests}.`;
  if (used.length > 1 && !isRefusedElsewhere(readings, log))
    return `${tellOperations(readings, 'does', 'do')} not check the key at all: ${requests} without a valid one ${readings.length === 1 ? 'was' : 'were'} served.`;
  return `${tellOperations(readings, 'serves', 'serve')} requests with ${keys}: ${readings.length}.`;
}

/** Whether the operations refuse any other request without a valid key. */
function isRefusedElsewhere(served: readonly Reading[], log: Log): boolean {
  const operations = new Set(served.map(({ operation }) => operation));
  return [...log.readings.values()].some(
    ({ exchange, operation, response }) =>
      exchange.request.credential !== 'valid' &&
      operations.has(operation) &&
      response?.status === 401,
  );
}
