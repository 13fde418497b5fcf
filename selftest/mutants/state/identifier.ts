import {
  type Call,
  type Parts,
  type ServiceBehaviour,
  createRefusal,
  isRefusal,
} from '../../service/behaviour.ts';
import { seedPets, takeId } from '../../service/inventory.ts';
import { createPet } from '../../service/operations.ts';
import { type Pet, isInt64, presentPet } from '../../service/pet.ts';
import { find } from '../../service/selection.ts';
import { type Mutant, createMutants, listMutants } from '../../subject/mutant.ts';
import { keep } from '../../subject/pet-change.ts';

const unique = [
  'createPet/state.id-unique',
  'createPet/concurrency.unique',
  'createPet/concurrency.stored',
  'listPets/state.listed',
] as const;
const readable = [
  'getPet/state.readable',
  'getPet/status.200',
  'createPet/concurrency.stored',
] as const;
const absent = ['getPet/status.404'] as const;

const wrongPet = ['getPet/state.read.id'] as const;
const readMembers = [
  'getPet/state.read.name',
  'getPet/state.read.categoryId',
  'getPet/state.read.status',
] as const;

const assigning = (assignId: ServiceBehaviour['assignId']): Parts => ({ assignId });

const assignments: readonly Mutant[] = [
  ...listMutants('id-', unique, assigning, {
    constant: ['Every pet gets the same identifier, read once at the start.', () => 1000n],
    'of-a-few': [
      'Identifiers come from a pool of five.',
      (_value, call) => 1000n + (takeId(call.inventory) % 5n),
    ],
    'every-fourth-again': [
      'Every fourth identifier is the one before it again.',
      (_value, call) => {
        const next = takeId(call.inventory);
        return next % 4n === 0n ? next - 1n : next;
      },
    ],
    'from-category': [
      'Identifiers are made of the category.',
      ({ categoryId }) => 1000n + BigInt.asUintN(16, categoryId),
    ],
    'from-name-length': [
      'Identifiers are made of the length of the name.',
      ({ name }) => 1000n + BigInt(name.length),
    ],
    'of-a-listed-pet': [
      'Counting starts at 5 although the inventory has more: a sequence that was not moved on.',
      (_value, call) => takeId(call.inventory) - 4n,
    ],
  }),
  ...createMutants(unique, {
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
    'id-from-client': [
      'An identifier that the client sends is taken.',
      {
        acceptNewPet: (value) => value,
        assignId: ({ rest }, { inventory }) =>
          isInt64(rest['id']) ? rest['id'] : takeId(inventory),
        store: (pet, call) => keep({ ...pet, rest: {} }, call),
        presentCreated: (pet) => presentPet({ ...pet, rest: {} }),
      },
      ['createPet/state.id-assigned'],
    ],
  }),
];

function seedFrom(start: bigint): Parts {
  return { seed: () => seedPets(8).map((pet) => ({ ...pet, id: start + pet.id })) };
}

const present = (pet: Pet) => presentPet({ ...pet, id: BigInt(Number(pet.id)) });
const presentRounded: Parts = {
  presentCreated: present,
  presentInList: present,
  presentItem: present,
};

const roundedBreaks = [
  ...unique,
  ...readable,
  ...wrongPet,
  ...readMembers,
  'listPets/state.distinct',
  'listPets/state.read.name',
  'listPets/state.read.categoryId',
  'listPets/state.read.status',
] as const;

