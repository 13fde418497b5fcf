import type { Call } from '../../service/behaviour.ts';
import { isRecord, type Json } from '../../service/json.ts';
import { seedPets } from '../../service/inventory.ts';
import { isInt64 } from '../../service/pet.ts';
import {
  changeBody,
  changeRecord,
  createFault,
  replace,
  without,
  textOf,
} from '../../subject/response-change.ts';
import type { Fault } from '../../subject/mutant.ts';
import {
  created,
  fetched,
  isAt,
  listed,
  obligationsAt,
  petPlaces,
  type Place,
} from '../../subject/place.ts';

const largestExact = 2n ** 53n;

function isBeyondDouble(value: Json): value is bigint {
  return typeof value === 'bigint' && (value > largestExact || value < -largestExact);
}

/** A member that is answered wrongly for some values only. */
function value(
  place: Place,
  id: string,
  facet: string,
  words: string,
  change: (value: Json) => Json,
): Fault {
  const [name = ''] = facet.split('.');
  const stages = changeRecord(place, (pet) => replace(pet, name, change));
  return createFault(
    `${place.name}-${id}`,
    obligationsAt(place, `${place.pet}.${facet}`),
    `In ${place.words}, ${words}`,
    stages,
  );
}

const categoryFaults = petPlaces.flatMap((place) => [
  value(
    place,
    'category-string-beyond-double',
    'categoryId.type',
    'a categoryId beyond 2^53 is a string, so that JavaScript reads it.',
    (id) => (isBeyondDouble(id) ? textOf(id) : id),
  ),
  value(
    place,
    'category-null-beyond-int32',
    'categoryId.type',
    'a categoryId beyond 32 bits is null: the conversion failed quietly.',
    (id) => (isBeyondDouble(id) ? null : id),
  ),
  value(
    place,
    'category-unsigned',
    'categoryId.format',
    'a negative categoryId is answered as unsigned.',
    (id) => (typeof id === 'bigint' ? BigInt.asUintN(64, id) : id),
  ),
]);

const zeroFaults = [listed, created].map((place) =>
  createFault(
    `${place.name}-category-zero-dropped`,
    obligationsAt(place, `${place.pet}.categoryId.required`),
    `In ${place.words}, a categoryId of 0 is left out, as falsy members are.`,
    changeRecord(place, (pet) => (pet['categoryId'] === 0n ? without(pet, 'categoryId') : pet)),
  ),
);

const nameFaults = petPlaces.flatMap((place) => [
  value(
    place,
    'name-null-not-ascii',
    'name.type',
    'a name beyond ASCII is null: the encoder gave up on it.',
    (name) => (/[^\0-\x7f]/.test(textOf(name)) ? null : name),
  ),
  value(
    place,
    'name-false-control',
    'name.type',
    'a name with control characters is false: the cleaning function failed.',
    (name) => (/\p{Cc}/u.test(textOf(name)) ? false : name),
  ),
]);

const longNameFaults = [listed, created].map((place) =>
  value(
    place,
    'name-buffer-long',
    'name.type',
    'a long name is a buffer object: the driver gives large texts as bytes.',
    (name) =>
      textOf(name).length > 255
        ? { type: 'Buffer', data: [...Buffer.from(textOf(name))].map(BigInt) }
        : name,
  ),
);

const statusFaults = petPlaces.map((place) =>
  createFault(
    `${place.name}-status-null-if-absent`,
    obligationsAt(place, `${place.pet}.status.type`),
    `In ${place.words}, the status of a pet that has none is null.`,
    changeRecord(place, (pet) => ({ ...pet, status: pet['status'] ?? null })),
  ),
);

const oneStatusFaults = [listed, created].flatMap((place) => [
  value(
    place,
    'status-legacy',
    'status.values',
    '`pending` is answered as `reserved`, its name in an older version.',
    (status) => (status === 'pending' ? 'reserved' : status),
  ),
  value(
    place,
    'status-sold-number',
    'status.type',
    '`sold` is answered as 2: one constant has no name.',
    (status) => (status === 'sold' ? 2n : status),
  ),
]);

const idFaults: readonly Fault[] = [
  createFault(
    'created-id-null-without-status',
    obligationsAt(created, 'body.id.type'),
    'The id is null where no status is sent: that way of adding does not read the key back.',
    changeRecord(created, (pet) => (pet['status'] === undefined ? { ...pet, id: null } : pet)),
  ),
  ...[listed, fetched].map((place) =>
    createFault(
      `${place.name}-id-string-beyond-double`,
      obligationsAt(place, `${place.pet}.id.type`),
      `In ${place.words}, an id beyond 2^53 is a string.`,
      {
        seed: () => seedPets(8).map((pet) => ({ ...pet, id: pet.id + largestExact })),
        ...changeRecord(place, (pet) =>
          replace(pet, 'id', (id) => (isBeyondDouble(id) ? textOf(id) : id)),
        ),
      },
    ),
  ),
  createFault(
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
        (/^\d+$/.test(petId) ? inventory.pets.get(BigInt(petId)) : undefined) ?? {
          kind: 'refusal',
          status: 404,
          code: 'not_found',
          reason: 'No pet has this identifier.',
        },
    },
  ),
];

/** The limit that a list was asked for. */
function limitOf({ target }: Call): number {
  return Number(/limit=(\d+)/.exec(target)?.[1] ?? 20);
}

const itemFaults: readonly Fault[] = [
  createFault(
    'list-null-at-end',
    obligationsAt(listed, 'body[].type'),
    'A list that is not full ends with null: a placeholder of the template.',
    {
      dress: (reply, call) =>
        isAt(listed, call, reply.status) &&
        Array.isArray(reply.body) &&
        reply.body.length < limitOf(call)
          ? { ...reply, body: [...reply.body, null] }
          : reply,
    },
  ),
  createFault(
    'list-ids-after-tenth',
    obligationsAt(listed, 'body[].type'),
    'A list has whole pets for the first ten only, and ids after them: a batch loader stops.',
    changeBody(listed, (body) =>
      Array.isArray(body)
        ? body.map((pet: Json, index) => (index < 10 || !isRecord(pet) ? pet : (pet['id'] ?? null)))
        : body,
    ),
  ),
];

/** Members that are answered wrongly for some values, some pets or some places of a list only. */
export const bodyValueFaults: readonly Fault[] = [
  ...categoryFaults,
  ...zeroFaults,
  ...nameFaults,
  ...longNameFaults,
  ...statusFaults,
  ...oneStatusFaults,
  ...idFaults,
  ...itemFaults,
];
