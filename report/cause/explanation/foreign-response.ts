import { headerOf } from '../../../conformance/index.ts';
import { isForeign } from '../log/foreign.ts';
import { isCrash, quotaHeadersOf, type Log, type Reading } from '../log/reading.ts';
import { formOf, mediaTypeOf } from '../log/response-form.ts';
import { missingHeaders, symptomsWithin, type Symptom } from '../log/symptom.ts';
import type { Claim } from '../claim/claim.ts';
import { listWords } from '../fact/words.ts';

/**
 * Refusals that the service itself did not write, as those of a proxy in front or of the framework
 * beneath. Where its own lack the headers too, that is another cause.
 */
export function explainForeignResponses(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const answered = [...log.readings.values()].filter((each) => !isCrash(each));
  const foreign = new Set(answered.filter((each) => isForeign(each, log)));
  const isOwnBare = answered.some(
    (each) =>
      each.response !== undefined &&
      quotaHeadersOf(each.response, log.contract).length === 0 &&
      !foreign.has(each),
  );
  return [...Map.groupBy(foreign, signatureOf).values()].flatMap((readings): readonly Claim[] => {
    const [first] = readings;
    const own = symptomsWithin(symptoms, readings).filter(
      (symptom) => !isOwnBare || missingHeaders(symptom, log).length === 0,
    );
    if (own.length === 0 || first?.response === undefined) return [];
    const statuses = readings.map(({ response }) => String(response?.status)).toSorted();
    return [
      {
        kind: 'foreign-response',
        outcome: {
          kind: 'foreign',
          mediaType: mediaTypeOf(first.response),
          server: headerOf(first.response, 'server') ?? '',
        },
        operations: [],
        among: [{ kind: 'answered', with: 'errors' }],
        form: formOf(first),
        received: listWords(statuses),
        symptoms: own,
      },
    ];
  });
}

function signatureOf({ response }: Reading): string {
  if (response === undefined) return '';
  return `${mediaTypeOf(response)} ${headerOf(response, 'server') ?? ''}`;
}
