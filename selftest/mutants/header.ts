import { leaveOut, changeHeaders } from '../subject/response-change.ts';
import type { Parts, Call, ServiceResponse } from '../service/behaviour.ts';
import {
  type Mutant,
  type Requirements,
  createMutant,
  createMutants,
  requirementsOf,
} from '../subject/mutant.ts';
import { quotaHeaders as names } from './rate-limit/quota-header.ts';
import {
  errorPlaces,
  listed,
  notFound,
  petPlaces,
  requirementsAt,
  refused,
  type Place,
} from '../subject/place.ts';

const limit = 'X-RateLimit-Limit';

/** Gateway and service both write the header. */
const repeatedMutants: readonly Mutant[] = [
  createMutant(
    'list-header-limit-twice',
    requirementsAt(listed, `header.${limit}`),
    `In a list, gateway and service both write ${limit}: "60, 100" in sum.`,
    changeHeaders(listed, (headers) => ({ ...headers, [limit.toLowerCase()]: '100' })),
  ),
];

/** The requirements of headers in all of these places. */
function headersOf(places: readonly Place[], headers: readonly string[] = names): Requirements {
  const facets = requirementsOf(headers.map((header) => `header.${header}`));
  return requirementsOf(places.flatMap((place) => requirementsAt(place, ...facets)));
}

/** The requirement of headers in responses that no operation lists. */
const unlisted = '*/rate-limit.headers';

function dropping(fits: (response: ServiceResponse, call: Call) => boolean): Parts {
  return {
    render: (response, call) =>
      fits(response, call)
        ? { ...response, headers: leaveOut(response.headers, ...names) }
        : response,
  };
}

const wideMutants = createMutants(headersOf([refused]), {
  'headers-on-success-only': [
    'Errors carry no rate-limit headers: the error handler starts a new response.',
    dropping(({ status }) => status >= 400),
    [...headersOf(errorPlaces), unlisted],
  ],
  'headers-not-on-malformed': [
    'The 400 for a body that is no JSON carries no rate-limit headers: the parser comes before the limiter.',
    dropping(
      ({ status }, { body }) => status === 400 && body.at(-1) !== 0x7d && body.at(0) === 0x7b,
    ),
  ],
  'headers-not-on-not-found': [
    'A 404 carries no rate-limit headers: it comes from the fallback route.',
    dropping(({ status }) => status === 404),
    headersOf([notFound]),
  ],
  'headers-standard': [
    'Rate-limit headers have their standard names, without `X-`.',
    {
      render: (response) => ({
        ...response,
        headers: Object.fromEntries(
          Object.entries(response.headers).map(([name, value]) => [name.replace('X-', ''), value]),
        ),
      }),
    },
    [...headersOf([...petPlaces, ...errorPlaces]), unlisted],
  ],
  'headers-not-on-unlisted': [
    'A 400 of a list carries no rate-limit headers: the parameters are checked before the limiter.',
    dropping(({ status }, { method }) => status === 400 && method === 'GET'),
    [unlisted],
  ],
  'headers-not-on-filtered': [
    'A list with a filter carries no rate-limit headers: it comes from the search cluster.',
    dropping((_response, { target }) => /[?&]status=(?!unknown)/.test(target)),
    [...headersOf([listed]), ...names.map((name) => `listPets/response.401.header.${name}`)],
  ],
});

/** The second answer to the same list comes from a cache that keeps no rate-limit headers. */
function caching(): Parts {
  const seen = new Set<string>();
  return dropping(({ status }, { target }) => {
    const again = status === 200 && target.includes('/pets?') && seen.has(target);
    if (status === 200) seen.add(target);
    return again;
  });
}

/** Rate-limit headers that are missing from a kind of response, misspelt or repeated. */
export const headerMutants: readonly Mutant[] = [
  ...repeatedMutants,
  ...wideMutants,
  createMutant(
    'headers-not-on-cached',
    headersOf([listed]),
    'A list that was asked for before carries no rate-limit headers: the cache in front strips them.',
    caching,
  ),
];
