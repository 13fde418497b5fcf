import { type JsonObject, type JsonValue, renderJson } from '../../../contract/index.ts';

/** For tests: how the documents of a collection of notes differ. */
export interface Shape {
  readonly list: 'none' | 'bare' | 'data' | 'named' | 'nested' | 'summary';
  readonly create: 'item-201' | 'item-200' | 'envelope' | 'id-only' | 'empty' | 'accepted' | 'open';
  readonly get: 'item' | 'envelope' | 'other' | 'array' | 'closed';
  readonly id: 'integer' | 'uuid' | 'pattern' | 'slug' | 'named';
  readonly sent: 'flat' | 'wrapped';
  readonly isNested: boolean;
  readonly documents404: boolean;
}

/** All that a shape may be. */
export const dimensions: { readonly [Name in keyof Shape]: readonly Shape[Name][] } = {
  list: ['none', 'bare', 'data', 'named', 'nested', 'summary'],
  create: ['item-201', 'item-200', 'envelope', 'id-only', 'empty', 'accepted', 'open'],
  get: ['item', 'envelope', 'other', 'array', 'closed'],
  id: ['integer', 'uuid', 'pattern', 'slug', 'named'],
  sent: ['flat', 'wrapped'],
  isNested: [false, true],
  documents404: [false, true],
};

const text = { type: 'string' };
const idSchemas: Readonly<Record<Shape['id'], JsonObject>> = {
  integer: { type: 'integer', format: 'int64', minimum: 1 },
  uuid: { type: 'string', format: 'uuid' },
  pattern: { type: 'string', pattern: '^note_[a-z0-9]{6}$', example: 'note_ab12cd' },
  slug: { type: 'string', pattern: '^[a-z][a-z0-9-]*$' },
  named: text,
};
const idMembers: Readonly<Record<Shape['id'], string>> = {
  integer: 'id',
  uuid: 'uuid',
  pattern: 'noteId',
  slug: 'slug',
  named: 'name',
};

/** The member that names a note, and whether clients give it. */
export function idOf(shape: Shape): { readonly member: string; readonly isGiven: boolean } {
  return { member: idMembers[shape.id], isGiven: shape.id === 'slug' || shape.id === 'named' };
}

/** Where the notes are: `/books/7/notes`. */
export function collectionOf({ isNested }: Shape): string {
  return isNested ? '/books/7/notes' : '/notes';
}

/** The text of a document of a shape. */
export function shapeText(shape: Shape): string {
  const { member, isGiven } = idOf(shape);
  const id = idSchemas[shape.id];
  const own = {
    title: text,
    state: { type: 'string', enum: ['open', 'closed'] },
    labels: { type: 'array', items: text },
  };
  const known = { [member]: id, ...own, created_at: { type: 'string', format: 'date-time' } };
  const note = object(known, [member, 'title', 'created_at']);
  const schemas = {
    Note: note,
    ClosedNote: { ...note, additionalProperties: false },
    NewNote: object({ ...own, ...(isGiven ? { [member]: id } : {}) }, [
      'title',
      ...(isGiven ? [member] : []),
    ]),
    Summary: object({ [member]: id, title: text }, [member]),
  };
  const sent = ref('NewNote');
  const requestBody = {
    required: true,
    content: json(shape.sent === 'flat' ? sent : object({ note: sent }, ['note'])),
  };
  const root = shape.isNested ? '/books/{bookId}/notes' : '/notes';
  const parents = shape.isNested ? [pathParameter('bookId', { type: 'integer' })] : [];
  const missing = shape.documents404 ? { 404: { description: 'None.' } } : {};
  const single = { 200: { description: 'The note.', content: json(getSchema(shape)) }, ...missing };
  return renderJson({
    openapi: '3.1.0',
    info: { title: 'Notes', version: '1.0.0' },
    paths: {
      [root]: {
        parameters: parents,
        ...(shape.list === 'none' ? {} : { get: list(shape) }),
        post: { requestBody, responses: createResponses(shape, member, id) },
      },
      [`${root}/{noteId}`]: {
        parameters: [...parents, pathParameter('noteId', id)],
        get: { responses: single },
        put: { requestBody, responses: single },
        patch: {
          requestBody: {
            content: {
              ...json({ type: 'object' }),
              'application/json-patch+json': { schema: { type: 'array' } },
            },
          },
          responses: single,
        },
        delete: { responses: { 204: { description: 'Removed.' }, ...missing } },
      },
      [`${root}/{noteId}/close`]: {
        parameters: [...parents, pathParameter('noteId', id)],
        post: { responses: single },
      },
    },
    components: { schemas },
  });
}

function createResponses(
  { create }: Shape,
  member: string,
  id: JsonObject,
): Readonly<Record<string, JsonObject>> {
  const location = { Location: { schema: text } };
  switch (create) {
    case 'item-200':
      return { 200: answered(ref('Note')) };
    case 'envelope':
      return { 201: answered(object({ note: ref('Note'), ok: { type: 'boolean' } }, ['note'])) };
    case 'id-only':
      return { 201: answered(object({ [member]: id }, [member])) };
    case 'empty':
      return { 201: { description: 'Made.', headers: location } };
    case 'accepted':
      return { 202: { ...answered(object({ message: text }, ['message'])), headers: location } };
    case 'open':
      return { 200: answered({ type: 'object' }) };
    case 'item-201':
    default:
      return { 201: answered(ref('Note')) };
  }
}

function answered(schema: JsonValue): JsonObject {
  return { description: 'Made.', content: json(schema) };
}

function getSchema({ get }: Shape): JsonObject {
  switch (get) {
    case 'envelope':
      return object({ data: ref('Note'), meta: object({ took: { type: 'integer' } }, []) }, [
        'data',
      ]);
    case 'other':
      return object({ title: text, extra: { type: 'integer' } }, ['extra']);
    case 'array':
      return object({ notes: { type: 'array', items: ref('Note'), minItems: 1 } }, ['notes']);
    case 'closed':
      return ref('ClosedNote');
    case 'item':
    default:
      return ref('Note');
  }
}

function list({ list: shape }: Shape): JsonObject {
  const items = { type: 'array', items: ref(shape === 'summary' ? 'Summary' : 'Note') };
  const count = { type: 'integer' };
  const schemas: Readonly<Record<string, JsonObject>> = {
    data: object({ data: items, total: count, next_cursor: { type: ['string', 'null'] } }, [
      'data',
    ]),
    named: object({ notes: items, has_more: { type: 'boolean' } }, ['notes', 'has_more']),
    nested: object(
      {
        result: object({ items }, ['items']),
        paging: object({ total_pages: count, page: count }, []),
      },
      ['result'],
    ),
  };
  return { responses: { 200: { description: 'All.', content: json(schemas[shape] ?? items) } } };
}

function object(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}

function ref(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

function json(schema: JsonValue): JsonObject {
  return { 'application/json': { schema } };
}

function pathParameter(name: string, schema: JsonObject): JsonObject {
  return { name, in: 'path', required: true, schema };
}