const rounded = createMutants(roundedBreaks, {
  'id-through-double-2-60': [
    'Identifiers from 2^60 on are answered through a double, and are all the same.',
    { ...seedFrom(2n ** 60n), ...presentRounded },
  ],
  'id-through-double-2-53': [
    'Identifiers from 2^53 on are answered through a double, so that each odd one is its neighbour.',
    { ...seedFrom(2n ** 53n), ...presentRounded },
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

/** A service that finds pets in its own way; undefined is nothing. */
function finding(
  look: (petId: string, call: Call, pets: readonly Pet[]) => Pet | undefined,
): Parts {
  return {
    find: (petId, call) =>
      look(petId, call, [...call.inventory.pets.values()]) ??
      createRefusal(404, 'not_found', 'No pet has this identifier.'),
  };
}

function plainly(petId: string, call: Call): Pet | undefined {
  const pet = find(petId, call);
  return isRefusal(pet) ? undefined : pet;
}

const lookups = createMutants([...wrongPet, ...readable], {
  'get-next': [
    'A read answers the pet after the one asked for: an offset.',
    finding(
      (petId, _call, pets) =>
        pets[pets.findIndex(({ id }) => String(id) === petId) + 1 || pets.length],
    ),
  ],
  'get-previous': [
    'A read answers the pet before the one asked for: an index counted from 0.',
    finding((petId, _call, pets) => pets[pets.findIndex(({ id }) => String(id) === petId) - 1]),
  ],
  'get-last-added': [
    'A read of an added pet answers the one added last: a variable that is shared.',
    finding((petId, call, pets) =>
      Number(petId) > 8 && plainly(petId, call) ? pets.at(-1) : plainly(petId, call),
    ),
    wrongPet,
  ],
  'get-cached-by-first-digit': [
    'Reads are cached by the first digit of the identifier.',
    cachingByDigit,
    [...wrongPet, ...absent],
  ],
  'get-first-read-for-good': [
    'The first pet that was read is answered ever after: a cache without a key.',
    cachingFirst,
    [...wrongPet, ...absent],
  ],
  'get-shows-id-only-asked': [
    'A read answers the first pet under the identifier that was asked for.',
    finding((petId, call, pets) =>
      plainly(petId, call) && pets[0] ? { ...pets[0], id: BigInt(petId) } : undefined,
    ),
    readMembers,
  ],
});

function cachingByDigit(): Parts {
  const saved = new Map<string, Pet>();
  return finding((petId, call) => {
    const digit = petId.charAt(0);
    const pet = saved.get(digit) ?? plainly(petId, call);
    if (pet) saved.set(digit, pet);
    return pet;
  });
}

function cachingFirst(): Parts {
  let first: Pet | undefined;
  return finding((petId, call) => (first ??= plainly(petId, call)));
}

const failed = createRefusal(500, 'internal_error', 'The service failed.');

/** Reads of identifiers that nothing has, answered otherwise than 404. */
const strays = listMutants(
  'get-absent-',
  absent,
  (find: ServiceBehaviour['find']): Parts => ({ find }),
  {
    prefix: [
      'An identifier is matched by its start, so that 1234 finds 1.',
      (petId, call) =>
        plainly(petId, call) ??
        [...call.inventory.pets.values()].find(({ id }) => petId.startsWith(String(id))) ??
        find(petId, call),
    ],
    'first-pet': [
      'A read of nothing answers the first pet.',
      (petId, call) => plainly(petId, call) ?? find('1', call),
    ],
    'made-up': [
      'A read of nothing answers a pet made for the occasion.',
      (petId, call) =>
        plainly(petId, call) ??
        (/^\d{1,18}$/.test(petId)
          ? { id: BigInt(petId) + 1n, name: 'New pet', categoryId: 1n, status: undefined, rest: {} }
          : find(petId, call)),
    ],
    '500': [
      'A read of nothing is answered 500: the missing row is used.',
      (petId, call) => (/^\d+$/.test(petId) ? (plainly(petId, call) ?? failed) : find(petId, call)),
    ],
    'beyond-32-bits-500': [
      'A read beyond 32 bits overflows in the database and is answered 500.',
      (petId, call) => (/^\d{11,18}|[1-9]\d{18}$/.test(petId) ? failed : find(petId, call)),
    ],
    '400': [
      'A read of nothing is answered 400.',
      (petId, call) =>
        /^\d+$/.test(petId)
          ? (plainly(petId, call) ?? createRefusal(400, 'bad_request', 'There is no such pet.'))
          : find(petId, call),
    ],
  },
);

const lags = createMutants(readable, {
  'get-no-added': [
    'Added pets are never found by their identifier.',
    finding((petId, call) => (Number(petId) > 8 ? undefined : plainly(petId, call))),
  ],
  'get-no-listed': [
    'Only pets added since the start are found by their identifier.',
    finding((petId, call) => (Number(petId) > 8 ? plainly(petId, call) : undefined)),
  ],
  'get-no-two-digits': [
    'The route takes one digit only.',
    finding((petId, call) => (petId.length > 1 ? undefined : plainly(petId, call))),
  ],
  'get-no-sold': [
    'Sold pets are not found by their identifier: a scope of the model.',
    finding((petId, call) =>
      plainly(petId, call)?.status === 'sold' ? undefined : plainly(petId, call),
    ),
  ],
  'get-lags-1': [lateBy(1), () => lagging(1)],
  'get-lags-3': [lateBy(3), () => lagging(3)],
  'get-lags-30': [lateBy(30), () => lagging(30)],
  'get-once': [
    'A pet is found once, then it is gone from the cache that is never filled again.',
    findingOnce,
  ],
});

function lateBy(requests: number): string {
  return `A pet is found from the ${requests + 1}th request after its addition on: reads go to a replica.`;
}

function lagging(requests: number): Parts {
  const addedAt = new Map<bigint, number>();
  return {
    store: (pet, call) => {
      addedAt.set(pet.id, call.ordinal);
      keep(pet, call);
    },
    ...finding((petId, call) => {
      const pet = plainly(petId, call);
      return pet && call.ordinal <= (addedAt.get(pet.id) ?? -requests) + requests ? undefined : pet;
    }),
  };
}

function findingOnce(): Parts {
  const found = new Set<string>();
  return finding((petId, call) => {
    const again = found.has(petId);
    found.add(petId);
    return again ? undefined : plainly(petId, call);
  });
}

/** Identifiers given twice, taken from clients or lost, and reads that find another pet or none. */
export const identifierMutants: readonly Mutant[] = [
  ...assignments,
  ...rounded,
  ...lookups,
  ...strays,
  ...lags,
];
