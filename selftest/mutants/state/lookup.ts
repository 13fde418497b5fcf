import {
  type Call,
  type Parts,
  type ServiceBehaviour,
  createRefusal,
  isRefusal,
} from '../../service/behaviour.ts';
import type { Pet } from '../../service/pet.ts';
import { find } from '../../service/selection.ts';
import { type Mutant, createMutants, listMutants, needing } from '../../subject/mutant.ts';
import { keep } from '../../subject/pet-change.ts';
import { fallen } from '../../subject/place.ts';

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
    '400': [
      'A read of nothing is answered 400.',
      (petId, call) =>
        /^\d+$/.test(petId)
          ? (plainly(petId, call) ?? createRefusal(400, 'bad_request', 'There is no such pet.'))
          : find(petId, call),
    ],
    prefix: [
      'An identifier is matched by its start, so that 1234 finds 1.',
      (petId, call) =>
        plainly(petId, call) ??
        [...call.inventory.pets.values()].find(({ id }) => petId.startsWith(String(id))) ??
        find(petId, call),
    ],
    'beyond-32-bits-other': [
      'The identifier is cut to 32 bits where nothing has the whole one.',
      (petId, call) =>
        plainly(petId, call) ??
        (/^\d{1,18}|[1-8]\d{18}$/.test(petId)
          ? find(String(BigInt.asUintN(32, BigInt(petId))), call)
          : find(petId, call)),
    ],
    'made-up': [
      'A read of nothing answers a pet made for the occasion.',
      (petId, call) =>
        plainly(petId, call) ??
        (/^\d{1,18}$/.test(petId)
          ? { id: BigInt(petId) + 1n, name: 'New pet', categoryId: 1n, status: undefined, rest: {} }
          : find(petId, call)),
    ],
    'beyond-32-bits-500': [
      'A read beyond 32 bits overflows in the database and is answered 500.',
      (petId, call) => (/^\d{11,18}|[1-9]\d{18}$/.test(petId) ? failed : find(petId, call)),
      [...absent, fallen.single],
    ],
  },
);

const lags = createMutants(readable, {
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
  }),
);

/** Reads that find another pet, or none. */
export const lookupMutants: readonly Mutant[] = [...lookups, ...strays, ...lags, ...pushedOut];
