import type { Log, Reading } from '../log/reading.ts';
import { isWrongStatus, outcomeOf, readingsOf, type Symptom } from '../log/symptom.ts';
import type { Claim } from '../claim/claim.ts';
import { withBodies } from './body.ts';

/**
 * Requests without a valid key that were not turned away as they had to be: all that were answered
 * alike are one cause.
 */
export function explainCredentials(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const own = symptoms.filter(
    (symptom) => symptom.requirement.subject.kind === 'auth' && isWrongStatus(symptom),
  );
  const groups = Map.groupBy(
    own,
    ({ reading }) => `${reading.expected} ${JSON.stringify(outcomeOf(reading))}`,
  );
  const claims = [...groups.values()].flatMap((group): readonly Claim[] => {
    const [first] = group;
    if (first === undefined) return [];
    const readings = readingsOf(group);
    const operations = new Set(readings.map(({ operation }) => operation));
    const due = [...log.readings.values()].filter(
      (each) => operations.has(each.operation) && each.expected === first.reading.expected,
    );
    const uses = new Set(readings.map(({ exchange }) => exchange.request.credential));
    const outcome = outcomeOf(first.reading);
    const isOther = ({ exchange }: Reading): boolean => !uses.has(exchange.request.credential);
    const others = due.filter(isOther);
    const isSetApart = !others.some(
      (each) => JSON.stringify(outcomeOf(each)) === JSON.stringify(outcome),
    );
    return [
      {
        kind: 'unchecked-key',
        outcome,
        among: [{ kind: 'due', status: first.reading.expected ?? 401 }],
        ...(others.length > 0 && isSetApart
          ? { condition: { kind: 'credential', uses: [...uses] } }
          : {}),
        symptoms: group,
      },
    ];
  });
  return withBodies(claims, symptoms);
}
