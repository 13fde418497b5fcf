import {
  type Parts,
  type Call,
  type OperationId,
  type ServiceResponse,
  type ServiceBehaviour,
  createRefusal,
} from '../service/behaviour.ts';
import { checkName } from '../service/new-pet.ts';
import { refuse, refuseCredential, respond } from '../service/operations.ts';
import { type NewPet, type Pet, presentPet } from '../service/pet.ts';
import { filterByStatus, find, select } from '../service/selection.ts';
import { type Mutant, createMutants, createMutant, mapWays, type Ways } from '../subject/mutant.ts';
import {
  type Change,
  changingPet,
  failingOn,
  keep,
  readRequirements,
} from '../subject/pet-change.ts';
import { isCallOf } from '../subject/place.ts';
import type { Member } from '../subject/reading.ts';

const additionFails = [
  'createPet/status.201',
  'createPet/robustness.no-server-error',
  'createPet/concurrency.stored',
] as const;

const seeded = 8n;

/** Mutants that show once in a while, or only in a large inventory: not within sixty requests. */
export const fuzzMutants: readonly Mutant[] = [
  ...rareValues(),
  ...rareResponses(),
  ...largeInventories(),
  ...lateWrites(),
].map((mutant) => ({ ...mutant, needs: 'fuzz' }));

/** One value of many that is changed, or brings the service down. */
function rareValues(): readonly Mutant[] {
  const categories: Ways<(categoryId: bigint) => bigint> = {
    'category-97': [
      'A categoryId divisible by 97, but for 0, loses one.',
      (id) => (id !== 0n && id % 97n === 0n ? id - 1n : id),
    ],
    'category-thousandth': [
      'One categoryId in a thousand, those that end in 777, comes back as 777.',
      (id) => (id % 1000n === 777n ? 777n : id),
    ],
    'category-small-negative': [
      'A categoryId from -128 to -1 loses its sign.',
      (id) => (id < 0n && id >= -128n ? -id : id),
    ],
    'category-32nd-bit': [
      'A categoryId from 2^31 to 2^32 - 1 turns negative: numbers of four bytes are read as signed.',
      (id) => (id > 0n && id < 2n ** 32n ? BigInt.asIntN(32, id) : id),
    ],
  };
  const names: Ways<(name: string) => string> = {
    'name-sharp-s': ['A sharp s in a name becomes ss.', (name) => name.replaceAll('\u00df', 'ss')],
    'name-soft-hyphen': [
      'A soft hyphen or a byte order mark in a name is dropped.',
      (name) => name.replaceAll(/[\u00ad\ufeff]/g, ''),
    ],
    'name-ends-in-backslash': [
      'A backslash at the very end of a name is lost.',
      (name) => name.replace(/\\$/, ''),
    ],
    'name-of-64': [
      'A name of exactly 64 characters loses the last one, which the terminator overwrites.',
      (name) => (name.length === 64 ? name.slice(0, 63) : name),
    ],
    'name-over-4096': ['A name is cut to 4,096 characters.', (name) => name.slice(0, 4096)],
  };
  return [
    ...mapWays(categories, (id, summary, change) =>
      changing('categoryId', id, summary, (pet) => ({
        ...pet,
        categoryId: change(pet.categoryId),
      })),
    ),
    ...mapWays(names, (id, summary, change) =>
      changing('name', id, summary, (pet) => ({ ...pet, name: change(pet.name) })),
    ),
    {
      id: 'deep-sold-large-500',
      breaks: additionFails,
      summary: 'A sold pet of a category beyond 32 bits is answered 500.',
      behaviour: () =>
        failingOn(({ status, categoryId }) => status === 'sold' && categoryId > 2n ** 31n),
    },
  ];
}

function changing(member: Member, id: string, summary: string, change: Change): Mutant {
  const breaks = readRequirements(member, 'everywhere');
  return createMutant(`deep-${id}`, breaks, summary, changingPet('everywhere', change));
}

