import { changeMember, changeMembers, type Wrong } from '../../subject/member.ts';
import {
  leaveOut,
  changeBody,
  changeRecord,
  replace,
  textOf,
} from '../../subject/response-change.ts';
import { type Call, createRefusal } from '../../service/behaviour.ts';
import { isRecord, type Json } from '../../service/json.ts';
import { seedPets } from '../../service/inventory.ts';
import { isInt64 } from '../../service/pet.ts';
import { type Mutant, createMutant, createMutants } from '../../subject/mutant.ts';
import { created, fetched, isAt, listed, requirementsAt, petPlaces } from '../../subject/place.ts';

const largestExact = 2n ** 53n;

function isBeyondDouble(value: Json): value is bigint {
  return typeof value === 'bigint' && (value > largestExact || value < -largestExact);
}

/** Members that are answered wrongly for some values only, in every place. */
const everywhere: Wrong = {
  'categoryId.type': {
    'category-string-beyond-double': [
      'a categoryId beyond 2^53 is a string, so that JavaScript reads it.',
      (id) => (isBeyondDouble(id) ? textOf(id) : id),
    ],
  },
  'name.type': {
    'name-null-not-ascii': [
      'a name beyond ASCII is null: the encoder gave up on it.',
      (name) => (/[^\0-\x7f]/.test(textOf(name)) ? null : name),
    ],
  },
};

/** The same, but not of single pets. */
const listedOrCreated: Wrong = {
  'name.type': {
    'name-buffer-long': [
      'a long name is a buffer object: the driver gives large texts as bytes.',
      (name) =>
        textOf(name).length > 255
          ? { type: 'Buffer', data: [...Buffer.from(textOf(name))].map(BigInt) }
          : name,
    ],
  },
};

const zeroDropped = 'a categoryId of 0 is left out, as falsy members are.';
const nullIfAbsent = 'the status of a pet that has none is null.';

const memberMutants: readonly Mutant[] = [
  ...petPlaces.flatMap((place) => [
    ...changeMembers(place, everywhere),
    changeMember(place, 'status-null-if-absent', 'status.type', nullIfAbsent, (pet) => ({
      ...pet,
      status: pet['status'] ?? null,
    })),
  ]),
  ...[listed, created].flatMap((place) => [
    ...changeMembers(place, listedOrCreated),
    changeMember(place, 'category-zero-dropped', 'categoryId.required', zeroDropped, (pet) =>
      pet['categoryId'] === 0n ? leaveOut(pet, 'categoryId') : pet,
    ),
  ]),
];

const idMutants: readonly Mutant[] = [
  createMutant(
    'created-id-null-without-status',
    requirementsAt(created, 'body.id.type'),
    'The id is null where no status is sent: that way of adding does not read the key back.',
    changeRecord(created, (pet) => (pet['status'] === undefined ? { ...pet, id: null } : pet)),
  ),
  ...[listed, fetched].map((place) =>
    createMutant(
      `${place.name}-id-string-beyond-double`,
      requirementsAt(place, `${place.pet}.id.type`),
      `In ${place.words}, an id beyond 2^53 is a string.`,
      {
        seed: () => seedPets(8).map((pet) => ({ ...pet, id: pet.id + largestExact })),
        ...changeRecord(place, (pet) =>
          replace(pet, 'id', (id) => (isBeyondDouble(id) ? textOf(id) : id)),
        ),
      },
    ),
  ),
  createMutant(
    'id-unsigned',
    [
      'createPet/response.201.body.id.format',
      'listPets/response.200.body[].id.format',
      'getPet/response.200.body.id.format',
    ],
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
  ),
];

const limitOf = ({ target }: Call): number => Number(/limit=(\d+)/.exec(target)?.[1] ?? 20);

const itemMutants: readonly Mutant[] = createMutants(requirementsAt(listed, 'body[].type'), {
  'list-null-at-end': [
    'A list that is not full ends with null: a placeholder of the template.',
    {
      render: (response, call) =>
        isAt(listed, call, response.status) &&
        Array.isArray(response.body) &&
        response.body.length < limitOf(call)
          ? { ...response, body: [...response.body, null] }
          : response,
    },
  ],
  'list-ids-after-tenth': [
    'A list has whole pets for the first ten only, and ids after them: a batch loader stops.',
    changeBody(listed, (body) =>
      Array.isArray(body)
        ? body.map((pet: Json, index) => (index < 10 || !isRecord(pet) ? pet : (pet['id'] ?? null)))
        : body,
    ),
  ],
});

/** Members that are answered wrongly for some values, some pets or some places of a list only. */
export const bodyValueMutants: readonly Mutant[] = [...memberMutants, ...idMutants, ...itemMutants];
