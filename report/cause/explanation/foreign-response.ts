import { headerOf } from '../../../conformance/index.ts';
import { isCrash, type Log, type Reading } from '../log/reading.ts';
import { describeForm, mediaTypeOf, quotaHeadersOf, skeletonOf } from '../log/response-form.ts';
import { symptomsWithin, type Symptom } from '../log/symptom.ts';
import type { Claim } from '../claim/claim.ts';
import { agree, listWords } from '../claim/words.ts';

/**
 * Refusals that the service itself did not write: they are not of its form and carry none of its
 * headers, as those of a proxy in front or of the framework beneath.
 */
export function explainForeignResponses(symptoms: readonly Symptom[], log: Log): readonly Claim[] {
  const foreign = [...log.readings.values()].filter((reading) => isForeign(reading, log));
  return [...Map.groupBy(foreign, signatureOf).values()].flatMap((readings) => {
    const own = symptomsWithin(symptoms, readings);
    return own.length === 0
      ? []
      : [{ kind: 'foreign-response', sentence: tell(readings), symptoms: own }];
  });
}

/**
 * Not of the error shape or no JSON, and without the headers that other responses carry; where none
 * carries them, both.
 */
function isForeign(reading: Reading, log: Log): boolean {
  const { response, body } = reading;
  if (response === undefined || response.status < 300 || isCrash(reading)) return false;
  const schema = log.contract.error?.schema;
  const isOther = mediaTypeOf(response) !== 'application/json';
  const isMalformed = body === undefined || (schema?.validate(body).length ?? 0) > 0;
  if (!hasHeaders(log)) return isOther && isMalformed;
  return quotaHeadersOf(response, log).length === 0 && (isOther || isMalformed);
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
