import { isRecord, renderJson, type Json } from '../../service/json.ts';
import { changeBody, changeRecord, createFault, textOf } from '../../subject/response-change.ts';
import type { Fault } from '../../subject/mutant.ts';
import { created, fetched, listed, obligationsAt, petPlaces } from '../../subject/place.ts';

function idOf(pet: Json): Json {
  return isRecord(pet) ? (pet['id'] ?? null) : null;
}

function itemsOf(body: Json): readonly Json[] {
  return Array.isArray(body) ? body : [];
}

function listFault(
  id: string,
  facet: string,
  summary: string,
  change: (items: readonly Json[]) => Json,
): Fault {
  return createFault(
    `list-${id}`,
    obligationsAt(listed, facet),
    summary,
    changeBody(listed, (body) => change(itemsOf(body))),
  );
}

const listFaults: readonly Fault[] = [
  listFault(
    'in-data',
    'body.type',
    'A list stands in `data`, as wrapped answers have it.',
    (items) => ({ data: items }),
  ),
  listFault(
    'with-total',
    'body.type',
    'A list is an object with `items` and `total`, as paging libraries answer.',
    (items) => ({ items, total: BigInt(items.length) }),
  ),
  listFault(
    'by-id',
    'body.type',
    'A list is an object of pets by id: an array with gaps turned into a map.',
    (items) => Object.fromEntries(items.map((pet) => [textOf(idOf(pet)), pet])),
  ),
  listFault(
    'single-as-object',
    'body.type',
    'A list of one pet is that pet itself, as XML converters do.',
    (items) => (items.length === 1 ? (items[0] ?? null) : items),
  ),
  listFault(
    'as-text',
    'body.type',
    'A list is encoded twice: a JSON string that holds JSON.',
    renderJson,
  ),
  listFault('ids-only', 'body[].type', 'A list holds the ids of pets instead of pets.', (items) =>
    items.map(idOf),
  ),
  listFault(
    'in-pages',
    'body[].type',
    'A list is an array of arrays, one for each page that was read.',
    (items) => [items],
  ),
  listFault('of-rows', 'body[].type', 'The items of a list are arrays of column values.', (items) =>
    items.map((pet) => (isRecord(pet) ? Object.values(pet) : pet)),
  ),
  createFault(
    'list-null-if-empty',
    obligationsAt(listed, 'body.type'),
    'An empty list is null: a slice that was never made.',
    {
      seed: () => [],
      ...changeBody(listed, (body) => (itemsOf(body).length === 0 ? null : body)),
    },
  ),
  createFault(
    'list-object-if-empty',
    obligationsAt(listed, 'body.type'),
    'An empty list is an empty object: the language does not tell the two apart.',
    {
      seed: () => [],
      ...changeBody(listed, (body) => (itemsOf(body).length === 0 ? {} : body)),
    },
  ),
  createFault(
    'list-items-in-pet',
    obligationsAt(
      listed,
      'body[].id.required',
      'body[].name.required',
      'body[].categoryId.required',
    ),
    'Each item of a list is wrapped in `pet`.',
    changeRecord(listed, (pet) => ({ pet })),
  ),
];

const wrappedFaults = [created, fetched].flatMap((place) => {
  const required = obligationsAt(
    place,
    'body.id.required',
    'body.name.required',
    'body.categoryId.required',
  );
  return [
    createFault(
      `${place.name}-in-data`,
      required,
      `In ${place.words}, the pet stands in \`data\`.`,
      changeBody(place, (body) => ({ data: body })),
    ),
    createFault(
      `${place.name}-in-resource`,
      required,
      `In ${place.words}, the fields stand in \`attributes\`, as JSON:API has it.`,
      changeRecord(place, ({ id, ...attributes }) => ({
        type: 'pets',
        attributes: { id: id ?? null, ...attributes },
      })),
    ),
    createFault(
      `${place.name}-in-array`,
      obligationsAt(place, 'body.type'),
      `In ${place.words}, the pet is the only item of an array, as the driver gives rows.`,
      changeBody(place, (body) => [body]),
    ),
    createFault(
      `${place.name}-as-text`,
      obligationsAt(place, 'body.type'),
      `In ${place.words}, the pet is encoded twice: a JSON string that holds JSON.`,
      changeBody(place, renderJson),
    ),
  ];
});

const createdFaults: readonly Fault[] = [
  createFault(
    'created-id-only',
    [
      ...obligationsAt(created, 'body.name.required', 'body.categoryId.required'),
      'createPet/state.echo.status',
    ],
    'An addition answers an object with the id only.',
    changeRecord(created, (pet) => ({ id: idOf(pet) })),
  ),
  createFault(
    'created-bare-id',
    obligationsAt(created, 'body.type'),
    'An addition answers the id alone.',
    changeBody(created, idOf),
  ),
  createFault(
    'created-true',
    obligationsAt(created, 'body.type'),
    'An addition answers `true`.',
    changeBody(created, () => true),
  ),
  createFault(
    'created-null',
    obligationsAt(created, 'body.type'),
    'An addition answers null: the entity was not returned.',
    changeBody(created, () => null),
  ),
  createFault(
    'created-count',
    obligationsAt(created, 'body.id.required', 'body.name.required', 'body.categoryId.required'),
    'An addition answers what the database said: the number of rows.',
    changeBody(created, () => ({ affectedRows: 1n, warningCount: 0n })),
  ),
];

const fetchedFaults: readonly Fault[] = [
  createFault(
    'single-row',
    obligationsAt(fetched, 'body.type'),
    'A single pet is answered as an array of column values.',
    changeBody(fetched, (body) => (isRecord(body) ? Object.values(body) : body)),
  ),
  createFault(
    'single-null',
    obligationsAt(fetched, 'body.type'),
    'A single pet is answered as null: the result was not awaited.',
    changeBody(fetched, () => null),
  ),
];

const emptyFaults = petPlaces.map((place) =>
  createFault(
    `${place.name}-empty-objects`,
    obligationsAt(
      place,
      `${place.pet}.id.required`,
      `${place.pet}.name.required`,
      `${place.pet}.categoryId.required`,
    ),
    `In ${place.words}, pets are empty objects: the fields are private to the serializer.`,
    changeRecord(place, () => ({})),
  ),
);

/** Answers whose body is built another way than promised. */
export const bodyShapeFaults: readonly Fault[] = [
  ...listFaults,
  ...wrappedFaults,
  ...createdFaults,
  ...fetchedFaults,
  ...emptyFaults,
];
