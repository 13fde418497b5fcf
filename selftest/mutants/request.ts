import {
  type Call,
  type Parts,
  type ServiceResponse,
  createRefusal,
  isRefusal,
} from '../service/behaviour.ts';
import { seedPets } from '../service/inventory.ts';
import { isRecord } from '../service/json.ts';
import { filterByStatus, orderById, readListQuery } from '../service/selection.ts';
import {
  type Mutant,
  type Requirements,
  createMutants,
  requirementsOf,
} from '../subject/mutant.ts';
import {
  errorPlaces,
  everyOperation,
  fallen,
  isAt,
  listed,
  notFound,
  petPlaces,
  type Place,
  refused,
  requirementsAt,
  unauthorized,
} from '../subject/place.ts';
import { changeResponse, leaveOut } from '../subject/response-change.ts';
import { quotaHeaders } from './rate-limit.ts';

/** Enough pets that neither 20 nor 50 is all, and 100 leaves room for a run's own. */
const manyPets: Parts = { seed: () => seedPets(60) };

/** Gives another meaning to the limit that was sent. */
function readingLimit(read: (limit: number, isSent: boolean) => number): Parts {
  return {
    ...manyPets,
    readListQuery: (query) => {
      const plain = readListQuery(query);
      return isRefusal(plain) ? plain : { ...plain, limit: read(plain.limit, query.has('limit')) };
    },
  };
}

/** Query parameters of the list that are misread, and lists that fail for some of them. */
const parameters: readonly Mutant[] = createMutants(['listPets/parameter.status.filter'], {
  'limit-unknown': [
    'The parameter has another name in the code: every list has up to 20 pets.',
    readingLimit(() => 20),
    [
      'listPets/parameter.limit.bound',
      'listPets/state.listed',
      'listPets/parameter.limit.filled',
      'listPets/parameter.status.filter',
      'createPet/concurrency.stored',
    ],
  ],
  'limit-default-50': [
    'A list without a limit has up to 50 pets instead of 20.',
    readingLimit((limit, isSent) => (isSent ? limit : 50)),
    ['listPets/parameter.limit.default'],
  ],
  'parameter-limit-uneven-400': [
    'A limit has to be 1 or a multiple of five.',
    {
      readListQuery: (query) => {
        const plain = readListQuery(query);
        return !isRefusal(plain) && plain.limit > 1 && plain.limit % 5 !== 0
          ? createRefusal(400, 'invalid_parameter', 'The query cannot be read.')
          : plain;
      },
    },
    ['listPets/status.200'],
  ],
  'status-filter-first-page-only': [
    'The status filter is applied to the first 20 pets only.',
    {
      ...manyPets,
      filter: (pets, status) => filterByStatus(orderById(pets).slice(0, 20), status),
    },
  ],
  'status-filter-old-index': [
    'The status filter is looked up in an index made at the start, without the pets added since.',
    {
      ...manyPets,
      filter: (pets, status) => filterByStatus(pets, status).filter((pet) => pet.id <= 60n),
    },
  ],
  'status-filter-after-limit': [
    'The limit is applied before the status filter, so that matches beyond the first pets are lost.',
    {
      select: (pets, { limit, status }, _call, all) => {
        const page = all.order(pets).slice(0, limit);
        return status === undefined ? page : all.filter(page, status);
      },
    },
  ],
  'status-filter-without-limit': [
    'The limit is ignored where a status is given, which is another query in the code.',
    {
      select: (pets, { limit, status }, _call, all) =>
        status === undefined
          ? all.order(pets).slice(0, limit)
          : all.order(all.filter(pets, status)),
    },
    ['listPets/parameter.limit.bound'],
  ],
  'list-500-pending': [
    'A list of pending pets fails: one constant is spelt wrongly.',
    failingAt(listed, 500, ({ target }) => target.includes('status=pending')),
    ['listPets/parameter.status.values', fallen.list],
  ],
});

/** The responses of a place have another status, in the body too where that is an error. */
function failingAt(place: Place, status: number, fits: (call: Call) => boolean): Parts {
  return {
    render: (response, call) => {
      if (!isAt(place, call, response.status) || !fits(call)) return response;
      const error = { code: 'internal_error', message: 'The service failed.' };
      const body = isRecord(response.body) && response.status >= 400 ? response.body : error;
      return { ...response, status, body: { ...body, status: BigInt(status) } };
    },
  };
}

