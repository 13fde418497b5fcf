import {
  type Parts,
  type ListQuery,
  type Refusal,
  createRefusal,
  isRefusal,
} from '../service/behaviour.ts';
import { seedPets } from '../service/inventory.ts';
import { type Pet, type PetStatus, petStatuses } from '../service/pet.ts';
import { filterByStatus, orderById, readListQuery } from '../service/selection.ts';
import { type Mutant, createMutants, createMutant, mapWays, type Ways } from '../subject/mutant.ts';

/** Enough pets that neither 20 nor 50 is all, and 100 leaves room for a run's own. */
const manyPets = (): readonly Pet[] => seedPets(60);

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

/** Gives another meaning to the limit that was sent; undefined stands for none. */
function readingLimit(read: (sent: number | undefined) => number): Parts {
  const readQuery = (query: URLSearchParams): ListQuery | Refusal => {
    const plain = readListQuery(query);
    return isRefusal(plain)
      ? plain
      : { ...plain, limit: read(query.has('limit') ? plain.limit : undefined) };
  };
  return { readListQuery: readQuery, seed: manyPets };
}

function limitMutants(): readonly Mutant[] {
  const cases: readonly (readonly [Requirements, Ways<(sent: number) => number>])[] = [
    [
      [...bound, ...cut],
      {
        'limit-unknown': [
          'The parameter has another name in the code: every list has up to 20 pets.',
          () => 20,
        ],
      },
    ],
    [
      bound,
      {
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
        'limit-at-least-five': [
          'A limit below five is raised to five.',
          (sent) => Math.max(5, sent),
        ],
      },
    ],
    [
      [...filled, 'listPets/parameter.status.filter'],
      {
        'limit-minus-one': [
          'The limit is taken as the index of the last pet, exclusive of it.',
          (sent) => sent - 1,
        ],
      },
    ],
    [
      cut,
      {
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
      },
    ],
  ];
  return cases.flatMap(([breaks, ways]) =>
    mapWays(ways, (id, summary, read) => {
      const behaviour = readingLimit((sent) => (sent === undefined ? 20 : read(sent)));
      return createMutant(id, breaks, summary, behaviour);
    }),
  );
}

function defaultMutants(): readonly Mutant[] {
  return [1, 10, 19, 21, 25, 50, Infinity].map((value) =>
    createMutant(
      `limit-default-${value === Infinity ? 'none' : value}`,
      byDefault,
      `A list without a limit has up to ${value} pets instead of 20.`,
      readingLimit((sent) => sent ?? value),
    ),
  );
}

function refusing(isRefused: (query: ListQuery) => boolean, status: 400 | 500): Parts {
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

type RefusedQuery = readonly [
  id: string,
  requirement: string,
  words: string,
  isRefused: (query: ListQuery) => boolean,
];

function refusedParameters(): readonly Mutant[] {
  const maximum = 'listPets/parameter.limit.maximum';
  const minimum = 'listPets/parameter.limit.minimum';
  const queries: readonly RefusedQuery[] = [
    ['limit-100', maximum, 'A limit of 100', ({ limit }) => limit === 100],
    ['limit-1', minimum, 'A limit of 1', ({ limit }) => limit === 1],
    ...petStatuses.map((each): RefusedQuery => [
      `status-${each}`,
      'listPets/parameter.status.values',
      `The filter status=${each}`,
      ({ status }) => status === each,
    ]),
  ];
  return [
    ...([400, 500] as const).flatMap((status) =>
      queries.map(([id, requirement, words, isRefused]) =>
        createMutant(
          `parameter-${id}-${status}`,
          [requirement, ...(status === 400 ? [] : ['listPets/robustness.no-server-error'])],
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
}

type Filter = (pets: readonly Pet[], status: PetStatus) => readonly Pet[];

function statusMutants(): readonly Mutant[] {
  const filters: Ways<Filter> = {
    ignored: ['is not looked at', (pets) => pets],
    ...Object.fromEntries(
      petStatuses.map((each) => [
        `${each}-ignored`,
        [
          `is not looked at where it is ${each}`,
          (pets: readonly Pet[], status: PetStatus) =>
            status === each ? pets : filterByStatus(pets, status),
        ] as const,
      ]),
    ),
    'pending-as-available': [
      'is mapped wrong: pending gives the available pets',
      (pets, status) => filterByStatus(pets, status === 'pending' ? 'available' : status),
    ],
    inverted: [
      'is inverted: it keeps the pets of other statuses',
      (pets, status) => pets.filter((pet) => pet.status !== undefined && pet.status !== status),
    ],
    'available-as-not-sold': [
      'gives the pending pets too where it is available',
      (pets, status) =>
        status === 'available'
          ? pets.filter((pet) => pet.status === 'available' || pet.status === 'pending')
          : filterByStatus(pets, status),
    ],
    'finds-nothing': ['is compared in capitals and finds nothing', () => []],
    'drops-newest': [
      'drops the newest match',
      (pets, status) => filterByStatus(pets, status).slice(0, -1),
    ],
    'drops-oldest': [
      'drops the oldest match, as an offset from 1 has it',
      (pets, status) => filterByStatus(pets, status).slice(1),
    ],
    'one-too-many': [
      'lets the pet after the last match through',
      (pets, status) =>
        pets.filter(
          (pet, index) =>
            pet.status === status ||
            (pets[index - 1]?.status === status && index === pets.length - 1) ||
            (index === 0 && status !== 'sold'),
        ),
    ],
    'first-page-only': [
      'is applied to the first 20 pets only',
      (pets, status) => filterByStatus(orderById(pets).slice(0, 20), status),
    ],
    'old-index': [
      'is looked up in an index made at the start, without the pets added since',
      (pets, status) => filterByStatus(pets, status).filter((pet) => pet.id <= 60n),
    ],
  };
  return [
    ...mapWays(filters, (id, words, keep) =>
      createMutant(`status-filter-${id}`, filter, `The status filter ${words}.`, {
        filter: keep,
        seed: manyPets,
      }),
    ),
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
}
