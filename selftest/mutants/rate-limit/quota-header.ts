import type { Call, Parts, Quota } from '../../service/behaviour.ts';
import { plain } from '../../service/plain.ts';
import { type Requirements, requirementsOf } from '../../subject/mutant.ts';
import { errorPlaces, everyOperation, petPlaces, requirementsAt } from '../../subject/place.ts';

export const quotaHeaders = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const;

/** The name of a header that tells the caller's limit. */
type QuotaHeader = (typeof quotaHeaders)[number];

/** The service with other values told than those that its limiter keeps. */
export function tellOtherwise(change: (quota: Quota, call: Call) => Partial<Quota>): Parts {
  return { tellQuota: (quota, _status, call) => ({ ...quota, ...change(quota, call) }) };
}

/** The service with the text of one header made from the quota. */
export function writeHeader(name: QuotaHeader, write: (quota: Quota) => string): Parts {
  return {
    rateLimitHeaders: (quota, ...others) => ({
      ...plain.rateLimitHeaders(quota, ...others),
      [name]: write(quota),
    }),
  };
}

/** The requirements on a header in each kind of response but 429: a wrong form breaks them all. */
export function everywhere(name: QuotaHeader): Requirements {
  return requirementsOf(
    [...petPlaces, ...errorPlaces].flatMap((place) => requirementsAt(place, `header.${name}`)),
  );
}

/** The requirements on headers of a 429, of every operation. */
export function onEveryRefusal(...names: readonly (QuotaHeader | 'Retry-After')[]): Requirements {
  return requirementsOf(names.flatMap((name) => everyOperation(`response.429.header.${name}`)));
}
