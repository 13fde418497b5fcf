import {
  type Call,
  type ListQuery,
  type Parts,
  type Refusal,
  type ServiceBehaviour,
  type ServiceResponse,
  createRefusal,
  isRefusal,
} from '../service/behaviour.ts';
import { seedPets, takeId } from '../service/inventory.ts';
import { isRecord } from '../service/json.ts';
import { parseBody } from '../service/new-pet.ts';
import { createPet, listPets, refuse, respond } from '../service/operations.ts';
import { type NewPet, type Pet, petStatuses, presentPet } from '../service/pet.ts';
import { find, select } from '../service/selection.ts';
import { changePet, isCallOf, keep } from '../subject/alter.ts';
import { type Mutant, createMutants } from '../subject/subject.ts';

const none = createRefusal(404, 'not_found', 'No pet has this identifier.');

/** Changes what is found. */
function finding(change: (found: Pet | Refusal, id: string, call: Call) => Pet | Refusal): Parts {
  return { find: (id, call) => change(find(id, call), id, call) };
}

function lagging(requests: number): Parts {
  const addedAt = new Map<bigint, number>();
  return {
    store: (pet, call) => {
      addedAt.set(pet.id, call.ordinal);
      keep(pet, call);
    },
    ...finding((pet, _id, { ordinal }) =>
      !isRefusal(pet) && ordinal <= (addedAt.get(pet.id) ?? -requests) + requests ? none : pet,
    ),
  };
}

function roundingAgain(): Parts {
  const known = new Set<bigint>();
  return changePet('item', (pet) => {
    const isAgain = known.size === known.add(pet.id).size;
    const rounded = BigInt.asIntN(64, BigInt(Number(pet.categoryId)));
    return isAgain ? { ...pet, categoryId: rounded } : pet;
  });
}

function listing(change: (pets: readonly Pet[], query: ListQuery) => readonly Pet[]): Parts {
  return { select: (pets, query, ...rest) => change(select(pets, query, ...rest), query) };
}

/** Treats an addition in its own way if there is a pet like it. */
const meetingTwin = (
  answer: (twin: Pet, call: Call, all: ServiceBehaviour) => ServiceResponse,
): Parts => ({
  createPet: async (call, all) => {
    const body = parseBody(call.body);
    const sent = isRefusal(body) ? body : all.validateNewPet(body, all);
    const twin = isRefusal(sent)
      ? undefined
      : call.inventory.pets.values().find((pet) => isSame(sent, pet));
    return twin === undefined ? await createPet(call, all) : answer(twin, call, all);
  },
});

function isSame(one: NewPet, other: Pet): boolean {
  return (
    one.name === other.name && one.categoryId === other.categoryId && one.status === other.status
  );
}

/** Adds a pet called x where a body with a category and no name is refused. */
const addingDefaults: Parts = {
  respond: async (call, all) => {
    const response = await respond(call, all);
    if (response.status !== 400 || !isCallOf('createPet', call)) return response;
    const body = parseBody(call.body) ?? null;
    if (!isRefusal(body) && isRecord(body) && 'categoryId' in body && !('name' in body))
      keep(
        { id: takeId(call.inventory), name: 'x', categoryId: 1n, status: undefined, rest: {} },
        call,
      );
    return response;
  },
};

function seedFrom(start: bigint): Pick<Parts, 'seed'> {
  return { seed: () => seedPets(8).map((pet) => ({ ...pet, id: start + pet.id })) };
}

const presentRounded = (pet: Pet) => presentPet({ ...pet, id: BigInt(Number(pet.id)) });

const readable = 'getPet/state.readable getPet/status.200 createPet/concurrency.stored';
const read = 'getPet/state.read.{name,categoryId,status}';
const listed =
  'listPets/state.listed createPet/concurrency.stored listPets/parameter.{limit.filled,status.filter}';
const unique =
  'createPet/state.id-unique createPet/concurrency.{unique,stored} listPets/state.listed';

/** Reads that find another pet, or none. */
const lookups: readonly Mutant[] = [
  ...createMutants(readable, {
    'get-absent-400': [
      'A read of nothing is answered 400.',
      finding((pet, id) => (isRefusal(pet) && /^\d+$/.test(id) ? { ...pet, status: 400 } : pet)),
      'getPet/status.404',
    ],
    'get-first-read-for-good': [
      'The first pet that was read is returned ever after: a cache without a key.',
      () => {
        let first: Pet | undefined;
        return finding((pet) => {
          first ??= isRefusal(pet) ? undefined : pet;
          return first ?? pet;
        });
      },
      'getPet/state.read.id getPet/status.404',
    ],
    'get-shows-id-only-asked': [
      'A read returns the first pet under the identifier that was requested.',
      finding((pet, _id, { inventory }) => {
        const [first] = inventory.pets.values();
        return isRefusal(pet) || first === undefined ? pet : { ...first, id: pet.id };
      }),
      read,
    ],
    'get-lags-30': [
      'A pet is found from the 31st request after its addition on: reads go to a replica.',
      () => lagging(30),
    ],
    'get-once': [
      'A pet is found once, then it is gone from a cache that is never filled again.',
      () => {
        const found = new Set<string>();
        return finding((pet, id) => (found.size === found.add(id).size ? none : pet));
      },
    ],
    'get-again-rounded': [
      'The second read comes from a cache that keeps integers as doubles.',
      roundingAgain,
      'getPet/state.read.categoryId',
    ],
    'get-no-pet-before-fifty-others': [
      'The service has room for 50 pets: the oldest one makes room for the next.',
      {
        store: (pet, call) => {
          keep(pet, call);
          const { pets } = call.inventory;
          for (const id of [...pets.keys()].slice(0, -50)) pets.delete(id);
        },
      },
      `${readable} listPets/parameter.limit.filled listPets/state.listed`,
      { needs: 'more' },
    ],
  }),
];

