import { expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../contract/json/value.ts';
import { loadYaml } from '../../test/conformance/judge-document.ts';
import { judgeTwice, type Answer, type PlainRequest } from '../../test/conformance/judge-server.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const repository = json("{ $ref: '#/components/schemas/Repository' }");
const refused = "'422': { description: Refused, or the name is taken. }";

/** Repositories, which one path lists and another one names by owner and name. */
const contract = await loadYaml(`
paths:
  /own/repositories:
    get: { operationId: list, responses: { '200': { description: All., ${json("{ type: array, items: { $ref: '#/components/schemas/Repository' } }")} } } }
    post:
      operationId: add
      requestBody: { required: true, ${json("{ type: object, required: [name], properties: { name: { type: string, minLength: 1, maxLength: 40, pattern: '^[A-Za-z0-9-]+$' }, text: { type: string } } }")} }
      responses: { '201': { description: Added., headers: { Location: { required: true, schema: { type: string } } }, ${repository} }, ${refused} }
  /repositories/{owner}/{name}:
    parameters:
      - { name: owner, in: path, required: true, schema: { type: string } }
      - { name: name, in: path, required: true, schema: { type: string } }
    get: { operationId: read, responses: { '200': { description: One., ${repository} }, '404': { description: None. } } }
    delete: { operationId: drop, responses: { '204': { description: Gone. }, '404': { description: None. } } }
  /repositories/{owner}/{name}/members/{user}:
    parameters:
      - { name: owner, in: path, required: true, schema: { type: string } }
      - { name: name, in: path, required: true, schema: { type: string } }
      - { name: user, in: path, required: true, schema: { type: string } }
    put: { operationId: addMember, responses: { '201': { description: Added. }, '204': { description: It was one before. }, '404': { description: None. } } }
components:
  schemas:
    Repository: { type: object, required: [id, name], properties: { id: { type: integer }, name: { type: string }, text: { type: string } } }
`);

interface Faults {
  readonly isLost?: (given: number) => boolean;
  readonly shortest?: number;
  readonly member?: number;
}

function createServer({ isLost = () => false, shortest = 1, member = 201 }: Faults = {}) {
  const known = new Map<string, JsonObject>();
  let given = 0;
  const add = (body: PlainRequest['body']): Answer => {
    const { name, text } = isJsonObject(body) ? body : {};
    if (typeof name !== 'string' || !/^[A-Za-z0-9-]{1,40}$/.test(name)) return [422];
    if (!['string', 'undefined'].includes(typeof text)) return [422];
    if (name.length < shortest || known.has(name.toLowerCase())) return [422];
    given += 1;
    const item = { id: given, name, ...(text === undefined ? {} : { text }) };
    if (!isLost(given)) known.set(name.toLowerCase(), item);
    return [201, item, { Location: `/repositories/me/${name}` }];
  };
  return ({ method, steps: [first, owner, name = '', below], body }: PlainRequest): Answer => {
    if (first === 'own') return method === 'POST' ? add(body) : [200, [...known.values()]];
    const item = owner === 'me' ? known.get(name.toLowerCase()) : undefined;
    if (item === undefined) return [404];
    if (below !== undefined) return [member];
    if (method === 'DELETE') known.delete(name.toLowerCase());
    return method === 'DELETE' ? [204] : [200, item];
  };
}

test('items may be removed through another path, and names may have to be unique', async () => {
  expect(await judgeTwice(contract, createServer(), { requests: 150 })).toEqual([]);
});

test.for<readonly [string, Faults, string]>([
  ['items that are not stored', { isLost: (given) => given % 2 === 0 }, 'list/state.listed'],
  ['another limit of a name', { shortest: 2 }, 'add/request.body.name.taken'],
  ['another status within an item of the run', { member: 200 }, 'addMember/status.201'],
])('%s: found', async ([, faults, id]) => {
  expect(await judgeTwice(contract, createServer(faults), { requests: 150 })).toContain(id);
});

test('if nothing is stored, only the list fails', async () => {
  const lost = createServer({ isLost: () => true });
  expect(await judgeTwice(contract, lost)).toEqual(['list/state.listed']);
});