/** The facets of a body whose violation has to be answered 400. */
const everyFacet = requirementsOf(
  [
    'required',
    'type',
    'name.required',
    'name.type',
    'categoryId.required',
    'categoryId.type',
    'categoryId.format',
    'status.type',
    'status.values',
  ].map((facet) => `createPet/request.body.${facet}`),
);

/** A body that is not JSON is refused as before: the document leaves its status open. */
function isObject({ body }: Call): boolean {
  const text = new TextDecoder().decode(body);
  return text === '' || !text.startsWith('{') || text.endsWith('}');
}

/** Requests that have to be refused, and unknown identifiers, with another status. */
const refusals: readonly Mutant[] = createMutants(everyFacet, {
  'refused-422': [
    'Every body that breaks the contract is answered 422 instead of 400.',
    failingAt(refused, 422, isObject),
  ],
  'refused-500': [
    'Every body that breaks the contract is answered 500 instead of 400.',
    failingAt(refused, 500, isObject),
    [...everyFacet, fallen.addition],
  ],
  'unauthorized-500-missing': [
    'The missing header is read all the same: 500 instead of 401.',
    failingAt(unauthorized, 500, ({ headers }) => headers.authorization === undefined),
    [...everyOperation('auth.missing'), ...Object.values(fallen)],
  ],
  'unauthorized-403-any': [
    'Every wrong credential is forbidden: 403 instead of 401.',
    failingAt(unauthorized, 403, () => true),
    [
      ...everyOperation('auth.missing'),
      ...everyOperation('auth.invalid'),
      '*/auth.exact',
      '*/auth.scheme',
    ],
  ],
  'absent-500-beyond-int32': [
    'An unknown id beyond 32 bits is answered 500: the column is too small.',
    failingAt(notFound, 500, ({ target }) => /\d{11,}$/.test(target)),
    ['getPet/status.404', fallen.single],
  ],
  'absent-400-beyond-double': [
    'An unknown id beyond 2^53 is answered 400, as no safe integer.',
    failingAt(notFound, 400, ({ target }) => /\d{17,19}$/.test(target)),
    ['getPet/status.404'],
  ],
  'list-204-if-empty': [
    'A list without pets is answered without a body.',
    {
      seed: () => [],
      ...changeResponse(listed, (response) =>
        Array.isArray(response.body) && response.body.length === 0
          ? { ...response, body: undefined, status: 204 }
          : response,
      ),
    },
    ['listPets/status.200'],
  ],
});

/** The requirements of the quota headers in all of these places. */
function headersOf(...places: readonly Place[]): Requirements {
  const [first = '', ...others] = quotaHeaders.map((header) => `header.${header}`);
  return requirementsOf(places.flatMap((place) => requirementsAt(place, first, ...others)));
}

/** The requirement of headers in responses that no operation lists. */
const unlisted = '*/rate-limit.headers';

function dropping(fits: (response: ServiceResponse, call: Call) => boolean): Parts {
  return {
    render: (response, call) =>
      fits(response, call)
        ? { ...response, headers: leaveOut(response.headers, ...quotaHeaders) }
        : response,
  };
}

/** Rate-limit headers that are missing from a kind of response, or misspelt. */
const headers: readonly Mutant[] = createMutants(headersOf(listed), {
  'headers-on-success-only': [
    'Errors carry no rate-limit headers: the error handler starts a new response.',
    dropping(({ status }) => status >= 400),
    [...headersOf(...errorPlaces), unlisted],
  ],
  'headers-not-on-not-found': [
    'A 404 carries no rate-limit headers: it comes from the fallback route.',
    dropping(({ status }) => status === 404),
    headersOf(notFound),
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
    [...headersOf(...petPlaces, ...errorPlaces), unlisted],
  ],
  'headers-not-on-filtered': [
    'A list with a filter carries no rate-limit headers: it comes from the search cluster.',
    dropping((_response, { target }) => /[?&]status=(?!unknown)/.test(target)),
    [...headersOf(listed), ...quotaHeaders.map((name) => `listPets/response.401.header.${name}`)],
  ],
  'headers-not-on-cached': [
    'A list that was asked for before carries no rate-limit headers: the cache in front strips them.',
    () => {
      const seen = new Set<string>();
      return dropping(({ status }, { target }) => {
        const again = status === 200 && target.includes('/pets?') && seen.has(target);
        if (status === 200) seen.add(target);
        return again;
      });
    },
  ],
});

/** Parameters that are misread, refusals with another status, headers that are missing. */
export const requestMutants: readonly Mutant[] = [...parameters, ...refusals, ...headers];
