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
import { type Json, isRecord } from '../service/json.ts';
import { parseBody } from '../service/new-pet.ts';
import { createPet, listPets, refuse, respond } from '../service/operations.ts';
import { type NewPet, type Pet, petStatuses, presentPet } from '../service/pet.ts';
import { find, select } from '../service/selection.ts';
import { type Mutant, createMutants, needing, requirementsOf } from '../subject/mutant.ts';
import { changingPet, keep, readRequirements } from '../subject/pet-change.ts';
import { isCallOf } from '../subject/place.ts';

const absent = 'getPet/status.404';
const readable = [
  'getPet/state.readable',
  'getPet/status.200',
  'createPet/concurrency.stored',
] as const;
const readMembers = [
  'getPet/state.read.name',
  'getPet/state.read.categoryId',
  'getPet/state.read.status',
] as const;

type Find = ServiceBehaviour['find'];

const none = createRefusal(404, 'not_found', 'No pet has this identifier.');

/** Finds what the service finds, unless it is to be hidden. */
const hidingFound = (isHidden: (pet: Pet, petId: string, call: Call) => boolean): Find => {
  return (petId, call) => {
    const pet = find(petId, call);
    return !isRefusal(pet) && isHidden(pet, petId, call) ? none : pet;
  };
};

/** Reads that find another pet, or none. Tests take the first for a server whose 404 is another status. */
const lookups: readonly Mutant[] = createMutants([absent], {
  'get-absent-400': [
    'A read of nothing is answered 400.',
    {
      find: (petId, call) => {
        const pet = find(petId, call);
        return isRefusal(pet) && /^\d+$/.test(petId) ? { ...pet, status: 400 } : pet;
      },
    },
  ],
  'get-absent-prefix': [
    'An identifier is matched by its start, so that 1234 finds 1.',
    {
      find: (petId, call) => {
        const pet = find(petId, call);
        const pets = [...call.inventory.pets.values()];
        return isRefusal(pet) ? (pets.find(({ id }) => petId.startsWith(`${id}`)) ?? pet) : pet;
      },
    },
  ],
  'get-absent-beyond-32-bits-other': [
    'The identifier is cut to 32 bits where nothing has the whole one.',
    {
      find: (petId, call) => {
        const pet = find(petId, call);
        return isRefusal(pet) && /^(\d{1,18}|[1-8]\d{18})$/.test(petId)
          ? find(String(BigInt.asUintN(32, BigInt(petId))), call)
          : pet;
      },
    },
  ],
  'get-first-read-for-good': [
    'The first pet that was read is answered ever after: a cache without a key.',
    () => {
      let first: Pet | undefined;
      return {
        find: (petId, call) => {
          const pet = find(petId, call);
          first ??= isRefusal(pet) ? undefined : pet;
          return first ?? pet;
        },
      };
    },
    ['getPet/state.read.id', absent],
  ],
  'get-shows-id-only-asked': [
    'A read answers the first pet under the identifier that was asked for.',
    {
      find: (petId, call) => {
        const pet = find(petId, call);
        const [first] = call.inventory.pets.values();
        return isRefusal(pet) || first === undefined ? pet : { ...first, id: pet.id };
      },
    },
    readMembers,
  ],
  'get-lags-1': [
    'A pet is found from the 2nd request after its addition on.',
    () => lagging(1),
    readable,
  ],
  'get-lags-30': [
    'A pet is found from the 31st request after its addition on: reads go to a replica.',
    () => lagging(30),
    readable,
  ],
  'get-once': [
    'A pet is found once, then it is gone from the cache that is never filled again.',
    () => {
      const found = new Set<string>();
      return {
        find: (petId, call) => (found.size === found.add(petId).size ? none : find(petId, call)),
      };
    },
    readable,
  ],
  'get-404-remembered': [
    'A cache remembers for good that nothing had an identifier.',
    () => {
      const missed = new Map<string, Refusal>();
      return {
        find: (petId, call) => {
          const pet = missed.get(petId) ?? find(petId, call);
          if (isRefusal(pet)) missed.set(petId, pet);
          return pet;
        },
      };
    },
    ['getPet/state.readable', 'getPet/status.200'],
  ],
  'get-again-rounded': [
    'The second read comes from a cache that keeps integers as doubles.',
    () => {
      const known = new Set<bigint>();
      return {
        presentItem: (pet) => {
          const { id, categoryId } = pet;
          const isAgain = known.size === known.add(id).size;
          const rounded = BigInt.asIntN(64, BigInt(Number(categoryId)));
          return presentPet(isAgain ? { ...pet, categoryId: rounded } : pet);
        },
      };
    },
    ['getPet/state.read.categoryId'],
  ],
});

