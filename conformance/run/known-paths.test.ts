import { expect, test } from 'vitest';
import { loadContract } from '../../contract/load.ts';
import { fixtureFile } from '../../test/contract/sample.ts';
import {
  judgeDocument,
  listIds,
  loadYaml,
  type Change,
} from '../../test/conformance/judge-document.ts';
import { answered, createFakeSender } from '../../test/conformance/fake-sender.ts';
import { createStillClock } from '../../test/conformance/still-clock.ts';
import { runConformance } from '../index.ts';

const nested = `
paths:
  /v2/teams:
    get:
      operationId: teams
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema: { type: object, required: [data], properties: { data: { type: array, items: { $ref: '#/components/schemas/Team' } } } }
              example: { data: [{ uuid: alpha-7, label: A }] }
  /v2/teams/{team_uuid}/members:
    get:
      operationId: members
      parameters: [{ name: team_uuid, in: path, required: true, schema: { type: string } }]
      responses:
        '200':
          description: ok
          content: { application/json: { schema: { type: array, items: { type: object, properties: { login: { type: string } } } }, example: [{ login: ada }] } }
  /v2/teams/{team_uuid}/members/{login}:
    parameters:
      - { name: team_uuid, in: path, required: true, schema: { type: string } }
      - { name: login, in: path, required: true, schema: { type: string } }
    get: { operationId: member, responses: { '200': { description: ok } } }
    delete: { operationId: dropMember, responses: { '204': { description: gone } } }
  /v2/reports/{report_id}:
    get:
      operationId: report
      parameters: [{ name: report_id, in: path, required: true, schema: { type: integer } }]
      responses: { '200': { description: ok } }
components:
  schemas:
    Team: { type: object, required: [uuid], properties: { uuid: { type: string }, label: { type: string } } }
`;

/** A server that has one report, and nothing else that was not listed. */
const onlyListed: Change = (response, { url }) =>
  /\/reports\/(?!42$)/.test(url) ? { ...response, status: 404, body: '' } : response;

function targetsOf(exchanges: readonly { readonly request: { readonly target: string } }[]) {
  return exchanges.map(({ request }) => request.target);
}

test('an added item is found by its own id, and not by those of its members', async () => {
  const order = `{ type: object, required: [id, items, order], properties: { id: { type: string }, items: { type: array, minItems: 1, items: { type: object, required: [name], properties: { name: { type: string, example: nib } } } }, order: { type: array, minItems: 1, items: { type: string, example: pen } } } }`;
  const answer = `{ '200': { description: ok, content: { application/json: { schema: ${order} } } } }`;
  const { exchanges } = await judgeDocument(
    await loadYaml(`
paths:
  /orders: { post: { responses: ${answer} } }
  /orders/{id}: { get: { parameters: [{ name: id, in: path, required: true, schema: { type: string } }], responses: ${answer} } }
`),
  );
  const reads = exchanges.filter(({ request }) => request.method === 'GET');
  expect(reads.length).toBeGreaterThan(0);
  expect(targetsOf(reads)).not.toContain('/orders/nib');
  expect(targetsOf(reads)).not.toContain('/orders/pen');
});

test("ids are read from the target's responses, together with their parents", async () => {
  const { exchanges } = await judgeDocument(await loadYaml(nested), {}, onlyListed);
  expect(targetsOf(exchanges)).toContain('/v2/teams/alpha-7/members/ada');
});

test('a guessed id never fails the target', async () => {
  const report = await judgeDocument(await loadYaml(nested), {}, onlyListed);
  expect(listIds(report, 'failed')).toEqual([]);
  expect(report.outcome).toBe('conforms');
  expect(report.unserved.map(({ sentence }) => sentence)).toEqual([
    'report returned 404 for the only valid request: no response showed which values exist: give one with --id report_id=...',
  ]);
});

test.for([
  ['by its parameter', 'report_id'],
  ['by its collection', 'reports'],
])('an id given %s is requested', async ([, name = '']) => {
  const ids = { [name]: '42' };
  const report = await judgeDocument(await loadYaml(nested), { ids }, onlyListed);
  expect(targetsOf(report.exchanges)).toContain('/v2/reports/42');
  expect(report.unserved).toEqual([]);
});

test('the run removes only what it added, unless the server is disposable', async () => {
  const contract = await loadYaml(nested);
  const removals = async (disposable: boolean): Promise<readonly string[]> => {
    const { exchanges } = await judgeDocument(contract, { disposable }, onlyListed);
    return targetsOf(exchanges.filter(({ request }) => request.method === 'DELETE'));
  };
  expect(await removals(true)).toEqual(['/v2/teams/alpha-7/members/ada']);
  expect(await removals(false)).toEqual([]);
});

