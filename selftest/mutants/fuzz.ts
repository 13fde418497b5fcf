import type { Call, OperationId, ServiceResponse, ServiceBehaviour } from '../service/behaviour.ts';
import { createRefusal } from '../service/behaviour.ts';
import { checkName } from '../service/new-pet.ts';
import { refuse, refuseCredential, respond } from '../service/operations.ts';
import type { NewPet, Pet } from '../service/pet.ts';
import { presentPet } from '../service/pet.ts';
import { filterByStatus, find, select } from '../service/selection.ts';
import type { Mutant } from '../subject/mutant.ts';
import type { Change } from '../subject/pet-change.ts';
import { changingPet, failingOn, keep, readRequirements } from '../subject/pet-change.ts';

/** Pets that a service has from its seed. */
const seeded = 8n;

/**
 * Mutants that show once in a while, or only in a large inventory: found by thousands of requests,
 * not by sixty.
 */
export const fuzzMutants: readonly Mutant[] = [
  ...rareValues(),
  ...rareWireResponses(),
  ...largeInventories(),
  ...lateWrites(),
].map((mutant) => ({ ...mutant, needs: 'fuzz' }));

/** One value of many that is changed, or brings the service down. */
function rareValues(): readonly Mutant[] {
  const name = readRequirements('name', 'everywhere');
  const category = readRequirements('categoryId', 'everywhere');
  const changes: readonly (readonly [
    id: string,
    breaks: Mutant['breaks'],
    summary: string,
    change: Change,
  ])[] = [
    [
      'category-97',
      category,
      'A categoryId divisible by 97, but for 0, loses one.',
      (pet) =>
        pet.categoryId !== 0n && pet.categoryId % 97n === 0n
          ? { ...pet, categoryId: pet.categoryId - 1n }
          : pet,
    ],
    [
      'category-thousandth',
      category,
      'One categoryId in a thousand, those that end in 777, comes back as 777.',
      (pet) => (pet.categoryId % 1000n === 777n ? { ...pet, categoryId: 777n } : pet),
    ],
    [
      'category-small-negative',
      category,
      'A categoryId from -128 to -1 loses its sign.',
      (pet) =>
        pet.categoryId < 0n && pet.categoryId >= -128n
          ? { ...pet, categoryId: -pet.categoryId }
          : pet,
    ],
    [
      'category-32nd-bit',
      category,
      'A categoryId from 2^31 to 2^32 - 1 turns negative: numbers of four bytes are read as signed.',
      (pet) =>
        pet.categoryId > 0n && pet.categoryId < 2n ** 32n
          ? { ...pet, categoryId: BigInt.asIntN(32, pet.categoryId) }
          : pet,
    ],
    [
      'name-sharp-s',
      name,
      'A sharp s in a name becomes ss.',
      (pet) => ({ ...pet, name: pet.name.replaceAll('\u00df', 'ss') }),
    ],
    [
      'name-soft-hyphen',
      name,
      'A soft hyphen or a byte order mark in a name is dropped.',
      (pet) => ({ ...pet, name: pet.name.replaceAll(/[\u00ad\ufeff]/g, '') }),
    ],
    [
      'name-ends-in-backslash',
      name,
      'A backslash at the very end of a name is lost.',
      (pet) => ({ ...pet, name: pet.name.replace(/\\$/, '') }),
    ],
    [
      'name-of-64',
      name,
      'A name of exactly 64 characters loses the last one, which the terminator overwrites.',
      (pet) => ({ ...pet, name: pet.name.length === 64 ? pet.name.slice(0, 63) : pet.name }),
    ],
    [
      'name-over-4096',
      name,
      'A name is cut to 4,096 characters.',
      (pet) => ({ ...pet, name: pet.name.slice(0, 4096) }),
    ],
  ];
  return [
    ...changes.map(([id, breaks, summary, change]): Mutant => ({
      id: `deep-${id}`,
      breaks,
      summary,
      behaviour: () => changingPet('everywhere', change),
    })),
    {
      id: 'deep-sold-large-500',
      breaks: [
        'createPet/status.201',
        'createPet/robustness.no-server-error',
        'createPet/concurrency.stored',
      ],
      summary: 'A sold pet of a category beyond 32 bits is answered 500.',
      behaviour: () =>
        failingOn(({ status, categoryId }) => status === 'sold' && categoryId > 2n ** 31n),
    },
  ];
}