function rareResponses(): readonly Mutant[] {
  return createMutants(additionFails, {
    'deep-addition-500-each-50th': [
      'Each 50th sound addition is answered 500: a worker that is recycled.',
      () => failingEach(50),
    ],
    'deep-list-500-each-40th': [
      'Each 40th list is answered 500: the pool of connections is used up.',
      () =>
        answeringEach('listPets', 200, 40, (_response, call, all) =>
          refuse(createRefusal(500, 'internal_error', 'The service failed.'), call, all),
        ),
      ['listPets/status.200', 'listPets/robustness.no-server-error'],
    ],
    'deep-addition-cut-each-60th': [
      'The body of each 60th answer to an addition ends early, with a Content-Length that fits.',
      cuttingAdditions,
      ['createPet/response.201.body'],
    ],
    'deep-key-forgotten-each-60th': [
      'Each 60th single read is answered 401: the cache of keys is being filled.',
      () => answeringEach('getPet', 200, 60, (_response, call, all) => refuseCredential(call, all)),
      ['getPet/status.200', 'getPet/state.readable'],
    ],
    'deep-item-without-name-each-70th': [
      'Each 70th single read leaves the name out: a field resolver that timed out.',
      leavingNameOut,
      ['getPet/response.200.body.name.required'],
    ],
    'deep-check-skipped-each-40th': [
      'Each 40th check of a name lets any type through: one worker runs an old version.',
      skippingChecks,
      ['createPet/request.body.name.type'],
    ],
  });
}

function failingEach(nth: number): Parts {
  let additions = 0;
  return failingOn(() => (additions += 1) % nth === 0);
}

/** Answers each so-many-th request of an operation and status in another way. */
function answeringEach(
  operation: OperationId,
  status: number,
  nth: number,
  change: (response: ServiceResponse, call: Call, all: ServiceBehaviour) => ServiceResponse,
): Parts {
  let answered = 0;
  return {
    respond: async (call, all) => {
      const response = await respond(call, all);
      if (!isCallOf(operation, call) || response.status !== status) return response;
      answered += 1;
      return answered % nth === 0 ? change(response, call, all) : response;
    },
  };
}

function cuttingAdditions(): Parts {
  let additions = 0;
  return {
    finish: (wireResponse) => {
      if (wireResponse.status !== 201) return wireResponse;
      additions += 1;
      return additions % 60 === 0
        ? { ...wireResponse, bytes: wireResponse.bytes.subarray(0, -2) }
        : wireResponse;
    },
  };
}

function leavingNameOut(): Parts {
  let reads = 0;
  return {
    presentItem: (pet) => {
      reads += 1;
      const { name, ...rest } = { ...presentPet(pet), name: pet.name };
      return reads % 70 === 0 ? rest : { ...rest, name };
    },
  };
}

function skippingChecks(): Parts {
  let checks = 0;
  return {
    checkName: (value) => {
      checks += 1;
      return checks % 40 === 0 && value !== undefined ? undefined : checkName(value);
    },
  };
}

function largeInventories(): readonly Mutant[] {
  const filled = [
    'listPets/parameter.limit.filled',
    'listPets/state.listed',
    'listPets/parameter.status.filter',
  ] as const;
  return createMutants(filled, {
    'deep-list-over-64': [
      'A list of more than 64 pets lacks the 65th: a seam of two batches.',
      {
        select: (pets, query, call, all) =>
          select(pets, query, call, all).filter((_pet, index) => index !== 64),
      },
    ],
    'deep-list-100th': [
      'A list of 100 pets has 99: the limit is exclusive where it is the largest.',
      { select: (pets, query, call, all) => select(pets, query, call, all).slice(0, 99) },
      ['listPets/parameter.limit.filled', 'listPets/state.listed'],
    ],
    'deep-list-repeats-over-64': [
      'The 65th pet of a list is the 64th again: batches that overlap.',
      { select: (pets, query, call, all) => repeat64th(select(pets, query, call, all)) },
      ['listPets/state.distinct', ...filled],
    ],
    'deep-filter-full-page': [
      'A filtered list that is full lets one pet of another status in at its end.',
      {
        select: (pets, query, call, all) =>
          letStrangerIn(select(pets, query, call, all), query.status, pets),
      },
      ['listPets/parameter.status.filter', 'listPets/state.listed'],
    ],
    'deep-filter-over-40': [
      'A filter finds the first 40 matches only.',
      { filter: (pets, status) => filterByStatus(pets, status).slice(0, 40) },
      ['listPets/state.listed', 'listPets/parameter.status.filter'],
    ],
    'deep-get-99th-item': [
      'The 99th pet to be added is read under the name of the 98th.',
      {
        presentItem: (pet, { inventory }) =>
          presentPet(
            pet.id === seeded + 99n
              ? { ...pet, name: inventory.pets.get(pet.id - 1n)?.name ?? pet.name }
              : pet,
          ),
      },
      ['getPet/state.read.name'],
    ],
  });
}

