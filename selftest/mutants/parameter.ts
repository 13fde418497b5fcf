import {
  type ListQuery,
  type Parts,
  type Refusal,
  createRefusal,
  isRefusal,
} from '../service/behaviour.ts';
import { seedPets } from '../service/inventory.ts';
import { type Pet, type PetStatus } from '../service/pet.ts';
import { filterByStatus, orderById, readListQuery } from '../service/selection.ts';
import {
  type Mutant,
  type Requirements,
  createMutant,
  createMutants,
  listMutants,
} from '../subject/mutant.ts';

/** Enough pets that neither 20 nor 50 is all, and 100 leaves room for a run's own. */
const manyPets = (): readonly Pet[] => seedPets(60);

const bound: Requirements = ['listPets/parameter.limit.bound'];
const filled: Requirements = ['listPets/parameter.limit.filled'];
/** A list that stops short of its limit lacks pets of every kind. */
const cut: Requirements = [
  'listPets/state.listed',
  ...filled,
  'listPets/parameter.status.filter',
  'createPet/concurrency.stored',
];
const filter: Requirements = ['listPets/parameter.status.filter'];

/** Reads the queries that keep the contract otherwise. */
function rereading(read: (plain: ListQuery, query: URLSearchParams) => ListQuery | Refusal): Parts {
  return {
    readListQuery: (query) => {
      const plain = readListQuery(query);
      return isRefusal(plain) ? plain : read(plain, query);
    },
  };
}

/** Gives another meaning to the limit that was sent; undefined stands for none. */
function readingLimit(read: (sent: number | undefined) => number): Parts {
  return {
    ...rereading((plain, query) => ({
      ...plain,
      limit: read(query.has('limit') ? plain.limit : undefined),
    })),
    seed: manyPets,
  };
}

function readingSent(read: (sent: number) => number): Parts {
  return readingLimit((sent) => (sent === undefined ? 20 : read(sent)));
}

const limitMutants: readonly Mutant[] = [
  ...listMutants('', [...bound, ...cut], readingSent, {
    'limit-unknown': [
      'The parameter has another name in the code: every list has up to 20 pets.',
      () => 20,
    ],
  }),
  ...listMutants('', bound, readingSent, {
    'limit-ignored': [
      'A limit that was sent is not looked at: every pet is listed.',
      () => Infinity,
    ],
    'limit-plus-one': [
      'One pet more than the limit is listed: the one fetched to see whether there are more.',
      (sent) => sent + 1,
    ],
    'limit-rounded-up': [
      'The limit is rounded up to whole pages of ten.',
      (sent) => Math.ceil(sent / 10) * 10,
    ],
    'limit-at-least-five': ['A limit below five is raised to five.', (sent) => Math.max(5, sent)],
  }),
  ...listMutants('', [...filled, ...filter], readingSent, {
    'limit-minus-one': [
      'The limit is taken as the index of the last pet, exclusive of it.',
      (sent) => sent - 1,
    ],
  }),
  ...listMutants('', cut, readingSent, {
    'limit-first-digits': [
      'Only the first two digits of the limit are read, so that 100 is 10.',
      (sent) => Number(String(sent).slice(0, 2)),
    ],
    'limit-capped-at-20': [
      'A limit above the default is cut to the default.',
      (sent) => Math.min(20, sent),
    ],
    'limit-capped-at-50': ['A limit above 50 is cut to 50.', (sent) => Math.min(50, sent)],
    'limit-100-as-one': [
      'A limit of 100 is read as 100 percent, which is 1.',
      (sent) => (sent === 100 ? 1 : sent),
    ],
  }),
  ...[1, 10, 19, 21, 25, 50, Infinity].map((value) =>
    createMutant(
      `limit-default-${value === Infinity ? 'none' : value}`,
      ['listPets/parameter.limit.default'],
      `A list without a limit has up to ${value} pets instead of 20.`,
      readingLimit((sent) => sent ?? value),
    ),
  ),
];

type IsRefused = (query: ListQuery) => boolean;

function refusing(isRefused: IsRefused, status: 400 | 500): Parts {
  const code = status === 400 ? 'invalid_parameter' : 'internal_error';
  const refusal = createRefusal(status, code, 'The query cannot be read.');
  return rereading((query) => (isRefused(query) ? refusal : query));
}

