import { expect, test } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../contract/json/value.ts';
import { loadYaml } from '../../test/conformance/judge-document.ts';
import { judgeTwice, type Answer, type PlainRequest } from '../../test/conformance/judge-server.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const note = json("{ $ref: '#/components/schemas/Note' }");

/** Notes whose changes need one member. A page shows how many there are. */
const load = async (patch = 'application/json') =>
  await loadYaml(`
paths:
  /notes:
    get:
      operationId: listNotes
      parameters:
        - { name: page, in: query, schema: { type: integer, minimum: 1, default: 1 } }
        - { name: size, in: query, schema: { type: integer, minimum: 1, maximum: 100, default: 20 } }
      responses: { '200': { description: Some., ${json("{ type: object, required: [notes, total], properties: { notes: { type: array, items: { $ref: '#/components/schemas/Note' } }, total: { type: integer } } }")} } }
    post: { operationId: addNote, requestBody: { required: true, ${json("{ allOf: [{ $ref: '#/components/schemas/Change' }], required: [text] }")} }, responses: { '201': { description: Added., ${note} }, '400': { description: Refused. } } }
  /notes/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getNote, responses: { '200': { description: One., ${note} }, '404': { description: None. }, '410': { description: Removed. } } }
    patch: { operationId: patchNote, requestBody: { required: true, content: { ${patch}: { schema: { $ref: '#/components/schemas/Change' } } } }, responses: { '200': { description: Changed., ${note} }, '400': { description: Refused. }, '404': { description: None. } } }
    delete: { operationId: removeNote, responses: { '204': { description: Removed. }, '404': { description: None. } } }
components:
  schemas:
    Change: { type: object, minProperties: 1, properties: { text: { type: [string, 'null'], maxLength: 500 }, count: { type: integer, minimum: 0, maximum: 9 }, done: { type: boolean } } }
    Note: { type: object, required: [id, text, count, done], properties: { id: { type: integer, readOnly: true }, text: { type: [string, 'null'] }, count: { type: integer }, done: { type: boolean }, deleted: { type: boolean, readOnly: true } } }
`);

type Fault = 'resets' | 'ignores null' | 'refuses null' | 'skips a page' | 'marks';

function createNotes(fault?: Fault) {
  const notes = new Map<number, JsonObject>();
  const removed = new Map<number, JsonObject>();
  let last = 0;
  const isChange = (body: JsonValue | undefined): body is JsonObject => {
    if (!isJsonObject(body) || Object.keys(body).length === 0) return false;
    const { text = '', count = 0, done = false } = body;
    const isText = typeof text === 'string' ? Array.from(text).length <= 500 : text === null;
    const isCount =
      typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= 9;
    return isText && isCount && typeof done === 'boolean';
  };
  return ({ method, steps: [, id], query, body }: PlainRequest): Answer => {
    if (id === undefined && method === 'GET') {
      const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('size') ?? 20)];
      const from = fault === 'skips a page' ? page * size : (page - 1) * size;
      return [200, { notes: [...notes.values()].slice(from, from + size), total: notes.size }];
    }
    const known = notes.get(Number(id));
    const gone = removed.get(Number(id));
    if (gone !== undefined && method === 'GET')
      return fault === 'marks' ? [200, { ...gone, deleted: true }] : [410];
    if (id !== undefined && known === undefined) return [404];
    if (method === 'GET') return [200, known];
    if (method === 'DELETE') {
      removed.set(Number(id), known ?? {});
      notes.delete(Number(id));
      return [204];
    }
    if (!isChange(body) || (known === undefined && body['text'] === undefined)) return [400];
    if (fault === 'refuses null' && body['text'] === null) return [400];
    const sent = ['text', 'count', 'done'].flatMap((name) => {
      const value = body[name];
      const isIgnored = fault === 'ignores null' && value === null && known !== undefined;
      return value === undefined || isIgnored ? [] : [[name, value] as const];
    });
    const before = fault === 'resets' ? { ...known, text: null } : known;
    const own = { id: known?.['id'] ?? (last += 1), text: null, count: 0, done: false };
    const changed = { ...own, ...before, ...Object.fromEntries(sent), id: own.id };
    notes.set(Number(own.id), changed);
    return [known === undefined ? 201 : 200, changed];
  };
}

test.each<readonly [Fault, string, string]>([
  ['resets', 'patchNote/state.others-kept', 'application/json'],
  ['refuses null', 'patchNote/request.body.text.taken', 'application/json'],
  ['ignores null', 'patchNote/state.echo.text', 'application/merge-patch+json'],
  ['skips a page', 'listNotes/state.listed', 'application/json'],
  ['marks', 'getNote/status.404', 'application/json'],
])('a server that %s fails', async (fault, id, patch) => {
  expect(await judgeTwice(await load(patch), createNotes(fault))).toContain(id);
});

test.each(['application/json', 'application/merge-patch+json'])(
  'a server of %s passes',
  async (patch) => {
    expect(await judgeTwice(await load(patch), createNotes())).toEqual([]);
  },
);
