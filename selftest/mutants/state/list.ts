import { type Call, type ListQuery, type Parts, createRefusal } from '../../service/behaviour.ts';
import { listPets, refuse } from '../../service/operations.ts';
import { type Pet, presentPet } from '../../service/pet.ts';
import { select } from '../../service/selection.ts';
import { type Mutant, createMutants, listMutants } from '../../subject/mutant.ts';

const failing = [
  'listPets/status.200',
  'listPets/parameter.limit.default',
  'listPets/robustness.no-server-error',
] as const;

type Alter = (pets: readonly Pet[], query: ListQuery, call: Call) => readonly Pet[];

const listed = [
  'listPets/state.listed',
  'createPet/concurrency.stored',
  'listPets/parameter.limit.filled',
  'listPets/parameter.status.filter',
] as const;
const short = ['listPets/parameter.limit.filled', 'listPets/parameter.limit.default'] as const;

function altering(alter: Alter): Parts {
  return { select: (pets, query, call, all) => alter(select(pets, query, call, all), query, call) };
}

type IsHidden = (pet: Pet, call: Call, query: ListQuery) => boolean;

const hiding = (isHidden: IsHidden): Parts => ({
  select: (pets, query, call, all) => {
    const shown = pets.filter((pet) => !isHidden(pet, call, query));
    return select(shown, query, call, all);
  },
});

/** A service that keeps lists by a name made of the query, until a pet is added or for good. */
function caching(nameOf: (query: ListQuery) => string, isCleared = true): Parts {
  const saved = new Map<string, readonly Pet[]>();
  return {
    select: (pets, query, call, all) => {
      const name = `${nameOf(query)} ${isCleared ? call.inventory.pets.size : ''}`;
      const list = saved.get(name) ?? select(pets, query, call, all);
      saved.set(name, list);
      return list;
    },
  };
}

/** Lists that lose pets, show them twice or show an older state. */
export const listsMutants: readonly Mutant[] = [
  ...listMutants('list-hides-', listed, hiding, {
    newest: [
      'Lists show not the newest pet: its transaction is still open.',
      ({ id }, { inventory }) => id === inventory.nextId - 1n,
    ],
    added: [
      'Lists show no pet that was added: they are read from a replica that stands still.',
      ({ id }) => id > 8n,
    ],
    'category-zero': [
      'Lists show no pet of category 0, which is falsy.',
      ({ categoryId }) => categoryId === 0n,
    ],
    'long-name': [
      'Lists show no pet whose name is too long for the index.',
      ({ name }) => name.length > 255,
    ],
    'padded-name': [
      'Lists show no pet whose name starts with a space.',
      ({ name }) => name.startsWith(' '),
    ],
  }),
  ...listMutants('list-repeats-', ['listPets/state.distinct'], altering, {
    join: [
      'A join shows the pets of one category twice.',
      (pets, { limit }) =>
        pets.flatMap((pet) => (pet.categoryId === 2n ? [pet, pet] : [pet])).slice(0, limit),
    ],
    newest: [
      'The newest pet comes from the cache and from the database.',
      (pets, { limit }, { inventory }) =>
        [...pets, ...pets.filter(({ id }) => id === inventory.nextId - 1n)].slice(0, limit),
    ],
  }),
  ...createMutants(listed, {
    'list-cached-for-good': [
      'A list is cached by its query and never read again.',
      () => caching(({ limit, status }) => `${limit} ${status ?? 'any'}`, false),
    ],
    'list-cached-without-status': [
      'The cache of lists leaves the status out of its key.',
      () => caching(({ limit }) => String(limit)),
      ['listPets/parameter.status.filter'],
    ],
  }),
  ...createMutants(failing, {
    'list-loses-last': [
      'Every list ends one pet early, as an exclusive end has it.',
      altering((pets) => pets.slice(0, -1)),
      [...listed, 'listPets/parameter.limit.default'],
    ],
    'list-loses-first': [
      'Every list starts at the second pet, as an offset counted from 1 has it.',
      altering((pets) => pets.slice(1)),
      ['listPets/parameter.limit.filled', 'listPets/parameter.status.filter', ...short],
    ],
    'list-goes-on': [
      'Each list goes on where the last one ended: the cursor is kept in the server.',
      goingOn,
      ['listPets/parameter.status.filter', ...short, ...listed],
    ],
    'list-row-ids': [
      'Lists show the number of the row instead of the id.',
      { presentInList: (pet) => presentPet({ ...pet, id: pet.id + 1000n }) },
      ['getPet/state.readable', ...listed],
    ],
    'list-fails-on-stored-text': [
      'Lists are answered 500 once a pet with a control character in its name is stored.',
      altering((pets) => failOver(pets, ({ name }) => /(?![\t\n\r])\p{Cc}/u.test(name))),
    ],
    'list-fails-on-stored-number': [
      'Lists are answered 500 once a pet of a category beyond 2^53 is stored, which the serializer cannot write.',
      altering((pets) => failOver(pets, ({ categoryId }) => categoryId > 2n ** 53n)),
    ],
    'list-empty-404': [
      'A list that would be empty is answered 404.',
      {
        seed: () => [],
        listPets: async (call, all) =>
          call.inventory.pets.size === 0
            ? refuse(createRefusal(404, 'not_found', 'There are no pets.'), call, all)
            : listPets(call, all),
      },
      ['listPets/status.200'],
    ],
  }),
];

function goingOn(): Parts {
  let start = 0;
  return {
    select: (pets, query, call, all) => {
      const whole = select(pets, { ...query, limit: Infinity }, call, all);
      const list = whole.slice(start, start + query.limit);
      start = list.length < query.limit ? 0 : start + list.length;
      return list;
    },
  };
}

function failOver(pets: readonly Pet[], fails: (pet: Pet) => boolean): readonly Pet[] {
  if (pets.some(fails)) throw new RangeError('this row cannot be written');
  return pets;
}
