import type { Symptom } from '../log/symptom.ts';
import { readingsOf } from '../log/symptom.ts';
import type { Claim } from '../claim/claim.ts';
import { agree } from '../claim/words.ts';

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
  if (mixed.length > 0)
    return [
      claim(
        agree(readingsOf(mixed).length, 'response', 'is', 'are') + ' not for what was sent',
        mixed,
      ),
    ];
  const lost = symptoms.filter(isConcurrent);
  return lost.length === 0 || symptoms.some(isUnlisted)
    ? []
    : [claim(agree(readingsOf(lost).length, 'response', 'shows', 'show') + ' one lost', lost)];
}

function claim(words: string, symptoms: readonly Symptom[]): Claim {
  const sentence = `Requests at the same time get in each other's way: ${words}.`;
  return { kind: 'concurrent-requests', sentence, symptoms, leads: isConcurrent };
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
