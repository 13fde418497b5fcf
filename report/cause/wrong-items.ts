import { isServed, operationsOf } from './reading.ts';
import { failing, readingsOf, type Claim, type Symptom } from './symptom.ts';

const kinds = ['state', 'concurrency', 'parameter', 'status'];

/**
 * Items that are lost, mixed up, or shown where others were asked for: requirements that fail in the
 * same exchanges, in exchanges that contradict the same ones, or in what one operation shows.
 */
export function explainWrongItems(symptoms: readonly Symptom[]): readonly Claim[] {
  const groups: { readonly shown: Set<unknown>; readonly symptoms: Symptom[] }[] = [];
  for (const symptom of symptoms) {
    const { requirement, reading, others } = symptom;
    if (!kinds.includes(requirement.subject.kind)) continue;
    const shown = new Set<unknown>([reading, ...others]);
    if (requirement.subject.kind !== 'status') shown.add(reading.operation);
    const own = [symptom];
    for (const group of groups.filter((each) => !each.shown.isDisjointFrom(shown))) {
      for (const each of group.shown) shown.add(each);
      own.unshift(...group.symptoms);
      groups.splice(groups.indexOf(group), 1);
    }
    groups.push({ shown, symptoms: own });
  }
  return groups
    .filter(({ symptoms: own }) => new Set(own.map(({ requirement }) => requirement)).size > 1)
    .map(({ symptoms: own }) => {
      const readings = readingsOf(own);
      return {
        kind: 'wrong-items',
        outcome: failing(own),
        operations: operationsOf(readings),
        among: [{ kind: 'answered', with: readings.every(isServed) ? 'successes' : 'any' }],
        symptoms: own,
      };
    });
}
