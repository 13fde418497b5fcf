import { isCrash, quotaHeadersOf, type Log, type Reading } from './reading.ts';
import { mediaTypeOf } from './response-form.ts';

/**
 * A refusal that the service itself did not write: it is not of the error shape and carries none of
 * its headers; where no response carries them, its type is not JSON either.
 */
export function isForeign(reading: Reading, log: Log): boolean {
  const { response, body } = reading;
  if (response === undefined || isCrash(reading) || response.status < 300) return false;
  if (quotaHeadersOf(response, log.contract).length > 0) return false;
  const issues = body === undefined ? 1 : (log.contract.error?.schema.validate(body).length ?? 0);
  return issues > 0 && (log.hasQuotaHeaders || mediaTypeOf(response) !== 'application/json');
}
