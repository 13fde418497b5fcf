import { isJsonObject } from '../../../contract/index.ts';
import type { Reading } from '../log/reading.ts';
import { formFault, readingsOf, type Symptom } from '../log/symptom.ts';
import type { Claim } from '../claim/claim.ts';
import { agree, cutValue, listWords } from '../claim/words.ts';

/** Faults of bodies: one is a cause wherever it is, those of the same responses are one together. */
export function explainBodies(symptoms: readonly Symptom[]): readonly Claim[] {
  const faults = [...Map.groupBy(symptoms, formFault)].flatMap(([fault, own]) =>
    fault === undefined ? [] : [{ fault, own }],
  );
  const groups = Map.groupBy(faults, ({ own }) =>
    readingsOf(own)
      .map(({ exchange }) => exchange.index)
      .join(' '),
  );
  return [...groups.values()].map((group) => {
    const own = group.flatMap((each) => each.own);
    return {
      kind: 'body',
      sentence: tell(
        group.map(({ fault }) => fault),
        readingsOf(own),
        own,
      ),
      symptoms: own,
    };
  });
}

function tell(
  faults: readonly string[],
  readings: readonly Reading[],
  symptoms: readonly Symptom[],
): string {
  const places = listWords(
    readings.map(
      ({ operation, response }) => `${response?.status ?? ''} of ${operation?.id ?? 'the service'}`,
    ),
  );
  return `${agree(readings.length, 'response', 'is', 'are')} not of the documented form (${places}): ${describe(faults, readings, symptoms)}.`;
}

function describe(
  faults: readonly string[],
  readings: readonly Reading[],
  symptoms: readonly Symptom[],
): string {
  const missing = faults.flatMap((fault) => /^(\S+) required$/.exec(fault)?.[1] ?? []);
  const wrapper = wrapperOf(missing, readings);
  if (wrapper !== undefined) return `all stands within \`${wrapper}\``;
  if (missing.length === faults.length)
    return `${listWords(missing.map((name) => `\`${name}\``))} ${missing.length === 1 ? 'is' : 'are'} missing`;
  const [first] = symptoms;
  if (first === undefined) return '';
  const { expected, received } = first.failure;
  return /^(\/|the body )/.test(expected)
    ? expected
    : `${expected} is due, not ${cutValue(received)}`;
}

/** The member within which everything stands that is missed at the top. */
function wrapperOf(missing: readonly string[], readings: readonly Reading[]): string | undefined {
  const [body] = readings.map((reading) => reading.body);
  if (missing.length === 0 || !isJsonObject(body)) return undefined;
  return Object.entries(body).find(
    ([, value]) => isJsonObject(value) && missing.every((name) => Object.hasOwn(value, name)),
  )?.[0];
}
