import { failing, isServed, operationsOf, readingsOf, type Claim, type Symptom } from './log.ts';

/** What is wrong with items, by the facet of a state, a parameter or concurrency; `value` for any other. */
const natures: Readonly<Record<string, 'number' | 'identity' | 'single'>> = {
  listed: 'number',
  stored: 'number',
  filled: 'number',
  bound: 'number',
  'id-unique': 'identity',
  'id-assigned': 'identity',
  unique: 'identity',
  distinct: 'identity',
  filter: 'single',
  'not-written': 'single',
};

/** What a symptom has in common with others of its cause. */
function* keysOf({ requirement, reading, others }: Symptom): Generator<string> {
  const { subject, id } = requirement;
  const nature = ('facet' in subject ? natures[subject.facet] : undefined) ?? 'value';
  if (nature === 'single') return yield id;
  const kind = nature === 'number' ? 'number' : 'mixed up';
  for (const { exchange } of [reading, ...others]) yield `${kind} ${exchange.index}`;
  yield `${kind} ${nature === 'value' ? id : reading.exchange.request.operation}`;
}

/**
 * Items that are lost, mixed up, or shown where others were asked for. Requirements are one cause if
 * the same is wrong in the same exchange, in exchanges that contradict the same one, or in one operation.
 */
export function explainItems(symptoms: readonly Symptom[]): readonly Claim[] {
  const groups: { readonly keys: Set<string>; readonly symptoms: Symptom[] }[] = [];
  for (const symptom of symptoms) {
    if (!['state', 'concurrency', 'parameter'].includes(symptom.requirement.subject.kind)) continue;
    const keys = new Set(keysOf(symptom));
    const own = [symptom];
    for (const group of groups.filter((each) => !each.keys.isDisjointFrom(keys))) {
      for (const each of group.keys) keys.add(each);
      own.unshift(...group.symptoms);
      groups.splice(groups.indexOf(group), 1);
    }
    groups.push({ keys, symptoms: own });
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