/** Answers that are wrong by their number, whatever was asked. */
function rareWireResponses(): readonly Mutant[] {
  return [
    {
      id: 'deep-addition-500-each-50th',
      breaks: [
        'createPet/status.201',
        'createPet/robustness.no-server-error',
        'createPet/concurrency.stored',
      ],
      summary: 'Each 50th sound addition is answered 500: a worker that is recycled.',
      behaviour: () => failingEach(50),
    },
    {
      id: 'deep-list-500-each-40th',
      breaks: ['listPets/status.200', 'listPets/robustness.no-server-error'],
      summary: 'Each 40th list is answered 500: the pool of connections is used up.',
      behaviour: () =>
        answeringEach('listPets', 200, 40, (_response, call, all) =>
          refuse(createRefusal(500, 'internal_error', 'The service failed.'), call, all),
        ),
    },
    {
      id: 'deep-addition-cut-each-60th',
      breaks: ['createPet/response.201.body'],
      summary:
        'The body of each 60th answer to an addition ends early, with a Content-Length that fits.',
      behaviour: cuttingAdditions,
    },
    {
      id: 'deep-key-forgotten-each-60th',
      breaks: ['getPet/status.200', 'getPet/state.readable'],
      summary: 'Each 60th single read is answered 401: the cache of keys is being filled.',
      behaviour: () =>
        answeringEach('getPet', 200, 60, (_response, call, all) => refuseCredential(call, all)),
    },
    {
      id: 'deep-item-without-name-each-70th',
      breaks: ['getPet/response.200.body.name.required'],
      summary: 'Each 70th single read leaves the name out: a field resolver that timed out.',
      behaviour: leavingNameOut,
    },
    {
      id: 'deep-check-skipped-each-40th',
      breaks: ['createPet/request.body.name.type'],
      summary: 'Each 40th check of a name lets any type through: one worker runs an old version.',
      behaviour: skippingChecks,
    },
  ];
}

/** A service that falls over each so-many-th sound addition. */
function failingEach(nth: number): Partial<ServiceBehaviour> {
  let additions = 0;
  return failingOn(() => (additions += 1) % nth === 0);
}

/**
 * A service that responses each so-many-th request of an operation, among those of a status, in
 * another way.
 */
function answeringEach(
  operation: OperationId,
  status: number,
  nth: number,
  change: (response: ServiceResponse, call: Call, all: ServiceBehaviour) => ServiceResponse,
): Partial<ServiceBehaviour> {
  let answered = 0;
  return {
    respond: async (call, all) => {
      const response = await respond(call, all);
      if (
        call.route.kind !== 'operation' ||
        call.route.operation !== operation ||
        response.status !== status
      )
        return response;
      answered += 1;
      return answered % nth === 0 ? change(response, call, all) : response;
    },
  };
}

