import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
  renderJson,
} from '../../contract/json/value.ts';
import { loadContract } from '../../contract/load.ts';
import { type TestClient, createTestClient } from '../../test/mock/test-client.ts';

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

type Shape = { readonly [Name in keyof Dimensions]: keyof Dimensions[Name] } & {
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
function drawShapes(count: number, seed: number): readonly Shape[] {
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
function idOf({ id }: Shape): { readonly member: string; readonly isGiven: boolean } {
  return { member: idMembers[id], isGiven: id === 'slug' || id === 'named' };
}

/** Where the notes are: `/books/7/notes`. */
function collectionOf({ isNested }: Shape): string {
  return isNested ? '/books/7/notes' : '/notes';
}

/** The text of a document for a shape. */
function shapeText(shape: Shape): string {
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

/** Judges bodies by a document with a validator of its own, which shares no code with the mock. */
function createIndependentJudge(document: JsonObject) {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false });
  ajvFormats.default(ajv);
  ajv.addSchema(document, 'document');
  /** What a body breaks; empty: nothing. `path` and `method` as the document has them. */
  return (method: string, path: string, status: number, body: JsonValue): string => {
    const escaped = path.replaceAll('~', '~0').replaceAll('/', '~1');
    const names = ['paths', escaped, method.toLowerCase(), 'responses', `${status}`];
    const responses = names.reduce<JsonValue | undefined>(
      (found, name) => (isJsonObject(found) ? found[name.replaceAll('~1', '/')] : undefined),
      document,
    );
    if (!isJsonObject(responses)) return `${status} is not documented`;
    if (!isJsonObject(responses['content'])) return '';
    const at = [...names, 'content', 'application~1json', 'schema']
      .map(encodeURIComponent)
      .join('/');
    const validate = ajv.compile({ $ref: `document#/${at}` });
    return validate(body) ? '' : ajv.errorsText(validate.errors);
  };
}

interface Session {
  readonly send: (
    method: string,
    path: string,
    json?: JsonValue,
  ) => { status: number; text: string; json: JsonValue; location: string };
}

async function open(shape: Shape): Promise<Session> {
  const contract = await loadContract({ text: shapeText(shape) });
  const client: TestClient = createTestClient(contract);
  const judge = createIndependentJudge(contract.document);
  return {
    send(method, path, json) {
      const sent = { ...(json === undefined ? {} : { json }), ...mediaTypeOf(json) };
      const response = client.send(method, path, sent);
      const template = templateOf(path, shape);
      if (response.status < 300)
        expect(judge(method, template, response.status, response.json)).toBe('');
      return { ...response, location: response.headers.get('location') ?? '' };
    },
  };
}

function mediaTypeOf(json: JsonValue | undefined): JsonObject {
  return Array.isArray(json) ? { headers: { 'content-type': 'application/json-patch+json' } } : {};
}

function templateOf(path: string, shape: Shape): string {
  const root = shape.isNested ? '/books/{bookId}/notes' : '/notes';
  const [, id, action] = path.slice(collectionOf(shape).length).split('/');
  return [
    root,
    ...(id === undefined ? [] : ['{noteId}']),
    ...(action === undefined ? [] : [action]),
  ].join('/');
}

/** The id that a client finds in a body: at its top, or one level down. */
function idIn(body: JsonValue, member: string): string | undefined {
  const look = (value: JsonValue | undefined): JsonValue | undefined =>
    isJsonObject(value) ? (value[member] ?? value['id']) : undefined;
  const inner = isJsonObject(body) ? Object.values(body).map(look) : [];
  const found = [look(body), ...inner].find((one) => one !== undefined);
  return found === undefined ? undefined : renderJson(found).replaceAll('"', '');
}

function bodyOf(shape: Shape, members: JsonObject): JsonObject {
  return shape.sent === 'flat' ? members : { note: members };
}

describe.each(drawShapes(60, 11).map((shape) => [Object.values(shape).join(' '), shape] as const))(
  'a document of the shape %s',
  (_name, shape) => {
    test('keeps what is created until it is removed', async () => {
      const { send } = await open(shape);
      const root = collectionOf(shape);
      const isListed = (words: string, otherwise: boolean): boolean =>
        shape.list === 'none' ? otherwise : send('GET', root).text.includes(words);
      const { member, isGiven } = idOf(shape);
      const given = isGiven ? { [member]: 'word-one' } : {};
      const made = send('POST', root, bodyOf(shape, { title: 'first words', ...given }));
      const id = idIn(made.json, member) ?? made.location.split('/').at(-1);
      expect(isGiven ? id : 'word-one').toBe('word-one');
      const item = `${root}/${id}`;
      expect(send('GET', item).text).toContain('first words');
      const other = isGiven ? { [member]: 'word-two' } : {};
      const again = send('POST', root, bodyOf(shape, { title: 'second words', ...other }));
      expect(idIn(again.json, member) ?? again.location.split('/').at(-1)).not.toBe(id);
      expect(send('GET', item).text).toContain('first words');
      expect(isListed('first words', true)).toBe(true);
      expect(isListed('second words', true)).toBe(true);
      expect(send('PATCH', item, { title: 'third words' }).text).toContain('third words');
      expect(send('GET', item).text).toContain('third words');
      const patch = [{ op: 'replace', path: '/title', value: 'fourth words' }];
      expect(send('PATCH', item, patch).text).toContain('fourth words');
      const closed = send('POST', `${item}/close`).text;
      const isShown = shape.get !== 'other';
      expect(closed.includes('closed') || !isShown).toBe(true);
      expect(send('GET', item).text.includes('closed') || !isShown).toBe(true);
      send('PUT', item, bodyOf(shape, { title: 'fifth words', ...given }));
      expect(send('GET', item).text).toContain('fifth words');
      expect(send('DELETE', item).status).toBe(204);
      expect(send('GET', item).status).toBe(404);
      expect(send('DELETE', item).status).toBe(shape.documents404 ? 404 : 204);
      expect(isListed('fifth words', false)).toBe(false);
    });
  },
);
