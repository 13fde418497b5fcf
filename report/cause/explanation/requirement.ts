import { readingsOf, type Symptom } from '../log/symptom.ts';
import { countOf } from '../../../view/count.ts';
import type { Claim } from '../claim/claim.ts';

/** What nothing explains further: each requirement is a cause of its own. */
export function explainRest(symptoms: readonly Symptom[]): readonly Claim[] {
  return [...Map.groupBy(symptoms, ({ requirement }) => requirement).entries()].map(
    ([{ sentence }, own]) => ({
      kind: 'requirement',
      sentence: `${countOf(readingsOf(own).length, 'request')} ${readingsOf(own).length === 1 ? 'shows' : 'show'} the contrary of this: ${sentence}`,
      symptoms: own,
    }),
  );
}
