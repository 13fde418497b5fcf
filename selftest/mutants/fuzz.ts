import { type Call, type OperationId, type Parts, createRefusal } from '../service/behaviour.ts';
import { refuse, refuseCredential, respond } from '../service/operations.ts';
import { type Pet, presentPet } from '../service/pet.ts';
import { select } from '../service/selection.ts';
import { type Mutant, createMutants, listMutants, needing } from '../subject/mutant.ts';
import { changingPet, failingOn, keep, readRequirements } from '../subject/pet-change.ts';
import { isCallOf } from '../subject/place.ts';

const serverError = 'createPet/robustness.no-server-error';
const additionFails = [
  'createPet/status.201',
  serverError,
  'createPet/concurrency.stored',
] as const;

const readable = ['getPet/state.readable', 'getPet/status.200'] as const;
const listed = 'listPets/state.listed';
const filtered = 'listPets/parameter.status.filter';
const filled = 'listPets/parameter.limit.filled';

const seeded = 8n;

/** One value of many that is changed, or brings the service down. */
const rareValues: readonly Mutant[] = [
  ...listMutants('fuzz-category-', readRequirements('categoryId', 'everywhere'), changingCategory, {
    97: [
      'A categoryId divisible by 97, but for 0, loses one.',
      (id) => (id !== 0n && id % 97n === 0n ? id - 1n : id),
    ],
    '32nd-bit': [
      'A categoryId from 2^31 to 2^32 - 1 turns negative: numbers of four bytes are read as signed.',
      (id) => (id > 0n && id < 2n ** 32n ? BigInt.asIntN(32, id) : id),
    ],
  }),
  ...listMutants('fuzz-name-', readRequirements('name', 'everywhere'), changingName, {
    'sharp-s': ['A sharp s in a name becomes ss.', (name) => name.replaceAll('\u00df', 'ss')],
    'of-64': [
      'A name of exactly 64 characters loses the last one, which the terminator overwrites.',
      (name) => (name.length === 64 ? name.slice(0, 63) : name),
    ],
    'over-4096': ['A name is cut to 4,096 characters.', (name) => name.slice(0, 4096)],
  }),
];

function changingCategory(change: (categoryId: bigint) => bigint): Parts {
  return changingPet('everywhere', (pet) => ({ ...pet, categoryId: change(pet.categoryId) }));
}

function changingName(change: (name: string) => string): Parts {
  return changingPet('everywhere', (pet) => ({ ...pet, name: change(pet.name) }));
}

const rareResponses = createMutants(additionFails, {
  'fuzz-addition-500-each-50th': [
    'Each 50th sound addition is answered 500: a worker that is recycled.',
    () => failingOn(each(50)),
  ],
  'fuzz-list-500-each-40th': [
    'Each 40th list is answered 500: the pool of connections is used up.',
    () =>
      answering('listPets', each(40), (call, all) =>
        refuse(createRefusal(500, 'internal_error', 'The service failed.'), call, all),
      ),
    ['listPets/status.200', 'listPets/robustness.no-server-error'],
  ],
  'fuzz-key-forgotten-each-60th': [
    'Each 60th single read is answered 401: the cache of keys is being filled.',
    () => answering('getPet', each(60), refuseCredential),
    ['getPet/status.200', 'getPet/state.readable'],
  ],
});

/** True at each so-many-th call. */
function each(nth: number): () => boolean {
  let calls = 0;
  return () => (calls += 1) % nth === 0;
}

/** Answers some of the successful requests of an operation in another way. */
function answering(
  operation: OperationId,
  isTurn: () => boolean,
  answer: typeof refuseCredential,
): Parts {
  return {
    respond: async (call, all) => {
      const response = await respond(call, all);
      return isCallOf(operation, call) && response.status === 200 && isTurn()
        ? answer(call, all)
        : response;
    },
  };
}

type Alter = (page: readonly Pet[], status: Pet['status'], pets: readonly Pet[]) => readonly Pet[];

const altering = (alter: Alter): Parts => ({
  select: (pets, query, call, all) => alter(select(pets, query, call, all), query.status, pets),
});

const letStrangerIn: Alter = (page, status, pets) => {
  const stranger = pets.find((pet) => pet.status !== undefined && pet.status !== status);
  return status !== undefined && page.length >= 20 && stranger && page.length < pets.length
    ? [...page.slice(0, -1), stranger]
    : page;
};

const largeInventories = createMutants([filled, listed, filtered], {
  'fuzz-list-100th': [
    'A list of 100 pets has 99: the limit is exclusive where it is the largest.',
    altering((page) => page.slice(0, 99)),
    [filled, listed],
  ],
  'fuzz-filter-full-page': [
    'A filtered list that is full lets one pet of another status in at its end.',
    altering(letStrangerIn),
    [filtered, listed],
  ],
  'fuzz-get-99th-item': [
    'The 99th pet to be added is read under the name of the 98th.',
    presentingItem(({ id, name }, { pets }) => ({
      name: id === seeded + 99n ? (pets.get(id - 1n)?.name ?? name) : name,
    })),
    ['getPet/state.read.name'],
  ],
});

/** A service that shows some members of single pets otherwise. */
function presentingItem(change: (pet: Pet, inventory: Call['inventory']) => Partial<Pet>): Parts {
  return {
    presentItem: (pet, { inventory }) => presentPet({ ...pet, ...change(pet, inventory) }),
  };
}

const lateWrites = createMutants(['createPet/state.id-unique'], {
  'fuzz-id-wraps-at-127': [
    'Identifiers are counted in a signed byte and go on at 1 after 127.',
    {
      assignId: (_value, { inventory }) => {
        const id = inventory.nextId;
        inventory.nextId = id === 127n ? 1n : id + 1n;
        return id;
      },
    },
    [
      'createPet/state.id-unique',
      ...readRequirements('name', 'stored'),
      ...readRequirements('categoryId', 'stored'),
      ...readRequirements('status', 'stored'),
    ],
  ],
  'fuzz-memory-of-50': [
    'Only the last 50 pets are kept.',
    { store: keepingLast50 },
    [...readable, listed, filled, filtered],
  ],
});

function keepingLast50(pet: Pet, call: Call): void {
  keep(pet, call);
  const { pets } = call.inventory;
  for (const id of [...pets.keys()].slice(0, -50)) pets.delete(id);
}

/** Mutants that show once in a while, or only in a large inventory: not within sixty requests. */
export const fuzzMutants = needing('fuzz', [
  ...rareValues,
  ...rareResponses,
  ...largeInventories,
  ...lateWrites,
]);
