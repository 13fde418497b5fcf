import type { Call, ListQuery, ServiceBehaviour } from '../../service/behaviour.ts';
import { createRefusal } from '../../service/behaviour.ts';
import { listPets, refuse } from '../../service/operations.ts';
import type { Pet } from '../../service/pet.ts';
import { presentPet } from '../../service/pet.ts';
import { select } from '../../service/selection.ts';
import type { Mutant } from '../../subject/mutant.ts';

/** Changes the pets that a list has, after the plain selection. */
type Alter = (pets: readonly Pet[], query: ListQuery, call: Call) => readonly Pet[];

const listed = [
  'listPets/state.listed',
  'createPet/concurrency.stored',
  'listPets/parameter.limit.filled',
  'listPets/parameter.status.filter',
] as const;
const short = ['listPets/parameter.limit.filled', 'listPets/parameter.limit.default'] as const;

/** Lists that lose pets, show them twice or show an older state. */
export const listMutants: readonly Mutant[] = [
  ...hidings(),
  ...repetitions(),
  ...caches(),
  ...oddities(),
];

/** A service whose lists are selected as usual and altered then. */
function altering(alter: Alter): Partial<ServiceBehaviour> {
  return { select: (pets, query, call, all) => alter(select(pets, query, call, all), query, call) };
}

/** A service whose lists never see some pets. */
function hiding(
  isHidden: (pet: Pet, call: Call, query: ListQuery) => boolean,
): Partial<ServiceBehaviour> {
  return {
    select: (pets, query, call, all) =>
      select(
        pets.filter((pet) => !isHidden(pet, call, query)),
        query,
        call,
        all,
      ),
  };
}

function hidings(): readonly Mutant[] {
  const ways: readonly (readonly [
    id: string,
    summary: string,
    isHidden: (pet: Pet, call: Call, query: ListQuery) => boolean,
  ])[] = [
    [
      'added',
      'no pet that was added: they are read from a replica that stands still',
      ({ id }) => id > 8n,
    ],
    [
      'newest',
      'not the newest pet: its transaction is still open',
      ({ id }, { inventory }) => id === inventory.nextId - 1n,
    ],
    [
      'statusless',
      'no pet without a status, since NULL is in no set',
      ({ status }) => status === undefined,
    ],
    [
      'category-zero',
      'no pet of category 0, which is falsy',
      ({ categoryId }) => categoryId === 0n,
    ],
    ['category-negative', 'no pet of a negative category', ({ categoryId }) => categoryId < 0n],
    [
      'category-unknown',
      'no pet whose category has no row to join',
      ({ categoryId }) => categoryId < 0n || categoryId > 3n,
    ],
    ['long-name', 'no pet whose name is too long for the index', ({ name }) => name.length > 255],
    [
      'sold-unfiltered',
      'no sold pet unless they are asked for',
      ({ status }, _call, query) => status === 'sold' && query.status === undefined,
    ],
    ['padded-name', 'no pet whose name starts with a space', ({ name }) => name.startsWith(' ')],
  ];
  return ways.map(([id, summary, isHidden]) => ({
    id: `list-hides-${id}`,
    breaks: listed,
    summary: `Lists show ${summary}.`,
    behaviour: () => hiding(isHidden),
  }));
}

function repetitions(): readonly Mutant[] {
  const breaks = ['listPets/state.distinct'] as const;
  const ways: readonly (readonly [id: string, summary: string, alter: Alter])[] = [
    [
      'join',
      'A join shows the pets of one category twice.',
      (pets, { limit }) =>
        pets.flatMap((pet) => (pet.categoryId === 2n ? [pet, pet] : [pet])).slice(0, limit),
    ],
    [
      'last',
      'The last pet of a list that has room is shown twice.',
      (pets, { limit }) => [...pets, ...pets.slice(-1)].slice(0, limit),
    ],
    [
      'newest',
      'The newest pet comes from the cache and from the database.',
      (pets, { limit }, { inventory }) =>
        [...pets, ...pets.filter(({ id }) => id === inventory.nextId - 1n)].slice(0, limit),
    ],
    [
      'first',
      'The first pet fills a list that has room.',
      (pets, { limit }) => (pets.length < limit ? [...pets, ...pets.slice(0, 1)] : pets),
    ],
  ];
  return ways.map(([id, summary, alter]) => ({
    id: `list-repeats-${id}`,
    breaks,
    summary,
    behaviour: () => altering(alter),
  }));
}