function lagging(requests: number): Parts {
  const addedAt = new Map<bigint, number>();
  return {
    store: (pet, call) => {
      addedAt.set(pet.id, call.ordinal);
      keep(pet, call);
    },
    find: hidingFound(
      ({ id }, _petId, { ordinal }) => ordinal <= (addedAt.get(id) ?? -requests) + requests,
    ),
  };
}

const pushedOut = needing(
  'more',
  createMutants([...readable, 'listPets/parameter.limit.filled', 'listPets/state.listed'], {
    'get-no-pet-before-fifty-others': [
      'The service has room for 50 pets: the oldest one makes room for the next.',
      {
        store: (pet, call) => {
          const { pets } = call.inventory;
          keep(pet, call);
          for (const id of [...pets.keys()].slice(0, -50)) pets.delete(id);
        },
      },
    ],
    'late-status-lost': [
      'From the 26th addition on, every status is stored as available.',
      changingPet('stored', (pet) =>
        pet.id > 33n && pet.status !== undefined ? { ...pet, status: 'available' } : pet,
      ),
      [...readRequirements('status', 'stored'), 'listPets/state.listed'],
    ],
  }),
);

const listed = [
  'listPets/state.listed',
  'createPet/concurrency.stored',
  'listPets/parameter.limit.filled',
  'listPets/parameter.status.filter',
] as const;

const failing = [
  'listPets/status.200',
  'listPets/parameter.limit.default',
  'listPets/robustness.no-server-error',
] as const;

function altering(alter: (pets: readonly Pet[], query: ListQuery) => readonly Pet[]): Parts {
  return { select: (pets, query, call, all) => alter(select(pets, query, call, all), query) };
}

const hiding = (isHidden: (pet: Pet, call: Call) => boolean): Parts => ({
  select: (pets, query, call, all) =>
    select(
      pets.filter((pet) => !isHidden(pet, call)),
      query,
      call,
      all,
    ),
});

function failOver(pets: readonly Pet[], fails: (pet: Pet) => boolean): readonly Pet[] {
  if (pets.some(fails)) throw new RangeError('this row cannot be written');
  return pets;
}

/** Lists that lose pets, show an older state, or fail for some pets. */
const lists: readonly Mutant[] = createMutants(listed, {
  'list-hides-newest': [
    'Lists show not the newest pet: its transaction is still open.',
    hiding(({ id }, { inventory }) => id === inventory.nextId - 1n),
  ],
  'list-hides-added': [
    'Lists show no pet that was added: they are read from a replica that stands still.',
    hiding(({ id }) => id > 8n),
  ],
  'list-cached-for-good': [
    'A list is cached by its query and never read again.',
    () => {
      const saved = new Map<string, readonly Pet[]>();
      return altering((pets, { limit, status }) => {
        const name = `${limit} ${status ?? 'any'}`;
        saved.set(name, saved.get(name) ?? pets);
        return saved.get(name) ?? pets;
      });
    },
  ],
  'list-goes-on': [
    'Each list goes on where the last one ended: the cursor is kept in the server.',
    () => {
      let start = 0;
      return {
        select: (pets, query, call, all) => {
          const whole = select(pets, { ...query, limit: Infinity }, call, all);
          const list = whole.slice(start, start + query.limit);
          start = list.length < query.limit ? 0 : start + list.length;
          return list;
        },
      };
    },
    ['listPets/parameter.status.filter', 'listPets/parameter.limit.default', ...listed],
  ],
  'list-repeats-join': [
    'A join shows the pets of one category twice.',
    altering((pets, { limit }) =>
      pets.flatMap((pet) => (pet.categoryId === 2n ? [pet, pet] : [pet])).slice(0, limit),
    ),
    ['listPets/state.distinct'],
  ],
  'list-fails-on-stored-text': [
    'Lists are answered 500 once a pet with a control character in its name is stored.',
    altering((pets) => failOver(pets, ({ name }) => /(?![\t\n\r])\p{Cc}/u.test(name))),
    failing,
  ],
  'list-fails-on-stored-number': [
    'Lists are answered 500 once a pet of a category beyond 2^53 is stored, which the serializer cannot write.',
    altering((pets) => failOver(pets, ({ categoryId }) => categoryId > 2n ** 53n)),
    failing,
  ],
  'list-empty-404': [
    'A list that would be empty is answered 404.',
    {
      seed: () => [],
      listPets: async (call, all) =>
        call.inventory.pets.size === 0 ? refuse(none, call, all) : listPets(call, all),
    },
    ['listPets/status.200'],
  ],
  'list-names-shared': [
    'All pets of a list show the name of its last one: the loop fills one object.',
    altering((pets) => pets.map((pet) => ({ ...pet, name: pets.at(-1)?.name ?? pet.name }))),
    readRequirements('name', 'list'),
  ],
});

