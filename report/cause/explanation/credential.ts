import type { Log } from '../log/reading.ts';
import { isWrongStatus, outcomeOf, readingsOf, type Symptom } from '../log/symptom.ts';
import type { Claim } from '../claim/claim.ts';

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
  return [...groups.values()].flatMap((group): readonly Claim[] => {
    const [first] = group;
    if (first === undefined) return [];
    const readings = readingsOf(group);
    const operations = new Set(readings.map(({ operation }) => operation));
    const due = [...log.readings.values()].filter(
      (each) => operations.has(each.operation) && each.expected === first.reading.expected,
    );
    const uses = [...new Set(readings.map(({ exchange }) => exchange.request.credential))];
    return [
      {
        kind: 'unchecked-key',
        outcome: outcomeOf(first.reading),
        among: [{ kind: 'due', status: first.reading.expected ?? 401 }],
        ...(due.every(
          (each) => JSON.stringify(outcomeOf(each)) === JSON.stringify(outcomeOf(first.reading)),
        )
          ? {}
          : { condition: { kind: 'credential', uses } }),
        symptoms: group,
      },
    ];
  });
}
