import type { ListQuery, Refusal, ServiceBehaviour } from '../service/behaviour.ts';
import { createRefusal, isRefusal } from '../service/behaviour.ts';
import { seedPets } from '../service/inventory.ts';
import type { Pet, PetStatus } from '../service/pet.ts';
import { petStatuses } from '../service/pet.ts';
import { filterByStatus, orderById, readListQuery } from '../service/selection.ts';
import type { Mutant } from '../subject/mutant.ts';

type Requirements = readonly [string, ...string[]];

const bound: Requirements = ['listPets/parameter.limit.bound'];
const filled: Requirements = ['listPets/parameter.limit.filled'];
/** A list that stops short of its limit lacks pets of every kind. */
const cut: Requirements = [
  'listPets/state.listed',
  ...filled,
  'listPets/parameter.status.filter',
  'createPet/concurrency.stored',
];
const byDefault: Requirements = ['listPets/parameter.limit.default'];
const filter: Requirements = ['listPets/parameter.status.filter'];

/** Query parameters of the list that are ignored, misread or refused. */
export const parameterMutants: readonly Mutant[] = [
  ...limitMutants(),
  ...defaultMutants(),
  ...refusedParameters(),
  ...statusMutants(),
];

/**
 * Enough pets that neither 20 nor 50 is all, and few enough that 100 leaves room for a run's own.
 */
function manyPets(): readonly Pet[] {
  return seedPets(60);
}

/**
 * A service that gives another meaning to the limit that was sent; undefined stands for none sent.
 */
function readingLimit(read: (sent: number | undefined) => number): Partial<ServiceBehaviour> {
  const readQuery = (query: URLSearchParams): ListQuery | Refusal => {
    const plain = readListQuery(query);
    return isRefusal(plain)
      ? plain
      : { ...plain, limit: read(query.has('limit') ? plain.limit : undefined) };
  };
  return { readListQuery: readQuery, seed: manyPets };
}

function limitMutants(): readonly Mutant[] {
  const ways: readonly (readonly [
    id: string,
    breaks: Requirements,
    summary: string,
    read: (sent: number) => number,
  ])[] = [
    [
      'limit-unknown',
      [...bound, ...cut],
      'The parameter has another name in the code: every list has up to 20 pets.',
      () => 20,
    ],
    [
      'limit-ignored',
      bound,
      'A limit that was sent is not looked at: every pet is listed.',
      () => Infinity,
    ],
    [
      'limit-plus-one',
      bound,
      'One pet more than the limit is listed: the one fetched to see whether there are more.',
      (sent) => sent + 1,
    ],
    [
      'limit-minus-one',
      [...filled, 'listPets/parameter.status.filter'],
      'The limit is taken as the index of the last pet, exclusive of it.',
      (sent) => sent - 1,
    ],
    [
      'limit-rounded-up',
      bound,
      'The limit is rounded up to whole pages of ten.',
      (sent) => Math.ceil(sent / 10) * 10,
    ],
    [
      'limit-at-least-five',
      bound,
      'A limit below five is raised to five.',
      (sent) => Math.max(5, sent),
    ],
    [
      'limit-first-digits',
      cut,
      'Only the first two digits of the limit are read, so that 100 is 10.',
      (sent) => Number(String(sent).slice(0, 2)),
    ],
    [
      'limit-capped-at-20',
      cut,
      'A limit above the default is cut to the default.',
      (sent) => Math.min(20, sent),
    ],
    ['limit-capped-at-50', cut, 'A limit above 50 is cut to 50.', (sent) => Math.min(50, sent)],
    [
      'limit-100-as-one',
      cut,
      'A limit of 100 is read as 100 percent, which is 1.',
      (sent) => (sent === 100 ? 1 : sent),
    ],
  ];
  return ways.map(([id, breaks, summary, read]) => ({
    id,
    breaks,
    summary,
    behaviour: () => readingLimit((sent) => (sent === undefined ? 20 : read(sent))),
  }));
}

function defaultMutants(): readonly Mutant[] {
  const defaults: readonly (readonly [id: string, value: number])[] = [
    ['1', 1],
    ['10', 10],
    ['19', 19],
    ['21', 21],
    ['25', 25],
    ['50', 50],
    ['none', Infinity],
  ];
  return defaults.map(([id, value]) => ({
    id: `limit-default-${id}`,
    breaks: byDefault,
    summary: `A list without a limit has up to ${value} pets instead of 20.`,
    behaviour: () => readingLimit((sent) => sent ?? value),
  }));
}

/** A service that refuses, or falls over, some lawful queries. */
function refusing(
  isRefused: (query: ListQuery) => boolean,
  status: 400 | 500,
): Partial<ServiceBehaviour> {
  const readQuery = (query: URLSearchParams): ListQuery | Refusal => {
    const plain = readListQuery(query);
    if (isRefusal(plain) || !isRefused(plain)) return plain;
    return createRefusal(
      status,
      status === 400 ? 'invalid_parameter' : 'internal_error',
      'The query cannot be read.',
    );
  };
  return { readListQuery: readQuery };
}

