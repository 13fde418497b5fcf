import type { RateLimitPolicy } from '../openapi/rate-limit.ts';
import { type Drafts, type RateLimitFacet, draftsOf } from './requirement.ts';

const sentences: readonly (readonly [RateLimitFacet, string])[] = [
  [
    'headers',
    'A response with a status that the operation does not list also has the rate-limit headers.',
  ],
  ['remaining-within-limit', 'Remaining is never greater than Limit.'],
  ['remaining-counts', 'Remaining decreases as requests are made in one window.'],
  ['remaining-monotonic', 'Remaining never increases within one window.'],
  ['reset-plausible', 'Reset is the end of the current window, as a Unix time in seconds.'],
  ['plan', 'Limit is the limit that the plan of the key has for one of the windows.'],
  ['exceeded', 'A request over the limit gets a 429, and no request before it does.'],
  [
    'retry-after',
    'Retry-After of a 429 says when to try again, and a request sent then is served.',
  ],
  ['returns', 'After Reset, the requests of the window are available again.'],
];

/** The arithmetic of the rate-limit headers, and the limit itself. */
export function* listRateLimitRequirements(policy: RateLimitPolicy | undefined): Drafts {
  if (!policy) return;
  const draft = draftsOf({ id: '*', pointer: policy.pointer });
  for (const [facet, sentence] of sentences) yield draft({ kind: 'rate-limit', facet }, sentence);
}
