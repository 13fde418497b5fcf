import { isCrash, type Log, type Reading } from '../log/reading.ts';
import { missingHeaders, readingsOf, type Symptom } from '../log/symptom.ts';
import type { Claim } from '../claim/claim.ts';
import { listWords } from '../claim/words.ts';

/** Headers that no response of the run carries, so that their lack explains nothing else. */
export function explainUnknownHeaders(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const answered = countAnswered(log);
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
  return [...groups.values()].flatMap((group) => {
    const names = group.map(([name]) => name);
    const own = symptoms.filter((symptom) => {
      const [first] = missingHeaders(symptom, log);
      return first !== undefined && names.includes(first);
    });
    return own.length === 0
      ? []
      : [{ kind: 'missing-header', sentence: tell(names, readingsOf(own), log), symptoms: own }];
  });
}

function countAnswered(log: Log): number {
  return [...log.readings.values()].filter((each) => !isCrash(each)).length;
}

function tell(names: readonly string[], readings: readonly Reading[], log: Log): string {
  const headers = listWords(names, 'or');
  const scope = scopes.find(([, isOf]) => isExactly(readings, isOf, log));
  if (scope !== undefined && readings.length > 1)
    return `None of ${readings.length} ${scope[0]} carries ${headers}.`;
  const places = readings.map(
    ({ operation, response }) => `${response?.status ?? ''} of ${operation?.id ?? 'the service'}`,
  );
  const verb = readings.length === 1 ? 'lacks' : 'lack';
  return `${readings.length} of ${countAnswered(log)} responses ${verb} ${listWords(names)}: ${listWords(places)}.`;
}

type Scope = readonly [words: string, isOf: (status: number) => boolean];

const scopes: readonly Scope[] = [
  ['responses', () => true],
  ['error responses', (status) => status >= 400],
  ['successful responses', (status) => status < 300],
  ...[400, 401, 404, 429].map((code): Scope => [
    `responses with ${code}`,
    (status) => status === code,
  ]),
];

/** Whether these are all responses of their kind, of more than one operation or status. */
function isExactly(
  readings: readonly Reading[],
  isOf: (status: number) => boolean,
  log: Log,
): boolean {
  const all = [...log.readings.values()].filter(
    (each) => !isCrash(each) && isOf(each.response?.status ?? 0),
  );
  return all.length === readings.length && readings.every((each) => all.includes(each));
}