function repeat64th(pets: readonly Pet[]): readonly Pet[] {
  return pets.map((pet, index) => (index === 64 ? (pets[63] ?? pet) : pet));
}

function letStrangerIn(
  page: readonly Pet[],
  status: Pet['status'],
  pets: readonly Pet[],
): readonly Pet[] {
  const stranger = pets.find((pet) => pet.status !== undefined && pet.status !== status);
  return status !== undefined && page.length >= 20 && stranger && page.length < pets.length
    ? [...page.slice(0, -1), stranger]
    : page;
}

function lateWrites(): readonly Mutant[] {
  return createMutants(['createPet/state.id-unique'], {
    'deep-id-33rd': ['The 33rd identifier given is the 32nd again.', { assignId: repeatingOnce }],
    'deep-id-wraps-at-127': [
      'Identifiers are counted in a signed byte and go on at 1 after 127.',
      { assignId: countingInByte },
      [
        'createPet/state.id-unique',
        ...['name', 'categoryId', 'status'].flatMap((name) => [
          `listPets/state.read.${name}`,
          `getPet/state.read.${name}`,
        ]),
      ],
    ],
    'deep-memory-of-50': [
      'Only the last 50 pets are kept.',
      { store: keepingLast50 },
      [
        'getPet/state.readable',
        'getPet/status.200',
        'listPets/state.listed',
        'listPets/parameter.limit.filled',
        'listPets/parameter.status.filter',
      ],
    ],
    'deep-read-after-30': [
      'From the 30th addition on, single reads show the category of the first pet.',
      {
        presentItem: (pet, { inventory }) =>
          presentPet(
            pet.id > seeded + 30n
              ? { ...pet, categoryId: inventory.pets.get(1n)?.categoryId ?? 0n }
              : pet,
          ),
      },
      ['getPet/state.read.categoryId'],
    ],
    'deep-status-lost-each-25th': [
      'Each 25th pet is stored as available, whatever it was sent as.',
      changingPet('stored', (pet) =>
        pet.id % 25n === 0n && pet.status !== undefined ? { ...pet, status: 'available' } : pet,
      ),
      [...readRequirements('status', 'stored'), 'listPets/state.listed'],
    ],
    'deep-write-lost-each-60th': [
      'Each 60th addition is answered and not stored.',
      { store: (pet, call) => (pet.id % 60n === 0n ? undefined : keep(pet, call)) },
      [
        'getPet/state.readable',
        'getPet/status.200',
        'listPets/state.listed',
        'createPet/concurrency.stored',
      ],
    ],
    'deep-get-1xx': [
      'An identifier of three digits is looked up by its first two where that finds a pet.',
      {
        find: (petId, call) =>
          /^\d{3}$/.test(petId) ? find(petId.slice(0, 2), call) : find(petId, call),
      },
      ['getPet/state.read.id'],
    ],
  });
}

function repeatingOnce(_value: NewPet, { inventory }: Call): bigint {
  const id = inventory.nextId;
  inventory.nextId += 1n;
  return id === seeded + 33n ? id - 1n : id;
}

function countingInByte(_value: NewPet, { inventory }: Call): bigint {
  const id = inventory.nextId;
  inventory.nextId = id === 127n ? 1n : id + 1n;
  return id;
}

function keepingLast50(pet: Pet, call: Call): void {
  keep(pet, call);
  const { pets } = call.inventory;
  for (const id of [...pets.keys()].slice(0, -50)) pets.delete(id);
}
