import { headerOf } from '../../../conformance/index.ts';
import { isCrash, type Log, type Reading } from '../log/reading.ts';
import { describeForm, mediaTypeOf, quotaHeadersOf, skeletonOf } from '../log/response-form.ts';
import { missingHeaders, symptomsWithin, type Symptom } from '../log/symptom.ts';
import type { Claim } from '../claim/claim.ts';
import { agree, listWords } from '../claim/words.ts';

/**
 * Refusals that the service itself did not write: they are not of its form and carry none of its
 * headers, as those of a proxy in front or of the framework beneath. Where its own lack them too,
 * that is another cause.
 */
export function explainForeignResponses(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const answered = [...log.readings.values()].filter((each) => !isCrash(each));
  const isTold = hasHeaders(log);
  const isBare = ({ response }: Reading): boolean =>
    response !== undefined && quotaHeadersOf(response, log).length === 0;
  const foreign = answered.filter((each) => isBare(each) && isForeign(each, isTold, log));
  const isOwnBare = answered.some((each) => isBare(each) && !foreign.includes(each));
  return [...Map.groupBy(foreign, signatureOf).values()].flatMap((readings) => {
    const own = symptomsWithin(symptoms, readings).filter(
      (symptom) => !isOwnBare || missingHeaders(symptom, log).length === 0,
    );
    return own.length === 0
      ? []
      : [{ kind: 'foreign-response', sentence: tell(readings), symptoms: own, counted: readings }];
  });
}

/** Not of the error shape; where no response carries the headers, no JSON by its type either. */
function isForeign({ response, body }: Reading, isTold: boolean, { contract }: Log): boolean {
  if (response === undefined || response.status < 300) return false;
  const issues = body === undefined ? 1 : (contract.error?.schema.validate(body).length ?? 0);
  return issues > 0 && (isTold || mediaTypeOf(response) !== 'application/json');
}

function hasHeaders(log: Log): boolean {
  return [...log.readings.values()].some(
    ({ response }) => response !== undefined && quotaHeadersOf(response, log).length > 0,
  );
}

function signatureOf(reading: Reading): string {
  const { response } = reading;
  if (response === undefined) return '';
  return `${mediaTypeOf(response)} ${headerOf(response, 'server') ?? ''} ${skeletonOf(reading)}`;
}

function tell(readings: readonly Reading[]): string {
  const [first] = readings;
  const responses = readings.flatMap(({ response }) => response ?? []);
  const statuses = listWords(responses.map(({ status }) => String(status)).toSorted());
  const servers = responses.flatMap((response) => headerOf(response, 'server') ?? []);
  const server = servers.length === 0 ? '' : `, Server ${listWords(servers)}`;
  const form = first === undefined ? '' : describeForm(first);
  return `${agree(readings.length, 'response', 'looks', 'look')} like a proxy's or a framework's own, not the service's (${statuses}): ${form}${server}, without the rate-limit headers.`;
}
