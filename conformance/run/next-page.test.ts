import { expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../contract/json/value.ts';
import { loadYaml } from '../../test/conformance/judge-document.ts';
import { judgeTwice, type Answer, type PlainRequest } from '../../test/conformance/judge-server.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const note = "{ $ref: '#/components/schemas/Note' }";

const load = async (parameter: string) =>
  await loadYaml(`
paths:
  /notes:
    get:
      operationId: listNotes
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 50, default: 20 } }
        - ${parameter}
      responses: { '200': { description: Some., ${json(`{ type: object, required: [notes], properties: { notes: { type: array, items: ${note} }, next: { type: string } } }`)} } }
    post: { operationId: addNote, requestBody: { required: true, ${json('{ type: object, required: [text], properties: { text: { type: string } } }')} }, responses: { '201': { description: Added., ${json(note)} }, '400': { description: Refused. } } }
components:
  schemas:
    Note: { type: object, required: [id, text], properties: { id: { type: integer }, text: { type: string } } }
`);

/** @param startOf the offset that a value of the parameter means */
function createNotes(name: string, startOf: (value: string, limit: number) => number) {
  const notes: JsonObject[] = [];
  return ({ method, query, body }: PlainRequest): Answer => {
    if (method === 'POST') {
      if (!isJsonObject(body) || typeof body['text'] !== 'string') return [400];
      const added = { ...body, id: notes.length + 1 };
      notes.push(added);
      return [201, added];
    }
    const limit = Number(query.get('limit') ?? 20);
    const value = query.get(name);
    const start = value === null ? 0 : startOf(value, limit);
    const next = start + limit < notes.length ? { next: `c${start + limit}` } : {};
    return [200, { notes: notes.slice(start, start + limit), ...next }];
  };
}

const page = '{ name: page, in: query, schema: { type: integer, minimum: 1, default: 1 } }';
const offset = '{ name: offset, in: query, schema: { type: integer, minimum: 0 } }';
const cursor = '{ name: cursor, in: query, schema: { type: string } }';

test.each([
  ['page', page, (value: string, limit: number) => (Number(value) - 1) * limit],
  ['offset', offset, Number],
  ['cursor', cursor, (value: string) => Number(value.slice(1))],
])(
  '%s: a list that goes on passes, and one that begins again fails',
  async (name, one, startOf) => {
    const contract = await load(one);
    expect(await judgeTwice(contract, createNotes(name, startOf))).toEqual([]);
    const failed = await judgeTwice(
      contract,
      createNotes(name, () => 0),
    );
    expect(failed).toContain(`listNotes/parameter.${name}.next`);
  },
);

test('a page may overlap the one before, because others may add items in between', async () => {
  const overlap = (value: string): number => Number(value.replace('c', '')) - 1;
  expect(await judgeTwice(await load(cursor), createNotes('cursor', overlap))).toEqual([]);
  expect(await judgeTwice(await load(offset), createNotes('offset', overlap))).toEqual([]);
});

test('an empty page proves nothing, because an offset may count pages', async () => {
  const pages = (value: string, limit: number): number => Number(value) * limit;
  expect(await judgeTwice(await load(offset), createNotes('offset', pages))).toEqual([]);
});

test('a first page with the number 0 is not taken for the second one', async () => {
  const any = '{ name: page, in: query, schema: { type: integer } }';
  const startOf = (value: string, limit: number): number => Number(value) * limit;
  expect(await judgeTwice(await load(any), createNotes('page', startOf))).toEqual([]);
});
