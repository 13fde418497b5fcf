import type { Symptom } from '../log/symptom.ts';
import { failing, type Claim } from '../claim/claim.ts';

/** Requests at the same time whose responses are mixed up, or which are lost. */
export function explainConcurrentRequests(symptoms: readonly Symptom[]): readonly Claim[] {
  const groups = new Set(
    symptoms.filter(isUnique).map(({ reading: { exchange } }) => exchange.group),
  );
  groups.delete(undefined);
  const mixed = symptoms.filter(
    ({ requirement: { subject }, reading: { exchange } }) =>
      groups.has(exchange.group) && (subject.kind === 'state' || subject.kind === 'concurrency'),
  );
  if (mixed.length > 0) return [claim(mixed)];
  const lost = symptoms.filter(isConcurrent);
  return lost.length === 0 || symptoms.some(isUnlisted) ? [] : [claim(lost)];
}

function claim(symptoms: readonly Symptom[]): Claim {
  const outcome = failing(symptoms);
  return { kind: 'concurrent-requests', outcome, symptoms, leads: isConcurrent };
}

function isConcurrent({ requirement: { subject } }: Symptom): boolean {
  return subject.kind === 'concurrency';
}

/** Items that were added one by one are lost as well. */
function isUnlisted({ requirement: { subject } }: Symptom): boolean {
  const isList = subject.kind === 'parameter' && subject.facet !== 'values';
  return isList || (subject.kind === 'state' && subject.facet === 'listed');
}

function isUnique({ requirement: { subject } }: Symptom): boolean {
  return subject.kind === 'concurrency' && subject.facet === 'unique';
}
