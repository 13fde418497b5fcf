import type { Symptom } from '../log/symptom.ts';
import { failing, type Claim } from '../claim/claim.ts';

/** What nothing explains further: each requirement is a cause of its own. */
export function explainRest(symptoms: readonly Symptom[]): readonly Claim[] {
  return [...Map.groupBy(symptoms, ({ requirement }) => requirement).values()].map((own) => ({
    kind: 'requirement',
    outcome: failing(own),
    symptoms: own,
  }));
}
