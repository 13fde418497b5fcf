import {
  isRecord,
  seedPets,
  type Call,
  type ListQuery,
  type Refusal,
  type ServiceResponse,
  createRefusal,
  isRefusal,
  type Parts,
  plain,
} from '../service/service.ts';
import {
  type Place,
  changeResponse,
  leaveOut,
  type Mutant,
  createMutants,
} from '../subject/subject.ts';

function readingQuery(read: (query: ListQuery) => ListQuery | Refusal): Parts {
  return {
    readListQuery: (search) => {
      const query = plain.readListQuery(search);
      return isRefusal(query) ? query : read(query);
    },
  };
}

/** Some responses have another status, in the body too where that is an error. */
function failingAt(place: Place, status: number, fits: (call: Call) => boolean): Parts {
  return changeResponse(place, (response, call) => {
    if (!fits(call)) return response;
    const error = { code: 'internal_error', message: 'The service failed.' };
    const body = isRecord(response.body) && response.status >= 400 ? response.body : error;
    return { ...response, status, body: { ...body, status: BigInt(status) } };
  });
}

/** A body that is not JSON is refused as before: the document leaves its status open. */
function isObject({ body }: Call): boolean {
  const text = new TextDecoder().decode(body);
  return text === '' || !text.startsWith('{') || text.endsWith('}');
}

function withoutQuota(fits: (response: ServiceResponse) => boolean): Parts {
  return {
    render: (response) =>
      fits(response)
        ? {
            ...response,
            headers: leaveOut(
              response.headers,
              'X-RateLimit-Limit',
              'X-RateLimit-Remaining',
              'X-RateLimit-Reset',
            ),
          }
        : response,
  };
}

/** More pets than a list without a limit has. */
const manyPets: Parts = { seed: () => seedPets(60) };

const everyFacet =
  'createPet/request.body.{required,type,name.required,name.type,categoryId.required,categoryId.type,categoryId.format,status.type,status.values}';
const everyKey = '{listPets,createPet,getPet}/auth.missing';
const quota = 'header.X-RateLimit-{Limit,Remaining,Reset}';
const quotaOfErrors = `{createPet/response.400,listPets/response.401,createPet/response.401,getPet/response.401,getPet/response.404}.${quota} */rate-limit.headers`;

/** Parameters that are misread, refusals with another status, headers that are missing. */
export const requestMutants: readonly Mutant[] = [
  ...createMutants('listPets/parameter.status.filter', {
    'limit-unknown': [
      { ...manyPets, ...readingQuery((query) => ({ ...query, limit: 20 })) },
      'listPets/parameter.limit.bound listPets/state.listed listPets/parameter.limit.filled listPets/parameter.status.filter createPet/concurrency.stored',
    ],
    'status-filter-first-page-only': {
      ...manyPets,
      filter: (pets, status) => plain.filter(plain.order(pets).slice(0, 20), status),
    },
    'status-filter-after-limit': {
      select: (pets, { limit, status }, _call, all) => {
        const page = all.order(pets).slice(0, limit);
        return status === undefined ? page : all.filter(page, status);
      },
    },
    'status-filter-without-limit': [
      readingQuery((query) => (query.status === undefined ? query : { ...query, limit: Infinity })),
      'listPets/parameter.limit.bound',
    ],
    'list-500-pending': [
      failingAt('listPets 200', 500, ({ target }) => target.includes('status=pending')),
      'listPets/parameter.status.values listPets/robustness.no-server-error',
    ],
    'parameter-limit-uneven-400': [
      readingQuery((query) =>
        query.limit > 1 && query.limit % 5 !== 0
          ? createRefusal(400, 'invalid_parameter', 'The query cannot be read.')
          : query,
      ),
      'listPets/status.200',
      { needs: 'more' },
    ],
  }),
  ...createMutants(everyFacet, {
    'refused-422': failingAt('createPet 400', 422, isObject),
    'refused-500': [
      failingAt('createPet 400', 500, isObject),
      `${everyFacet} createPet/robustness.no-server-error`,
    ],
    'unauthorized-500-missing': [
      failingAt('* 401', 500, ({ headers }) => headers.authorization === undefined),
      `${everyKey} {listPets,createPet,getPet}/robustness.no-server-error`,
    ],
    'unauthorized-403-any': [
      failingAt('* 401', 403, () => true),
      `${everyKey} {listPets,createPet,getPet}/auth.invalid */auth.{exact,scheme}`,
    ],
    'absent-500-beyond-int32': [
      failingAt('getPet 404', 500, ({ target }) => /\d{11,}$/.test(target)),
      'getPet/status.404 getPet/robustness.no-server-error',
    ],
  }),
  ...createMutants(quotaOfErrors, {
    'headers-on-success-only': withoutQuota(({ status }) => status >= 400),
    'headers-not-on-not-found': [
      withoutQuota(({ status }) => status === 404),
      `getPet/response.404.${quota}`,
    ],
    'headers-standard': [
      {
        render: (response) => ({
          ...response,
          headers: Object.fromEntries(
            Object.entries(response.headers).map(([name, value]) => [
              name.replace('X-', ''),
              value,
            ]),
          ),
        }),
      },
      `{listPets/response.200,createPet/response.201,getPet/response.200}.${quota} ${quotaOfErrors}`,
    ],
  }),
];
