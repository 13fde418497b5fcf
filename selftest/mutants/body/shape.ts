import { isRecord, renderJson, type Json } from '../../service/json.ts';
import { changeBody, changeRecord, textOf } from '../../subject/response-change.ts';
import { type Mutant, createMutant, mapWays, type Ways } from '../../subject/mutant.ts';
import { created, fetched, listed, requirementsAt, petPlaces } from '../../subject/place.ts';

function idOf(pet: Json): Json {
  return isRecord(pet) ? (pet['id'] ?? null) : null;
}

function itemsOf(body: Json): readonly Json[] {
  return Array.isArray(body) ? body : [];
}

function changingLists(
  facet: string,
  ways: Ways<(items: readonly Json[]) => Json>,
): readonly Mutant[] {
  const breaks = requirementsAt(listed, facet);
  return mapWays(ways, (id, summary, change) =>
    createMutant(
      `list-${id}`,
      breaks,
      summary,
      changeBody(listed, (body) => change(itemsOf(body))),
    ),
  );
}

const listMutants: readonly Mutant[] = [
  ...changingLists('body.type', {
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
  ...changingLists('body[].type', {
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
  createMutant(
    'list-null-if-empty',
    requirementsAt(listed, 'body.type'),
    'An empty list is null: a slice that was never made.',
    {
      seed: () => [],
      ...changeBody(listed, (body) => (itemsOf(body).length === 0 ? null : body)),
    },
  ),
  createMutant(
    'list-object-if-empty',
    requirementsAt(listed, 'body.type'),
    'An empty list is an empty object: the language does not tell the two apart.',
    {
      seed: () => [],
      ...changeBody(listed, (body) => (itemsOf(body).length === 0 ? {} : body)),
    },
  ),
  createMutant(
    'list-items-in-pet',
    requirementsAt(
      listed,
      'body[].id.required',
      'body[].name.required',
      'body[].categoryId.required',
    ),
    'Each item of a list is wrapped in `pet`.',
    changeRecord(listed, (pet) => ({ pet })),
  ),
];

const wrappedMutants = [created, fetched].flatMap((place) => {
  const required = requirementsAt(
    place,
    'body.id.required',
    'body.name.required',
    'body.categoryId.required',
  );
  return [
    createMutant(
      `${place.name}-in-data`,
      required,
      `In ${place.words}, the pet stands in \`data\`.`,
      changeBody(place, (body) => ({ data: body })),
    ),
    createMutant(
      `${place.name}-in-resource`,
      required,
      `In ${place.words}, the fields stand in \`attributes\`, as JSON:API has it.`,
      changeRecord(place, ({ id, ...attributes }) => ({
        type: 'pets',
        attributes: { id: id ?? null, ...attributes },
      })),
    ),
    createMutant(
      `${place.name}-in-array`,
      requirementsAt(place, 'body.type'),
      `In ${place.words}, the pet is the only item of an array, as the driver gives rows.`,
      changeBody(place, (body) => [body]),
    ),
    createMutant(
      `${place.name}-as-text`,
      requirementsAt(place, 'body.type'),
      `In ${place.words}, the pet is encoded twice: a JSON string that holds JSON.`,
      changeBody(place, renderJson),
    ),
  ];
});

const createdMutants: readonly Mutant[] = [
  createMutant(
    'created-id-only',
    [
      ...requirementsAt(created, 'body.name.required', 'body.categoryId.required'),
      'createPet/state.echo.status',
    ],
    'An addition answers an object with the id only.',
    changeRecord(created, (pet) => ({ id: idOf(pet) })),
  ),
  createMutant(
    'created-bare-id',
    requirementsAt(created, 'body.type'),
    'An addition answers the id alone.',
    changeBody(created, idOf),
  ),
  createMutant(
    'created-true',
    requirementsAt(created, 'body.type'),
    'An addition answers `true`.',
    changeBody(created, () => true),
  ),
  createMutant(
    'created-null',
    requirementsAt(created, 'body.type'),
    'An addition answers null: the entity was not returned.',
    changeBody(created, () => null),
  ),
  createMutant(
    'created-count',
    requirementsAt(created, 'body.id.required', 'body.name.required', 'body.categoryId.required'),
    'An addition answers what the database said: the number of rows.',
    changeBody(created, () => ({ affectedRows: 1n, warningCount: 0n })),
  ),
];

const fetchedMutants: readonly Mutant[] = [
  createMutant(
    'single-row',
    requirementsAt(fetched, 'body.type'),
    'A single pet is answered as an array of column values.',
    changeBody(fetched, (body) => (isRecord(body) ? Object.values(body) : body)),
  ),
  createMutant(
    'single-null',
    requirementsAt(fetched, 'body.type'),
    'A single pet is answered as null: the result was not awaited.',
    changeBody(fetched, () => null),
  ),
];

const emptyMutants = petPlaces.map((place) =>
  createMutant(
    `${place.name}-empty-objects`,
    requirementsAt(
      place,
      `${place.pet}.id.required`,
      `${place.pet}.name.required`,
      `${place.pet}.categoryId.required`,
    ),
    `In ${place.words}, pets are empty objects: the fields are private to the serializer.`,
    changeRecord(place, () => ({})),
  ),
);

/** Answers whose body is built another way than documented. */
export const bodyShapeMutants: readonly Mutant[] = [
  ...listMutants,
  ...wrappedMutants,
  ...createdMutants,
  ...fetchedMutants,
  ...emptyMutants,
];