function cuttingAdditions(): Partial<ServiceBehaviour> {
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

function leavingNameOut(): Partial<ServiceBehaviour> {
  let reads = 0;
  return {
    presentItem: (pet) => {
      reads += 1;
      const { name, ...rest } = { ...presentPet(pet), name: pet.name };
      return reads % 70 === 0 ? rest : { ...rest, name };
    },
  };
}

function skippingChecks(): Partial<ServiceBehaviour> {
  let checks = 0;
  return {
    checkName: (value) => {
      checks += 1;
      return checks % 40 === 0 && value !== undefined ? undefined : checkName(value);
    },
  };
}

/** Mutants of lists and reads that need more pets than a short run adds. */
function largeInventories(): readonly Mutant[] {
  const filled = [
    'listPets/parameter.limit.filled',
    'listPets/state.listed',
    'listPets/parameter.status.filter',
  ] as const;
  return [
    {
      id: 'deep-list-over-64',
      breaks: filled,
      summary: 'A list of more than 64 pets lacks the 65th: a seam of two batches.',
      behaviour: () => ({
        select: (pets, query, call, all) =>
          select(pets, query, call, all).filter((_pet, index) => index !== 64),
      }),
    },
    {
      id: 'deep-list-100th',
      breaks: ['listPets/parameter.limit.filled', 'listPets/state.listed'],
      summary: 'A list of 100 pets has 99: the limit is exclusive where it is the largest.',
      behaviour: () => ({
        select: (pets, query, call, all) => select(pets, query, call, all).slice(0, 99),
      }),
    },
    {
      id: 'deep-list-repeats-over-64',
      breaks: ['listPets/state.distinct', ...filled],
      summary: 'The 65th pet of a list is the 64th again: batches that overlap.',
      behaviour: () => ({
        select: (pets, query, call, all) => repeat64th(select(pets, query, call, all)),
      }),
    },
    {
      id: 'deep-filter-full-page',
      breaks: ['listPets/parameter.status.filter', 'listPets/state.listed'],
      summary: 'A filtered list that is full lets one pet of another status in at its end.',
      behaviour: () => ({
        select: (pets, query, call, all) =>
          spoilFullPage(select(pets, query, call, all), query.status, pets),
      }),
    },
    {
      id: 'deep-filter-over-40',
      breaks: ['listPets/state.listed', 'listPets/parameter.status.filter'],
      summary: 'A filter finds the first 40 matches only.',
      behaviour: () => ({ filter: (pets, status) => filterByStatus(pets, status).slice(0, 40) }),
    },
    {
      id: 'deep-get-99th-item',
      breaks: ['getPet/state.read.name'],
      summary: 'The 99th pet to be added is read under the name of the 98th.',
      behaviour: () => ({
        presentItem: (pet, { inventory }) =>
          presentPet(
            pet.id === seeded + 99n
              ? { ...pet, name: inventory.pets.get(pet.id - 1n)?.name ?? pet.name }
              : pet,
          ),
      }),
    },
  ];
}

function repeat64th(pets: readonly Pet[]): readonly Pet[] {
  return pets.map((pet, index) => (index === 64 ? (pets[63] ?? pet) : pet));
}

function spoilFullPage(
  page: readonly Pet[],
  status: Pet['status'],
  pets: readonly Pet[],
): readonly Pet[] {
  const stranger = pets.find((pet) => pet.status !== undefined && pet.status !== status);
  return status !== undefined && page.length >= 20 && stranger && page.length < pets.length
    ? [...page.slice(0, -1), stranger]
    : page;
}

/** Additions that go wrong after many that went well. */
function lateWrites(): readonly Mutant[] {
  return [
    {
      id: 'deep-id-33rd',
      breaks: ['createPet/state.id-unique'],
      summary: 'The 33rd identifier given is the 32nd again.',
      behaviour: () => ({ assignId: repeatingOnce }),
    },
    {
      id: 'deep-id-wraps-at-127',
      breaks: [
        'createPet/state.id-unique',
        ...['name', 'categoryId', 'status'].flatMap((name) => [
          `listPets/state.read.${name}`,
          `getPet/state.read.${name}`,
        ]),
      ],
      summary: 'Identifiers are counted in a signed byte and go on at 1 after 127.',
      behaviour: () => ({ assignId: countingInByte }),
    },
    {
      id: 'deep-memory-of-50',
      breaks: [
        'getPet/state.readable',
        'getPet/status.200',
        'listPets/state.listed',
        'listPets/parameter.limit.filled',
        'listPets/parameter.status.filter',
      ],
      summary: 'Only the last 50 pets are kept.',
      behaviour: () => ({ store: keepingLast50 }),
    },
    {
      id: 'deep-read-after-30',
      breaks: ['getPet/state.read.categoryId'],
      summary: 'From the 30th addition on, single reads show the category of the first pet.',
      behaviour: () => ({
        presentItem: (pet, { inventory }) =>
          presentPet(
            pet.id > seeded + 30n
              ? { ...pet, categoryId: inventory.pets.get(1n)?.categoryId ?? 0n }
              : pet,
          ),
      }),
    },
    {
      id: 'deep-status-lost-each-25th',
      breaks: [...readRequirements('status', 'stored'), 'listPets/state.listed'],
      summary: 'Each 25th pet is stored as available, whatever it was sent as.',
      behaviour: () =>
        changingPet('stored', (pet) =>
          pet.id % 25n === 0n && pet.status !== undefined ? { ...pet, status: 'available' } : pet,
        ),
    },
    {
      id: 'deep-write-lost-each-60th',
      breaks: [
        'getPet/state.readable',
        'getPet/status.200',
        'listPets/state.listed',
        'createPet/concurrency.stored',
      ],
      summary: 'Each 60th addition is answered and not stored.',
      behaviour: () => ({
        store: (pet, call) => (pet.id % 60n === 0n ? undefined : keep(pet, call)),
      }),
    },
    {
      id: 'deep-get-1xx',
      breaks: ['getPet/state.read.id'],
      summary:
        'An identifier of three digits is looked up by its first two where that finds a pet.',
      behaviour: () => ({
        find: (petId, call) =>
          /^\d{3}$/.test(petId) ? find(petId.slice(0, 2), call) : find(petId, call),
      }),
    },
  ];
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
