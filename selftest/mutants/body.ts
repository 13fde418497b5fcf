import { type Parts, createRefusal, isRefusal } from '../service/behaviour.ts';
import { seedPets } from '../service/inventory.ts';
import { isRecord, type Json } from '../service/json.ts';
import { checkCategoryId, validateNewPet } from '../service/new-pet.ts';
import { isInt64, petStatuses } from '../service/pet.ts';
import { type Mutant, createMutants, requirementsOf } from '../subject/mutant.ts';
import {
  changingPet,
  failingOn,
  type Place as PetPlace,
  readRequirements,
} from '../subject/pet-change.ts';
import {
  type Place,
  created,
  fetched,
  isAt,
  listed,
  petPlaces,
  petRequirements,
  refused,
  requiredAt,
  requirementsAt,
} from '../subject/place.ts';
import {
  changeBody,
  changeRecord,
  changeResponse,
  replace,
  textOf,
} from '../subject/response-change.ts';

/** Bodies of another form than the document's: wrapped, or with another status, as a whole. */
const forms: readonly Mutant[] = [
  ...createMutants(requirementsAt(created, 'body.id.type'), {
    'created-id-string': [
      'In the response to an addition, the id is a string.',
      changeRecord(created, (pet) => ({ ...pet, id: textOf(pet['id'] ?? null) })),
    ],
    'created-id-null-without-status': [
      'The id is null where no status is sent: that way of adding does not read the key back.',
      changeRecord(created, (pet) => (pet['status'] === undefined ? { ...pet, id: null } : pet)),
    ],
    'list-in-data': [
      'A list is in `data`, as wrapped responses have it.',
      changeBody(listed, (body) => ({ data: body })),
      requirementsAt(listed, 'body.type'),
    ],
    'created-in-data': [
      'In the response to an addition, the pet is in `data`.',
      changeBody(created, (body) => ({ data: body })),
      requiredAt(created),
    ],
    'refused-in-error': [
      'The body of a 400 has everything below `error`.',
      changeRecord(refused, (error) => ({ error })),
      requirementsAt(
        refused,
        'body.code.required',
        'body.message.required',
        'body.status.required',
      ),
    ],
    'created-status-202': [
      'An addition is answered as accepted: 202 instead of 201.',
      changeResponse(created, (response) => ({ ...response, status: 202 })),
      ['createPet/status.201'],
    ],
  }),
];

function isBeyondDouble(value: Json): value is bigint {
  return typeof value === 'bigint' && (value > 2n ** 53n || value < -(2n ** 53n));
}

/** Changes a member of the objects of a place, where it is there. */
function member(place: Place, name: string, change: (value: Json) => Json): Parts {
  return changeRecord(place, (record) => replace(record, name, change));
}

/** Members that are wrong for some values, some pets or some places of a list only. */
const sometimes: readonly Mutant[] = [
  ...petPlaces.flatMap((place) =>
    createMutants(requirementsAt(place, `${place.pet}.name.type`), {
      [`${place.name}-name-null-not-ascii`]: [
        `In ${place.words}, a name beyond ASCII is null: the encoder gave up on it.`,
        member(place, 'name', (name) => (/[^\0-\x7f]/.test(textOf(name)) ? null : name)),
      ],
    }),
  ),
  ...[listed, fetched].flatMap((place) =>
    createMutants(requirementsAt(place, `${place.pet}.id.type`), {
      [`${place.name}-id-string-beyond-double`]: [
        `In ${place.words}, an id beyond 2^53 is a string.`,
        {
          seed: () => seedPets(8).map((pet) => ({ ...pet, id: pet.id + 2n ** 53n })),
          ...member(place, 'id', (id) => (isBeyondDouble(id) ? textOf(id) : id)),
        },
      ],
    }),
  ),
  ...createMutants(requirementsOf(petRequirements('id.format')), {
    'id-unsigned': [
      'New ids are unsigned 64-bit numbers beyond the signed ones.',
      {
        assignId: (_value, { inventory }) => {
          inventory.nextId += 1n;
          return isInt64(inventory.nextId) ? 2n ** 63n + inventory.nextId : inventory.nextId;
        },
        find: (petId, { inventory }) =>
          (/^\d+$/.test(petId) ? inventory.pets.get(BigInt(petId)) : undefined) ??
          createRefusal(404, 'not_found', 'No pet has this identifier.'),
      },
    ],
  }),
  ...createMutants(requirementsAt(listed, 'body[].type'), {
    'list-null-at-end': [
      'A list that is not full ends with null: a placeholder of the template.',
      {
        render: (response, call) => {
          const limit = Number(/limit=(\d+)/.exec(call.target)?.[1] ?? 20);
          const { body, status } = response;
          const isShort = Array.isArray(body) && body.length < limit;
          return isShort && isAt(listed, call, status)
            ? { ...response, body: [...body, null] }
            : response;
        },
      },
    ],
    'list-ids-after-tenth': [
      'A list has whole pets for the first ten only, and ids after them: a batch loader stops.',
      changeBody(listed, (body) =>
        Array.isArray(body)
          ? body.map((pet: Json, at) => (at < 10 || !isRecord(pet) ? pet : (pet['id'] ?? null)))
          : body,
      ),
    ],
  }),
];

