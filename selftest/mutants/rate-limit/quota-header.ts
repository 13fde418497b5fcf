import type { Call, Quota } from '../../service/behaviour.ts';
import type { Mutant } from '../../subject/mutant.ts';

/** The name of a header that tells the caller's limit. */
export type QuotaHeader = 'X-RateLimit-Limit' | 'X-RateLimit-Remaining' | 'X-RateLimit-Reset';

/** The service with other values told than those that its limiter keeps. */
export function tellOtherwise(
  change: (quota: Quota, call: Call) => Partial<Quota>,
): Mutant['behaviour'] {
  return () => ({ tellQuota: (quota, _status, call) => ({ ...quota, ...change(quota, call) }) });
}

/** The service with the text of one header made from the quota. */
export function writeHeader(
  name: QuotaHeader,
  write: (quota: Quota, call: Call) => string,
): Mutant['behaviour'] {
  return () => ({
    rateLimitHeaders: (quota, _status, call) => ({
      'X-RateLimit-Limit': String(quota.limit),
      'X-RateLimit-Remaining': String(quota.remaining),
      'X-RateLimit-Reset': String(quota.reset),
      [name]: write(quota, call),
    }),
  });
}

/**
 * The requirements on a header in every response of an ordinary run: one in a wrong form breaks them
 * all.
 */
export function everywhere(name: QuotaHeader): Mutant['breaks'] {
  return [
    `listPets/response.200.header.${name}`,
    `listPets/response.401.header.${name}`,
    `createPet/response.201.header.${name}`,
    `createPet/response.400.header.${name}`,
    `createPet/response.401.header.${name}`,
    `getPet/response.200.header.${name}`,
    `getPet/response.401.header.${name}`,
    `getPet/response.404.header.${name}`,
  ];
}

/** The requirements on headers of a 429, of every operation. */
export function onEveryRefusal(
  ...names: readonly (QuotaHeader | 'Retry-After')[]
): Mutant['breaks'] {
  const [first = '', ...rest] = names.flatMap((name) =>
    ['listPets', 'createPet', 'getPet'].map((each) => `${each}/response.429.header.${name}`),
  );
  return [first, ...rest];
}
