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
    'limit-rounded-up': [
      'The limit is rounded up to whole pages of ten.',
      (sent) => Math.ceil(sent / 10) * 10,
    ],
    'limit-at-least-five': ['A limit below five is raised to five.', (sent) => Math.max(5, sent)],
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
  }),
  ...[19, 50].map((value) =>
    createMutant(
      `limit-default-${value === Infinity ? 'none' : value}`,
      ['listPets/parameter.limit.default'],
      `A list without a limit has up to ${value} pets instead of 20.`,
      readingLimit((sent) => sent ?? value),
    ),
  ),
];

/** A limit that keeps the contract is refused. */
const refusedParameters: readonly Mutant[] = [
  createMutant(
    'parameter-limit-uneven-400',
    ['listPets/status.200'],
    'A limit has to be 1 or a multiple of five.',
    rereading((query) =>
      query.limit > 1 && query.limit % 5 !== 0
        ? createRefusal(400, 'invalid_parameter', 'The query cannot be read.')
        : query,
    ),
  ),
];

type Filter = (pets: readonly Pet[], status: PetStatus) => readonly Pet[];

const filtering = (filter: Filter): Parts => ({ filter, seed: manyPets });

const statusMutants: readonly Mutant[] = [
  ...listMutants('status-filter-', filter, filtering, {
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
    'drops-newest': [
      'The status filter drops the newest match.',
      (pets, status) => filterByStatus(pets, status).slice(0, -1),
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