const changing =
  (change: (categoryId: bigint) => bigint) =>
  (place: PetPlace): Parts =>
    changingPet(place, (pet) => ({ ...pet, categoryId: change(pet.categoryId) }));

const throughDouble = changing((value) => {
  const double = BigInt(Number(value));
  return double < 2n ** 63n ? double : 2n ** 63n - 1n;
});
const to32Bits = changing((value) => BigInt.asIntN(32, value));

const taken = 'createPet/request.body.categoryId.taken';

/** Numbers that are too large and taken, valid and refused, or changed on the way. */
const numbers: readonly Mutant[] = [
  ...createMutants([taken], {
    'category-id-too-large-wrapped': [
      'An integer above 64 bits wraps around.',
      readingMember('categoryId', (value) =>
        typeof value === 'bigint' && value >= 2n ** 63n ? BigInt.asIntN(64, value) : value,
      ),
      ['createPet/request.body.categoryId.format'],
    ],
    'category-id-beyond-double-refused': [
      'A categoryId beyond 2^53 is refused.',
      {
        checkCategoryId: (value) =>
          value !== undefined && isBeyondDouble(value)
            ? 'categoryId is out of range.'
            : checkCategoryId(value),
      },
    ],
    'category-id-beyond-double-500': [
      'A categoryId beyond 2^53 is answered 500.',
      failingOn(({ categoryId }) => isBeyondDouble(categoryId)),
      [taken, 'createPet/robustness.no-server-error'],
    ],
    'category-id-zero-500': [
      'A categoryId of 0, which is falsy, is answered 500.',
      failingOn(({ categoryId }) => categoryId === 0n),
      [taken, 'createPet/robustness.no-server-error'],
    ],
    'category-id-double-everywhere': [
      'The categoryId goes through a double and back, the ends saturated.',
      throughDouble('everywhere'),
      readRequirements('categoryId', 'everywhere'),
    ],
    'category-id-double-list': [
      'Lists show the categoryId through a double.',
      throughDouble('list'),
      readRequirements('categoryId', 'list'),
    ],
    'category-id-32-bits-stored': [
      'The categoryId is stored in its lower 32 bits.',
      to32Bits('stored'),
      readRequirements('categoryId', 'stored'),
    ],
    'category-id-double-printed': [
      'The categoryId is read as a double, so that the largest integer comes back as 2^63.',
      changing((value) => BigInt(Number(value)))('everywhere'),
      ['createPet/state.echo.categoryId', ...petRequirements('categoryId.format')],
    ],
  }),
];

/** Values that a service takes although their type, or the choice, is wrong. */
const accepted: readonly Mutant[] = [
  ...createMutants(['createPet/request.body.status.values'], {
    'name-number-kept': [
      'A number as name is stored as a number.',
      keepingNumbersAsName,
      ['createPet/request.body.name.type', ...petRequirements('name.type')],
    ],
    'status-unknown-left-out': [
      'A status that is none of the three counts as none.',
      readingMember('status', (value) =>
        typeof value === 'string' ? petStatuses.find((status) => status === value) : value,
      ),
    ],
    'status-lower-cased': [
      'A status in capitals is accepted in lower case.',
      readingMember('status', (value) => (typeof value === 'string' ? value.toLowerCase() : value)),
    ],
  }),
];

/** A service that reads a member of bodies before the checks; undefined is nothing. */
function readingMember(name: string, read: (value: Json | undefined) => Json | undefined): Parts {
  return {
    validateNewPet: (body, all) => {
      if (!isRecord(body)) return validateNewPet(body, all);
      const { [name]: value, ...others } = body;
      const changed = read(value);
      return validateNewPet(changed === undefined ? others : { ...others, [name]: changed }, all);
    },
  };
}

/** A store without a schema. */
function keepingNumbersAsName(): Parts {
  return {
    validateNewPet: (body, all) => {
      const name = isRecord(body) ? body['name'] : undefined;
      if (!isRecord(body) || (typeof name !== 'bigint' && typeof name !== 'number'))
        return validateNewPet(body, all);
      const checked = validateNewPet({ ...body, name: '' }, all);
      return isRefusal(checked) ? checked : { ...checked, rest: { name } };
    },
    acceptNewPet: ({ rest: { name }, ...value }) => ({
      ...value,
      rest: name === undefined ? {} : { name },
    }),
  };
}

/** Bodies that are wrong, as a whole or for some values, and wrong ones that are taken. */
export const bodyMutants: readonly Mutant[] = [...forms, ...sometimes, ...numbers, ...accepted];