/** A service that keeps lists by a name made of the query, until a pet is added or for good. */
function caching(
  nameOf: (query: ListQuery) => string,
  isCleared: boolean,
): Partial<ServiceBehaviour> {
  const saved = new Map<string, readonly Pet[]>();
  const read = (
    pets: readonly Pet[],
    query: ListQuery,
    call: Call,
    all: ServiceBehaviour,
  ): readonly Pet[] => {
    const name = `${nameOf(query)} ${isCleared ? call.inventory.pets.size : ''}`;
    const list = saved.get(name) ?? select(pets, query, call, all);
    saved.set(name, list);
    return list;
  };
  return { select: read };
}

function caches(): readonly Mutant[] {
  return [
    {
      id: 'list-cached-for-good',
      breaks: listed,
      summary: 'A list is cached by its query and never read again.',
      behaviour: () => caching(({ limit, status }) => `${limit} ${status ?? 'any'}`, false),
    },
    {
      id: 'list-cached-without-status',
      breaks: ['listPets/parameter.status.filter'],
      summary: 'The cache of lists leaves the status out of its key.',
      behaviour: () => caching(({ limit }) => String(limit), true),
    },
    {
      id: 'list-cached-without-limit',
      breaks: ['listPets/parameter.limit.bound', 'listPets/parameter.limit.default'],
      summary: 'The cache of lists leaves the limit out of its key.',
      behaviour: () => caching(({ status }) => status ?? 'any', true),
    },
    {
      id: 'list-cached-by-one-key',
      breaks: [
        'listPets/parameter.status.filter',
        'listPets/parameter.limit.bound',
        'listPets/parameter.limit.default',
      ],
      summary: 'The cache of lists has one entry, whatever the query, until a pet is added.',
      behaviour: () => caching(() => '', true),
    },
  ];
}

function oddities(): readonly Mutant[] {
  return [
    {
      id: 'list-loses-last',
      breaks: [...listed, 'listPets/parameter.limit.default'],
      summary: 'Every list ends one pet early, as an exclusive end has it.',
      behaviour: () => altering((pets) => pets.slice(0, -1)),
    },
    {
      id: 'list-loses-first',
      breaks: ['listPets/parameter.limit.filled', 'listPets/parameter.status.filter', ...short],
      summary: 'Every list starts at the second pet, as an offset counted from 1 has it.',
      behaviour: () => altering((pets) => pets.slice(1)),
    },
    {
      id: 'list-goes-on',
      breaks: ['listPets/parameter.status.filter', ...short, ...listed],
      summary: 'Each list goes on where the last one ended: the cursor is kept in the server.',
      behaviour: () => goingOn(),
    },
    {
      id: 'list-row-ids',
      breaks: ['getPet/state.readable', ...listed],
      summary: 'Lists show the number of the row instead of the id.',
      behaviour: () => ({ presentInList: (pet) => presentPet({ ...pet, id: pet.id + 1000n }) }),
    },
    {
      id: 'list-fails-on-stored-text',
      breaks: [
        'listPets/status.200',
        'listPets/parameter.limit.default',
        'listPets/robustness.no-server-error',
      ],
      summary: 'Lists are answered 500 once a pet with a control character in its name is stored.',
      behaviour: () =>
        altering((pets) => failOver(pets, ({ name }) => /(?![\t\n\r])\p{Cc}/u.test(name))),
    },
    {
      id: 'list-fails-on-stored-number',
      breaks: [
        'listPets/status.200',
        'listPets/parameter.limit.default',
        'listPets/robustness.no-server-error',
      ],
      summary:
        'Lists are answered 500 once a pet of a category beyond 2^53 is stored, which the serializer cannot write.',
      behaviour: () =>
        altering((pets) => failOver(pets, ({ categoryId }) => categoryId > 2n ** 53n)),
    },
    {
      id: 'list-empty-404',
      breaks: ['listPets/status.200'],
      summary: 'A list that would be empty is answered 404.',
      behaviour: () => ({
        seed: () => [],
        listPets: async (call, all) =>
          call.inventory.pets.size === 0
            ? refuse(createRefusal(404, 'not_found', 'There are no pets.'), call, all)
            : listPets(call, all),
      }),
    },
  ];
}

function goingOn(): Partial<ServiceBehaviour> {
  let start = 0;
  return {
    select: (pets, query, call, all) => {
      const list = select(pets, { ...query, limit: Infinity }, call, all).slice(
        start,
        start + query.limit,
      );
      start = list.length < query.limit ? 0 : start + list.length;
      return list;
    },
  };
}

function failOver(pets: readonly Pet[], fails: (pet: Pet) => boolean): readonly Pet[] {
  if (pets.some(fails)) throw new RangeError('this row cannot be written');
  return pets;
}
