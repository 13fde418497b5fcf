import { headerOf } from '../../../conformance/index.ts';
import type { Condition } from '../codec/fact.ts';
import { holds } from '../fact/condition.ts';
import { isCrash, type Log, type Reading } from '../log/reading.ts';
import { missingHeaders, readingsOf, type Symptom } from '../log/symptom.ts';
import type { Claim } from '../claim/claim.ts';

/** Headers that no response of the run carries, so that their lack explains nothing else. */
export function explainUnknownHeaders(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const answered = [...log.readings.values()].filter((each) => !isCrash(each)).length;
  return explainMissingHeaders(symptoms, log).filter(
    ({ symptoms: own }) => answered > 1 && readingsOf(own).length === answered,
  );
}

/** Headers that the same responses lack are one cause. */
export function explainMissingHeaders(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const byName = new Map<string, Set<Reading>>();
  for (const symptom of symptoms)
    for (const name of missingHeaders(symptom, log))
      byName.set(name, (byName.get(name) ?? new Set()).add(symptom.reading));
  const groups = Map.groupBy(byName, ([, readings]) =>
    [...readings]
      .map(({ exchange }) => exchange.index)
      .toSorted((a, b) => a - b)
      .join(' '),
  );
  return [...groups.values()].flatMap((group): readonly Claim[] => {
    const names = group.map(([name]) => name);
    const own = symptoms.filter((symptom) => {
      const [first] = missingHeaders(symptom, log);
      return first !== undefined && names.includes(first);
    });
    if (own.length === 0) return [];
    return [
      {
        kind: 'missing-header',
        outcome: { kind: 'lacks-headers', names },
        ...scopeOf(names, readingsOf(own), log),
        symptoms: own,
      },
    ];
  });
}

type Scope = Required<Pick<Claim, 'operations' | 'among'>>;

/** The narrowest kind of responses that all lack the headers; of none, all of the operations. */
function scopeOf(names: readonly string[], readings: readonly Reading[], log: Log): Scope {
  const answered = [...log.readings.values()].filter((each) => !isCrash(each));
  const codes = new Set(readings.map(({ response }) => String(response?.status)));
  const kinds = ['any', 'errors', 'successes', ...(codes.size === 1 ? codes : [])];
  const own = operationsOf(readings);
  for (const operations of [[], own])
    for (const kind of kinds) {
      const among: Condition = { kind: 'answered', with: kind };
      const within = new Set(
        answered.filter(
          (each) =>
            (operations.length === 0 || operations.includes(each.exchange.request.operation)) &&
            holds(among, each, log),
        ),
      );
      const isLacking = [...within].every(
        ({ response }) =>
          response !== undefined && names.every((name) => headerOf(response, name) === undefined),
      );
      if (isLacking && readings.every((each) => within.has(each)))
        return { operations, among: [among] };
    }
  return { operations: own, among: [{ kind: 'answered', with: 'any' }] };
}

function operationsOf(readings: readonly Reading[]): readonly string[] {
  return [...new Set(readings.map(({ exchange }) => exchange.request.operation))];
}