function refusedParameters(): readonly Mutant[] {
  const queries: readonly (readonly [
    id: string,
    requirement: string,
    summary: string,
    isRefused: (query: ListQuery) => boolean,
  ])[] = [
    [
      'limit-100',
      'listPets/parameter.limit.maximum',
      'A limit of 100',
      ({ limit }) => limit === 100,
    ],
    ['limit-1', 'listPets/parameter.limit.minimum', 'A limit of 1', ({ limit }) => limit === 1],
    ...petStatuses.map(
      (each) =>
        [
          `status-${each}`,
          'listPets/parameter.status.values',
          `The filter status=${each}`,
          ({ status }: ListQuery) => status === each,
        ] as const,
    ),
  ];
  return [
    ...([400, 500] as const).flatMap((status) =>
      queries.map(([id, requirement, summary, isRefused]): Mutant => ({
        id: `parameter-${id}-${status}`,
        breaks:
          status === 400 ? [requirement] : [requirement, 'listPets/robustness.no-server-error'],
        summary: `${summary} is answered ${status}.`,
        behaviour: () => refusing(isRefused, status),
      })),
    ),
    {
      id: 'parameter-limit-uneven-400',
      breaks: ['listPets/status.200'],
      summary: 'A limit has to be 1 or a multiple of five.',
      behaviour: () => refusing(({ limit }) => limit > 1 && limit % 5 !== 0, 400),
    },
  ];
}

function statusMutants(): readonly Mutant[] {
  const filters: readonly (readonly [
    id: string,
    summary: string,
    keep: (pets: readonly Pet[], status: PetStatus) => readonly Pet[],
  ])[] = [
    ['ignored', 'is not looked at', (pets) => pets],
    ...petStatuses.map(
      (each) =>
        [
          `${each}-ignored`,
          `is not looked at where it is ${each}`,
          (pets: readonly Pet[], status: PetStatus) =>
            status === each ? pets : filterByStatus(pets, status),
        ] as const,
    ),
    [
      'pending-as-available',
      'is mapped wrong: pending gives the available pets',
      (pets, status) => filterByStatus(pets, status === 'pending' ? 'available' : status),
    ],
    [
      'inverted',
      'is inverted: it keeps the pets of other statuses',
      (pets, status) => pets.filter((pet) => pet.status !== undefined && pet.status !== status),
    ],
    [
      'available-as-not-sold',
      'gives the pending pets too where it is available',
      (pets, status) =>
        status === 'available'
          ? pets.filter((pet) => pet.status === 'available' || pet.status === 'pending')
          : filterByStatus(pets, status),
    ],
    ['finds-nothing', 'is compared in capitals and finds nothing', () => []],
    [
      'drops-newest',
      'drops the newest match',
      (pets, status) => filterByStatus(pets, status).slice(0, -1),
    ],
    [
      'drops-oldest',
      'drops the oldest match, as an offset from 1 has it',
      (pets, status) => filterByStatus(pets, status).slice(1),
    ],
    [
      'one-too-many',
      'lets the pet after the last match through',
      (pets, status) =>
        pets.filter(
          (pet, index) =>
            pet.status === status ||
            (pets[index - 1]?.status === status && index === pets.length - 1) ||
            (index === 0 && status !== 'sold'),
        ),
    ],
    [
      'first-page-only',
      'is applied to the first 20 pets only',
      (pets, status) => filterByStatus(orderById(pets).slice(0, 20), status),
    ],
    [
      'old-index',
      'is looked up in an index made at the start, without the pets added since',
      (pets, status) => filterByStatus(pets, status).filter((pet) => pet.id <= 60n),
    ],
  ];
  return [
    ...filters.map(([id, summary, keep]): Mutant => ({
      id: `status-filter-${id}`,
      breaks: filter,
      summary: `The status filter ${summary}.`,
      behaviour: () => ({ filter: keep, seed: manyPets }),
    })),
    {
      id: 'status-filter-after-limit',
      breaks: filter,
      summary:
        'The limit is applied before the status filter, so that matches beyond the first pets are lost.',
      behaviour: () => ({
        select: (pets, { limit, status }, _call, all) =>
          status === undefined
            ? all.order(pets).slice(0, limit)
            : all.filter(all.order(pets).slice(0, limit), status),
      }),
    },
    {
      id: 'status-filter-without-limit',
      breaks: bound,
      summary: 'The limit is ignored where a status is given, which is another query in the code.',
      behaviour: () => ({
        select: (pets, { limit, status }, _call, all) =>
          status === undefined
            ? all.order(pets).slice(0, limit)
            : all.order(all.filter(pets, status)),
      }),
    },
    {
      id: 'status-filter-default-limit',
      breaks: filter,
      summary: 'Where a status is given, the limit is always 20.',
      behaviour: () => ({
        seed: manyPets,
        select: (pets, { limit, status }, _call, all) =>
          status === undefined
            ? all.order(pets).slice(0, limit)
            : all.order(all.filter(pets, status)).slice(0, Math.min(limit, 20)),
      }),
    },
  ];
}