/** Queries by the rest of the id: the facet of their parameter, what they are, which they are. */
const refusedQueries: Readonly<Record<string, readonly [string, string, IsRefused]>> = {
  'limit-100': ['limit.maximum', 'A limit of 100', ({ limit }) => limit === 100],
  'limit-1': ['limit.minimum', 'A limit of 1', ({ limit }) => limit === 1],
  'status-available': ['status.values', 'The filter status=available', withStatus('available')],
  'status-pending': ['status.values', 'The filter status=pending', withStatus('pending')],
  'status-sold': ['status.values', 'The filter status=sold', withStatus('sold')],
};

function withStatus(wanted: PetStatus): IsRefused {
  return ({ status }) => status === wanted;
}

const refusedParameters: readonly Mutant[] = [
  ...([400, 500] as const).flatMap((status) =>
    Object.entries(refusedQueries).map(([id, [facet, words, isRefused]]) =>
      createMutant(
        `parameter-${id}-${status}`,
        [
          `listPets/parameter.${facet}`,
          ...(status === 400 ? [] : ['listPets/robustness.no-server-error']),
        ],
        `${words} is answered ${status}.`,
        refusing(isRefused, status),
      ),
    ),
  ),
  createMutant(
    'parameter-limit-uneven-400',
    ['listPets/status.200'],
    'A limit has to be 1 or a multiple of five.',
    refusing(({ limit }) => limit > 1 && limit % 5 !== 0, 400),
  ),
];

type Filter = (pets: readonly Pet[], status: PetStatus) => readonly Pet[];

const ignoring =
  (ignored: PetStatus): Filter =>
  (pets, status) =>
    status === ignored ? pets : filterByStatus(pets, status);

const filtering = (filter: Filter): Parts => ({ filter, seed: manyPets });

const statusMutants: readonly Mutant[] = [
  ...listMutants('status-filter-', filter, filtering, {
    ignored: ['The status filter is not looked at.', (pets) => pets],
    'available-ignored': [
      'The status filter is not looked at where it is available.',
      ignoring('available'),
    ],
    'pending-ignored': [
      'The status filter is not looked at where it is pending.',
      ignoring('pending'),
    ],
    'sold-ignored': ['The status filter is not looked at where it is sold.', ignoring('sold')],
    'pending-as-available': [
      'The status filter is mapped wrong: pending gives the available pets.',
      (pets, status) => filterByStatus(pets, status === 'pending' ? 'available' : status),
    ],
    inverted: [
      'The status filter is inverted: it keeps the pets of other statuses.',
      (pets, status) => pets.filter((pet) => pet.status !== undefined && pet.status !== status),
    ],
    'available-as-not-sold': [
      'The status filter gives the pending pets too where it is available.',
      (pets, status) =>
        status === 'available'
          ? pets.filter((pet) => pet.status === 'available' || pet.status === 'pending')
          : filterByStatus(pets, status),
    ],
    'finds-nothing': ['The status filter is compared in capitals and finds nothing.', () => []],
    'drops-newest': [
      'The status filter drops the newest match.',
      (pets, status) => filterByStatus(pets, status).slice(0, -1),
    ],
    'drops-oldest': [
      'The status filter drops the oldest match, as an offset from 1 has it.',
      (pets, status) => filterByStatus(pets, status).slice(1),
    ],
    'one-too-many': [
      'The status filter lets the pet after the last match through.',
      (pets, status) =>
        pets.filter(
          (pet, index) =>
            pet.status === status ||
            (pets[index - 1]?.status === status && index === pets.length - 1) ||
            (index === 0 && status !== 'sold'),
        ),
    ],
    'first-page-only': [
      'The status filter is applied to the first 20 pets only.',
      (pets, status) => filterByStatus(orderById(pets).slice(0, 20), status),
    ],
    'old-index': [
      'The status filter is looked up in an index made at the start, without the pets added since.',
      (pets, status) => filterByStatus(pets, status).filter((pet) => pet.id <= 60n),
    ],
  }),
  ...createMutants(filter, {
    'status-filter-after-limit': [
      'The limit is applied before the status filter, so that matches beyond the first pets are lost.',
      {
        select: (pets, { limit, status }, _call, all) =>
          status === undefined
            ? all.order(pets).slice(0, limit)
            : all.filter(all.order(pets).slice(0, limit), status),
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
      bound,
    ],
    'status-filter-default-limit': [
      'Where a status is given, the limit is always 20.',
      {
        seed: manyPets,
        select: (pets, { limit, status }, _call, all) =>
          status === undefined
            ? all.order(pets).slice(0, limit)
            : all.order(all.filter(pets, status)).slice(0, Math.min(limit, 20)),
      },
    ],
  }),
];

/** Query parameters of the list that are ignored, misread or refused. */
export const parameterMutants: readonly Mutant[] = [
  ...limitMutants,
  ...refusedParameters,
  ...statusMutants,
];
