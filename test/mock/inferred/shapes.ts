import * as fc from 'fast-check';

const note = '{ $ref: "#/components/schemas/Note" }';
const notes = `{ type: array, items: ${note} }`;

/** A response of POST. */
const made = (status: number, schema: string, headers = ''): string =>
  `{ ${status}: { description: Made., content: { application/json: { schema: ${schema} } }${headers} } }`;
const location = ', headers: { Location: { schema: { type: string } } }';

/** The variations of the documents for a collection of notes, as parts of YAML. */
const dimensions = {
  /** The schema of the list. */
  list: {
    none: '',
    bare: notes,
    data: `{ type: object, required: [data], properties: { data: ${notes}, total: { type: integer }, next_cursor: { type: [string, 'null'] } } }`,
    named: `{ type: object, required: [notes, has_more], properties: { notes: ${notes}, has_more: { type: boolean } } }`,
    nested: `{ type: object, required: [result], properties: { result: { type: object, required: [items], properties: { items: ${notes} } }, paging: { type: object, properties: { total_pages: { type: integer }, page: { type: integer } } } } }`,
    summary: '{ type: array, items: { $ref: "#/components/schemas/Summary" } }',
  },
  /** The responses of POST; ID is the member that identifies a note. */
  create: {
    'item-201': made(201, note),
    'item-200': made(200, note),
    envelope: made(
      201,
      `{ type: object, required: [note], properties: { note: ${note}, ok: { type: boolean } } }`,
    ),
    'id-only': made(201, '{ type: object, required: [ID], properties: { ID: *id } }'),
    empty: `{ 201: { description: Made.${location} } }`,
    accepted: made(
      202,
      '{ type: object, required: [message], properties: { message: { type: string } } }',
      location,
    ),
    open: made(200, '{ type: object }'),
  },
  /** The schema of one note. */
  get: {
    item: note,
    envelope: `{ type: object, required: [data], properties: { data: ${note}, meta: { type: object, properties: { took: { type: integer } } } } }`,
    other:
      '{ type: object, required: [extra], properties: { title: { type: string }, extra: { type: integer } } }',
    array: `{ type: object, required: [notes], properties: { notes: { type: array, items: ${note}, minItems: 1 } } }`,
    closed: '{ $ref: "#/components/schemas/ClosedNote" }',
  },
  id: {
    integer: '{ type: integer, format: int64, minimum: 1 }',
    uuid: '{ type: string, format: uuid }',
    pattern: "{ type: string, pattern: '^note_[a-z0-9]{6}$', example: note_ab12cd }",
    slug: "{ type: string, pattern: '^[a-z][a-z0-9-]*$' }",
    named: '{ type: string }',
  },
  /** The schema of what clients send. */
  sent: {
    flat: '{ $ref: "#/components/schemas/NewNote" }',
    wrapped:
      '{ type: object, required: [note], properties: { note: { $ref: "#/components/schemas/NewNote" } } }',
  },
} as const;

type Dimensions = typeof dimensions;

export type Shape = { readonly [Name in keyof Dimensions]: keyof Dimensions[Name] } & {
  readonly isNested: boolean;
  readonly documents404: boolean;
};

const nameIn = <Variants extends object>(variants: Variants) =>
  fc.constantFrom(...keysOf(variants));

function keysOf<Variants extends object>(variants: Variants): (keyof Variants)[] {
  const names: (keyof Variants)[] = [];
  for (const name in variants) names.push(name);
  return names;
}

/** A sample of all shapes, the same for a seed. */
export function drawShapes(count: number, seed: number): readonly Shape[] {
  const shape = fc.record({
    list: nameIn(dimensions.list),
    create: nameIn(dimensions.create),
    get: nameIn(dimensions.get),
    id: nameIn(dimensions.id),
    sent: nameIn(dimensions.sent),
    isNested: fc.boolean(),
    documents404: fc.boolean(),
  });
  return fc.sample(shape, { numRuns: count, seed });
}

const idMembers = { integer: 'id', uuid: 'uuid', pattern: 'noteId', slug: 'slug', named: 'name' };

/** The member that identifies a note, and whether clients choose it. */
export function idOf({ id }: Shape): { readonly member: string; readonly isGiven: boolean } {
  return { member: idMembers[id], isGiven: id === 'slug' || id === 'named' };
}

/** Where the notes are: `/books/7/notes`. */
export function collectionOf({ isNested }: Shape): string {
  return isNested ? '/books/7/notes' : '/notes';
}

/** The text of a document for a shape. */
export function shapeText(shape: Shape): string {
  const { member, isGiven } = idOf(shape);
  const root = shape.isNested ? '/books/{bookId}/notes' : '/notes';
  const parent = shape.isNested
    ? '{ name: bookId, in: path, required: true, schema: { type: integer } }'
    : '';
  const list = dimensions.list[shape.list];
  const missing = shape.documents404 ? ', 404: { description: None. }' : '';
  const own = `title: { type: string }, state: { type: string, enum: [open, closed] },
        labels: { type: array, items: { type: string } }`;
  const known = `type: object, required: [${member}, title, created_at], properties: {
        ${member}: *id, ${own}, created_at: { type: string, format: date-time } }`;
  return `openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
x-parts:
  id: &id ${dimensions.id[shape.id]}
  body: &body { required: true, content: { application/json: { schema: ${dimensions.sent[shape.sent]} } } }
  single: &single
    { 200: { description: The note., content: { application/json: { schema: ${dimensions.get[shape.get]} } } }${missing} }
paths:
  ${root}:
    parameters: [${parent}]
    ${list === '' ? '' : `get: { responses: { 200: { description: All., content: { application/json: { schema: ${list} } } } } }`}
    post: { requestBody: *body, responses: ${dimensions.create[shape.create].replaceAll('ID', member)} }
  ${root}/{noteId}:
    parameters: &parameters [${parent === '' ? '' : `${parent}, `}{ name: noteId, in: path, required: true, schema: *id }]
    get: { responses: *single }
    put: { requestBody: *body, responses: *single }
    patch:
      requestBody:
        content:
          application/json: { schema: { type: object } }
          application/json-patch+json: { schema: { type: array } }
      responses: *single
    delete: { responses: { 204: { description: Removed. }${missing} } }
  ${root}/{noteId}/close:
    parameters: *parameters
    post: { responses: *single }
components:
  schemas:
    Note: { ${known} }
    ClosedNote: { ${known}, additionalProperties: false }
    NewNote: { type: object, required: [title${isGiven ? `, ${member}` : ''}], properties: { ${own}${isGiven ? `, ${member}: *id` : ''} } }
    Summary: { type: object, required: [${member}], properties: { ${member}: *id, title: { type: string } } }
`;
}