test('the run is inconclusive if nothing is served', async () => {
  const report = await judgeDocument(await loadYaml(nested), {}, (response, { url }) => {
    const isItem = /members|reports/.test(url);
    return isItem ? { ...response, status: 404, body: '' } : response;
  });
  expect(report.outcome).not.toBe('inconclusive');
  const items = `paths: { '/x/{id}': { get: { operationId: x, parameters: [{ name: id, in: path, required: true, schema: { type: integer } }], responses: { '200': { description: ok } } } } }`;
  const refused = await judgeDocument(await loadYaml(items), {}, (response) => ({
    ...response,
    status: 404,
    body: '',
  }));
  expect(refused.outcome).toBe('inconclusive');
});

test('an empty list below a guessed parent does not prove that the parent exists', async () => {
  const contract = await loadContract({ file: fixtureFile('shapes/nested.yaml') });
  const report = await judgeDocument(contract, { requests: 100, readOnly: true });
  expect(listIds(report, 'failed')).toEqual([]);
});

test('a parameter of an item is tested on an existing item', async () => {
  const parameter = (name: string): string =>
    `{ name: ${name}, in: query, schema: { type: integer, minimum: 1, maximum: 9 } }`;
  const tool = "content: { application/json: { schema: { $ref: '#/components/schemas/Tool' } } }";
  const contract = await loadYaml(`paths:
  /tools:
    get: { operationId: listTools, responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Tool' } } } } } } }
    post: { operationId: addTool, requestBody: { required: true, ${tool} }, responses: { '201': { description: Added., ${tool} } } }
  /tools/{name}:
    parameters: [{ name: name, in: path, required: true, schema: { type: string } }]
    get: { operationId: getTool, parameters: [${parameter('depth')}], responses: { '200': { description: One., ${tool} }, '404': { description: None. } } }
    put: { operationId: putTool, parameters: [${parameter('age')}], requestBody: { required: true, ${tool} }, responses: { '200': { description: Changed., ${tool} }, '404': { description: None. } } }
    delete: { operationId: removeTool, parameters: [${parameter('force')}], responses: { '204': { description: Gone. }, '404': { description: None. } } }
components:
  schemas:
    Tool: { type: object, required: [label], properties: { name: { type: string, readOnly: true }, label: { type: string } } }
`);
  const report = await judgeDocument(contract, { disposable: false, requests: 120 });
  expect(listIds(report, 'failed')).toEqual([]);
  expect(listIds(report, 'passed')).toEqual(
    expect.arrayContaining([
      'getTool/parameter.depth.minimum',
      'putTool/parameter.age.maximum',
      'removeTool/parameter.force.minimum',
    ]),
  );
});

test('an item identified by its own path is requested by the last segment', async () => {
  const contract = await loadYaml(`
paths:
  /v1/shelves:
    get: { operationId: listShelves, responses: { '200': { description: All., content: { application/json: { schema: { type: object, properties: { shelves: { type: array, items: { $ref: '#/components/schemas/Shelf' } }, nextPageToken: { type: string } } } } } } } }
  /v1/shelves/{shelf}:
    get:
      operationId: getShelf
      parameters: [{ name: shelf, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/Shelf' } } } }, '404': { description: None. } }
components:
  schemas:
    Shelf: { type: object, properties: { name: { type: string }, theme: { type: string } } }
`);
  const shelf = { name: 'shelves/a-1', theme: 'Poetry' };
  const judge = async (theme: unknown) => {
    const sender = createFakeSender(({ url }) => {
      const { pathname } = new URL(url);
      if (pathname === '/v1/shelves') return answered(200, { shelves: [shelf] });
      return pathname === '/v1/shelves/a-1'
        ? answered(200, { ...shelf, theme })
        : answered(404, {});
    });
    const target = { baseUrl: 'http://server.test', apiKey: undefined };
    return await runConformance(contract, target, { clock: createStillClock(), sender });
  };
  expect(listIds(await judge('Poetry'), 'passed')).toContain('getShelf/status.200');
  expect(listIds(await judge(1), 'failed')).toEqual(['getShelf/response.200.body.theme.type']);
});

test('an item that was added below another one may be removed at a path of its own', async () => {
  const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
  const message = json("{ $ref: '#/components/schemas/Message' }");
  const contract = await loadYaml(`
paths:
  /channels/{id}/messages:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: listMessages, parameters: [{ name: text, in: query, schema: { type: string } }], responses: { '200': { description: All., ${json("{ type: array, items: { $ref: '#/components/schemas/Message' } }")} } } }
    post: { operationId: addMessage, requestBody: { required: true, ${message} }, responses: { '201': { description: Added., ${message} } } }
  /messages/{messageId}:
    parameters: [{ name: messageId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getMessage, responses: { '200': { description: One., ${message} } } }
    delete: { operationId: removeMessage, responses: { '204': { description: Removed. } } }
components:
  schemas:
    Message: { type: object, required: [text], properties: { id: { type: integer, readOnly: true }, text: { type: string } } }
`);
  const { exchanges } = await judgeDocument(contract, { disposable: false, fuzz: 100 });
  const removals = exchanges.filter(({ request }) => request.operation === 'removeMessage');
  expect(removals).not.toEqual([]);
  // RFC 9110 section 4.1: servers need not accept longer ones.
  for (const { request } of exchanges) expect(request.target.length).toBeLessThan(8000);
});
