import type { Parts } from '../../service/behaviour.ts';
import { isRecord, renderJson, type Json } from '../../service/json.ts';
import { type Mutant, createMutants, listMutants } from '../../subject/mutant.ts';
import {
  created,
  fetched,
  listed,
  petPlaces,
  requiredAt,
  requirementsAt,
} from '../../subject/place.ts';
import { changeBody, changeRecord, textOf } from '../../subject/response-change.ts';

const idOf = (pet: Json): Json => (isRecord(pet) ? (pet['id'] ?? null) : null);

const itemsOf = (body: Json): readonly Json[] => (Array.isArray(body) ? body : []);

const changingLists = (change: (items: readonly Json[]) => Json): Parts =>
  changeBody(listed, (body) => change(itemsOf(body)));

const changingEmptyLists = (instead: Json): Parts => ({
  seed: () => [],
  ...changingLists((items) => (items.length === 0 ? instead : items)),
});

const wrongLists: readonly Mutant[] = [
  ...listMutants('list-', requirementsAt(listed, 'body.type'), changingLists, {
    'in-data': [
      'A list stands in `data`, as wrapped answers have it.',
      (items) => ({ data: items }),
    ],
    'with-total': [
      'A list is an object with `items` and `total`, as paging libraries answer.',
      (items) => ({ items, total: BigInt(items.length) }),
    ],
    'by-id': [
      'A list is an object of pets by id: an array with gaps turned into a map.',
      (items) => Object.fromEntries(items.map((pet) => [textOf(idOf(pet)), pet])),
    ],
    'single-as-object': [
      'A list of one pet is that pet itself, as XML converters do.',
      (items) => (items.length === 1 ? (items[0] ?? null) : items),
    ],
    'as-text': ['A list is encoded twice: a JSON string that holds JSON.', renderJson],
  }),
  ...listMutants('list-', requirementsAt(listed, 'body[].type'), changingLists, {
    'ids-only': ['A list holds the ids of pets instead of pets.', (items) => items.map(idOf)],
    'in-pages': [
      'A list is an array of arrays, one for each page that was read.',
      (items) => [items],
    ],
    'of-rows': [
      'The items of a list are arrays of column values.',
      (items) => items.map((pet) => (isRecord(pet) ? Object.values(pet) : pet)),
    ],
  }),
  ...createMutants(requirementsAt(listed, 'body.type'), {
    'list-null-if-empty': [
      'An empty list is null: a slice that was never made.',
      changingEmptyLists(null),
    ],
    'list-object-if-empty': [
      'An empty list is an empty object: the language does not tell the two apart.',
      changingEmptyLists({}),
    ],
    'list-items-in-pet': [
      'Each item of a list is wrapped in `pet`.',
      changeRecord(listed, (pet) => ({ pet })),
      requiredAt(listed),
    ],
  }),
];

const wrappedMutants = [created, fetched].flatMap((place) =>
  createMutants(requiredAt(place), {
    [`${place.name}-in-data`]: [
      `In ${place.words}, the pet stands in \`data\`.`,
      changeBody(place, (body) => ({ data: body })),
    ],
    [`${place.name}-in-resource`]: [
      `In ${place.words}, the fields stand in \`attributes\`, as JSON:API has it.`,
      changeRecord(place, ({ id, ...attributes }) => ({
        type: 'pets',
        attributes: { id: id ?? null, ...attributes },
      })),
    ],
    [`${place.name}-in-array`]: [
      `In ${place.words}, the pet is the only item of an array, as the driver gives rows.`,
      changeBody(place, (body) => [body]),
      requirementsAt(place, 'body.type'),
    ],
    [`${place.name}-as-text`]: [
      `In ${place.words}, the pet is encoded twice: a JSON string that holds JSON.`,
      changeBody(place, renderJson),
      requirementsAt(place, 'body.type'),
    ],
  }),
);

const createdMutants = createMutants(requirementsAt(created, 'body.type'), {
  'created-id-only': [
    'An addition answers an object with the id only.',
    changeRecord(created, (pet) => ({ id: idOf(pet) })),
    [
      ...requirementsAt(created, 'body.name.required', 'body.categoryId.required'),
      'createPet/state.echo.status',
    ],
  ],
  'created-bare-id': ['An addition answers the id alone.', changeBody(created, idOf)],
  'created-true': ['An addition answers `true`.', changeBody(created, () => true)],
  'created-null': [
    'An addition answers null: the entity was not returned.',
    changeBody(created, () => null),
  ],
  'created-count': [
    'An addition answers what the database said: the number of rows.',
    changeBody(created, () => ({ affectedRows: 1n, warningCount: 0n })),
    requiredAt(created),
  ],
});

const fetchedMutants = createMutants(requirementsAt(fetched, 'body.type'), {
  'single-row': [
    'A single pet is answered as an array of column values.',
    changeBody(fetched, (body) => (isRecord(body) ? Object.values(body) : body)),
  ],
  'single-null': [
    'A single pet is answered as null: the result was not awaited.',
    changeBody(fetched, () => null),
  ],
});

const emptyMutants = petPlaces.flatMap((place) =>
  createMutants(requiredAt(place), {
    [`${place.name}-empty-objects`]: [
      `In ${place.words}, pets are empty objects: the fields are private to the serializer.`,
      changeRecord(place, () => ({})),
    ],
  }),
);

/** Answers whose body is built another way than documented. */
export const bodyShapeMutants: readonly Mutant[] = [
  ...wrongLists,
  ...wrappedMutants,
  ...createdMutants,
  ...fetchedMutants,
  ...emptyMutants,
];