/** Lists that lose pets, show an older state, or fail for some pets. */
const lists: readonly Mutant[] = [
  ...createMutants(listed, {
    'list-hides-added': [
      'Lists show no pet that was added: they come from a replica that is never updated.',
      {
        select: (pets, ...rest) =>
          select(
            pets.filter(({ id }) => id <= 8n),
            ...rest,
          ),
      },
    ],
    'list-cached-for-good': [
      'A list is cached by its query and never read again.',
      () => {
        const saved = new Map<string, readonly Pet[]>();
        return listing((pets, { limit, status }) => {
          const name = `${limit} ${status ?? 'any'}`;
          saved.set(name, saved.get(name) ?? pets);
          return saved.get(name) ?? pets;
        });
      },
    ],
    'list-names-shared': [
      'All pets of a list show the name of its last one: the loop fills one object.',
      listing((pets) => pets.map((pet) => ({ ...pet, name: pets.at(-1)?.name ?? pet.name }))),
      'listPets/state.read.name getPet/state.read.name',
    ],
    'list-fails-on-stored-text': [
      'Lists are answered 500 once a pet with a control character in its name is stored.',
      listing((pets) => {
        if (pets.some(({ name }) => /(?![\t\n\r])\p{Cc}/u.test(name)))
          throw new RangeError('this row cannot be written');
        return pets;
      }),
      'listPets/status.200 listPets/parameter.limit.default listPets/robustness.no-server-error',
    ],
    'list-empty-404': [
      'A list that would be empty is answered 404.',
      {
        seed: () => [],
        listPets: async (call, all) =>
          call.inventory.pets.size === 0 ? refuse(none, call, all) : await listPets(call, all),
      },
      'listPets/status.200',
      { fades: true },
    ],
  }),
];

/** Members that come back with another value than was sent. */
const echoes: readonly Mutant[] = createMutants('{listPets,getPet}/state.read.status', {
  'status-next-stored': [
    'The status is stored as the next of the enumeration: its index is counted from 1.',
    changePet('stored', ({ status, ...pet }) => ({
      ...pet,
      // Pets without a status stay so: what that means is open.
      status: status && petStatuses[(petStatuses.indexOf(status) + 1) % petStatuses.length],
    })),
  ],
  'status-left-out-stored': [
    'The status is not stored.',
    changePet('stored', (pet) => ({ ...pet, status: undefined })),
  ],
  'status-available-list': [
    'Lists show every status as available, the default of the column.',
    changePet('list', (pet) => ({ ...pet, status: 'available' })),
    '{listPets,getPet}/state.read.status listPets/parameter.status.filter',
  ],
});

/** Identifiers given twice or lost. */
const identifiers: readonly Mutant[] = [
  ...createMutants(
    unique,
    {
      'id-of-a-few': [
        'Identifiers come from a pool of five.',
        { assignId: (_value, { inventory }) => 1000n + (takeId(inventory) % 5n) },
        `${unique} ${read}`,
      ],
      'id-of-a-listed-pet': [
        'Counting starts at 5 although the inventory has more: a sequence that was not moved on.',
        { assignId: (_value, { inventory }) => takeId(inventory) - 4n },
      ],
    },
    { fades: true },
  ),
  ...createMutants(unique, {
    'id-again-after-refusal': [
      'A refused addition moves the counter back although it was not moved on.',
      {
        createPet: async (call, all) => {
          const response = await createPet(call, all);
          if (response.status === 400 && call.inventory.nextId > 9n) call.inventory.nextId -= 1n;
          return response;
        },
      },
    ],
    'id-through-double-2-53': [
      'Identifiers from 2^53 on are returned through a double, so that each odd one is its neighbour.',
      {
        ...seedFrom(2n ** 53n),
        presentCreated: presentRounded,
        presentInList: presentRounded,
        presentItem: presentRounded,
      },
      `${unique} ${readable} getPet/state.read.id ${read} listPets/state.distinct listPets/state.read.{name,categoryId,status}`,
    ],
    'id-read-through-double': [
      'The identifier of a path is read as a double, so that odd ones beyond 2^53 find their neighbour or nothing.',
      {
        ...seedFrom(2n ** 53n),
        find: (id, call) => find(String(BigInt(Number(id) || 0)), call),
      },
      `getPet/state.read.id ${readable}`,
    ],
    'twin-refused-409': [
      'A pet like an existing one gets 409: a unique index.',
      meetingTwin((_twin, call, all) =>
        refuse(createRefusal(409, 'already_exists', 'There is such a pet.'), call, all),
      ),
      'createPet/status.201 createPet/robustness.no-server-error createPet/state.id-unique',
    ],
    'twin-not-stored': [
      'A pet like an existing one gets an identifier of its own and is not stored.',
      meetingTwin((twin, { inventory }) => ({
        status: 201,
        body: presentPet({ ...twin, id: takeId(inventory) }),
        headers: {},
      })),
      'listPets/state.listed getPet/state.readable',
    ],
    'default-in-spite-of-400-for-no-name': [
      'A pet called x is stored where an addition has a category and no name.',
      addingDefaults,
      'createPet/state.not-written.400',
    ],
  }),
];

/** Pets that are lost, mixed up, given twice, or stored in spite of a refusal. */
export const stateMutants: readonly Mutant[] = [...lookups, ...lists, ...echoes, ...identifiers];