/** Members that come back as another value than was sent. */
const echoes: readonly Mutant[] = createMutants(readRequirements('status', 'stored'), {
  'status-next-stored': [
    'The status is stored as the next of the enumeration: its index is counted from 1.',
    changingPet('stored', ({ status, ...pet }) => ({
      ...pet,
      // Pets without a status stay so: what that means is open.
      status: status && petStatuses[(petStatuses.indexOf(status) + 1) % petStatuses.length],
    })),
  ],
  'status-left-out-stored': [
    'The status is not stored.',
    changingPet('stored', (pet) => ({ ...pet, status: undefined })),
  ],
  'stored-status-of-first': [
    'The status of the first addition is kept for all later ones that have one: a default that is overwritten.',
    () => {
      let first: Pet['status'];
      return changingPet('stored', (pet) => {
        first ??= pet.status;
        return pet.status === undefined ? pet : { ...pet, status: first };
      });
    },
  ],
  'status-available-list': [
    'Lists show every status as available, the default of the column.',
    changingPet('list', (pet) => ({ ...pet, status: 'available' })),
    [...readRequirements('status', 'list'), 'listPets/parameter.status.filter'],
  ],
  'item-name-of-last-added': [
    'A single read shows the name of the pet that was added last.',
    {
      presentItem: (pet, { inventory }) =>
        presentPet({ ...pet, name: [...inventory.pets.values()].at(-1)?.name ?? pet.name }),
    },
    ['getPet/state.read.name'],
  ],
});

const unique = [
  'createPet/state.id-unique',
  'createPet/concurrency.unique',
  'createPet/concurrency.stored',
  'listPets/state.listed',
] as const;

function seedFrom(start: bigint): Parts {
  return { seed: () => seedPets(8).map((pet) => ({ ...pet, id: start + pet.id })) };
}

const presentRounded = (pet: Pet) => presentPet({ ...pet, id: BigInt(Number(pet.id)) });

/** Identifiers given twice or lost. */
const identifiers: readonly Mutant[] = createMutants(unique, {
  'id-of-a-few': [
    'Identifiers come from a pool of five.',
    { assignId: (_value, call) => 1000n + (takeId(call.inventory) % 5n) },
    [...unique, ...readMembers],
  ],
  'id-of-a-listed-pet': [
    'Counting starts at 5 although the inventory has more: a sequence that was not moved on.',
    { assignId: (_value, call) => takeId(call.inventory) - 4n },
  ],
  'id-again-after-refusal': [
    'A refused addition takes the counter back although it had not been moved.',
    {
      createPet: async (call, all) => {
        const response = await createPet(call, all);
        if (response.status === 400 && call.inventory.nextId > 9n) call.inventory.nextId -= 1n;
        return response;
      },
    },
  ],
  'id-through-double-2-53': [
    'Identifiers from 2^53 on are answered through a double, so that each odd one is its neighbour.',
    {
      ...seedFrom(2n ** 53n),
      presentCreated: presentRounded,
      presentInList: presentRounded,
      presentItem: presentRounded,
    },
    requirementsOf([
      ...unique,
      ...readable,
      'getPet/state.read.id',
      ...readMembers,
      'listPets/state.distinct',
      ...['name', 'categoryId', 'status'].map((member) => `listPets/state.read.${member}`),
    ]),
  ],
  'id-read-through-double': [
    'The identifier of a path is read as a double, so that odd ones beyond 2^53 find their neighbour or nothing.',
    {
      ...seedFrom(2n ** 53n),
      find: (petId, call) => find(String(BigInt(Number(petId) || 0)), call),
    },
    ['getPet/state.read.id', ...readable],
  ],
  'id-read-as-32-bits': [
    'The identifier of a path is cut to 32 bits, so that pets beyond are not found.',
    {
      ...seedFrom(2n ** 40n),
      find: (petId, call) =>
        find(/^\d+$/.test(petId) ? String(BigInt.asIntN(32, BigInt(petId))) : petId, call),
    },
    ['getPet/status.200', ...readable],
  ],
});

