import type { RateLimitPolicy } from '../openapi/rate-limit.ts';
import { type Drafts, type RateLimitFacet, draftsOf } from './requirement.ts';

const sentences: readonly (readonly [RateLimitFacet, string])[] = [
  [
    'headers',
    'A response of a status that the operation does not list carries the rate-limit headers too.',
  ],
  ['remaining-within-limit', 'Remaining is never above Limit.'],
  ['remaining-counts', 'Remaining goes down as requests are made in one window.'],
  ['remaining-monotonic', 'Remaining never goes up within one window.'],
  ['reset-plausible', 'Reset is a Unix time in seconds, at the end of the current window.'],
  ['plan', 'Limit is what the plan of the key gives for one of the windows.'],
  ['exceeded', 'A request over the limit is answered 429, and none before.'],
  [
    'retry-after',
    'A 429 says in Retry-After when to try again, and a request made then is served.',
  ],
  ['returns', 'After Reset the requests of the window are there again.'],
];

/** The arithmetic of the rate-limit headers, and the limit itself. */
export function* listRateLimitRequirements(policy: RateLimitPolicy | undefined): Drafts {
  if (!policy) return;
  const draft = draftsOf({ id: '*', pointer: policy.pointer });
  for (const [facet, sentence] of sentences) yield draft({ kind: 'rate-limit', facet }, sentence);
}