type IsTwin = (one: NewPet, other: Pet) => boolean;

const isSame: IsTwin = (one, other) =>
  one.name === other.name && one.categoryId === other.categoryId && one.status === other.status;

/** A service that treats a body like that of a pet it has in its own way. */
const meeting = (
  isTwin: IsTwin,
  answer: (twin: Pet, call: Call, all: ServiceBehaviour) => ServiceResponse,
): Parts => ({
  createPet: async (call, all) => {
    const body = parseBody(call.body);
    const sent = isRefusal(body) ? body : all.validateNewPet(body, all);
    const pets = [...call.inventory.pets.values()];
    const twin = isRefusal(sent) ? undefined : pets.find((pet) => isTwin(sent, pet));
    return twin === undefined ? await createPet(call, all) : answer(twin, call, all);
  },
});

const refuseTwin = (_twin: Pet, call: Call, all: ServiceBehaviour): ServiceResponse =>
  refuse(createRefusal(409, 'already_exists', 'There is such a pet.'), call, all);

/** The same pet added twice. */
const twins: readonly Mutant[] = createMutants(
  ['createPet/status.201', 'createPet/robustness.no-server-error', 'createPet/state.id-unique'],
  {
    'twin-refused-409': [
      'A pet like one that there is gets 409: a unique index.',
      meeting(isSame, refuseTwin),
    ],
    'name-twin-refused-409': [
      'A name is taken once: then it gets 409.',
      meeting(({ name }, other) => name === other.name, refuseTwin),
    ],
    'twin-not-stored': [
      'A pet like one that there is gets an identifier of its own and is not stored.',
      meeting(isSame, (twin, { inventory }) => ({
        status: 201,
        body: presentPet({ ...twin, id: takeId(inventory) }),
        headers: {},
      })),
      ['listPets/state.listed', 'getPet/state.readable'],
    ],
  },
);

/** A service that adds a pet with defaults where it refuses an addition with a status. */
const addingDefaults = (
  status: 400 | 401,
  defaults: Pick<NewPet, 'categoryId' | 'status'>,
  isAdded: (body: Json | undefined) => boolean = () => true,
): Parts => ({
  respond: async (call, all) => {
    const response = await respond(call, all);
    const body = parseBody(call.body);
    const isMeant = response.status === status && isCallOf('createPet', call);
    if (isMeant && isAdded(isRefusal(body) ? undefined : body)) {
      const value = { name: 'x', ...defaults, rest: {} };
      await all.store({ id: await all.assignId(value, call), ...value }, call);
    }
    return response;
  },
});

const plainDefaults = { categoryId: 1n, status: undefined };
const otherDefaults = { categoryId: 7n, status: 'sold' } as const;

/** What is stored holds nothing of what was sent: only who owns the service knows that it is new. */
const written: readonly Mutant[] = createMutants(['createPet/state.not-written.400'], {
  'default-in-spite-of-400': [
    'A pet of another category is stored where an addition is refused.',
    addingDefaults(400, otherDefaults),
  ],
  'default-in-spite-of-400-for-no-name': [
    'A pet called x is stored where an addition has a category and no name.',
    addingDefaults(
      400,
      plainDefaults,
      (body) => isRecord(body) && 'categoryId' in body && !('name' in body),
    ),
  ],
  'default-in-spite-of-401': [
    'A pet of another category is stored without a valid key.',
    addingDefaults(401, otherDefaults),
    ['createPet/state.not-written.401'],
  ],
});

/** Pets that are lost, mixed up, given twice, or stored in spite of a refusal. */
export const stateMutants: readonly Mutant[] = [
  ...lookups,
  ...pushedOut,
  ...lists,
  ...echoes,
  ...identifiers,
  ...twins,
  ...written,
];
