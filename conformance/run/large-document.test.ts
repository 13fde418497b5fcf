import { expect, test, vi } from 'vitest';
import type { Contract } from '../../contract/contract.ts';
import { loadContract } from '../../contract/load.ts';
import { SchemaNode } from '../../contract/schema/schema-node.ts';
import { judgeDocument } from '../../test/conformance/judge-document.ts';
import {
  documentOf,
  json,
  members,
  ok,
  referTo,
  times,
} from '../../test/contract/compose-document.ts';
import { mergedOperations } from '../family/requirements.ts';
import { arbitraryOf } from '../generate/arbitrary.ts';
import { createRandom } from '../generate/random.ts';
import { successId } from '../judge/trace/trace.ts';
import { KnownItems } from '../probes/known-items.ts';
import { planConformance } from './run.ts';

const load = (paths: Record<string, unknown>, schemas: Record<string, unknown> = {}) =>
  loadContract({ text: JSON.stringify(documentOf(paths, { components: { schemas } })) });

/** A collection whose items have a schema by that name. */
function collection(path: string, name: string): Record<string, unknown> {
  const item = referTo(name);
  const body = { required: true, content: json(item) };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
  const bad = { 400: { description: 'Invalid.' } };
  const missing = { 404: { description: 'Missing.' } };
  const added = { 201: { description: 'Added.', content: json(item) } };
  return {
    [path]: {
      get: { responses: ok({ type: 'array', items: item }) },
      post: { requestBody: body, responses: { ...added, ...bad } },
    },
    [`${path}/{id}`]: {
      parameters: [id],
      get: { responses: { ...ok(item), ...missing } },
      put: { requestBody: body, responses: { ...ok(item), ...bad, ...missing } },
      delete: { responses: { 204: { description: 'Removed.' }, ...missing } },
    },
  };
}

test('a run of a document with too many requirements calls every operation', async () => {
  const count = 250;
  const texts = members(60, (at) => [`p${at}`, { type: 'string', maxLength: 40 }]);
  const properties = { id: { type: 'string', readOnly: true }, ...texts };
  const schemas = { Item: { type: 'object', required: ['p0', 'p1'], properties } };
  const paths = Object.assign({}, ...times(count, (at) => collection(`/c${at}`, 'Item')));
  const contract = await load(paths, schemas);
  expect(mergedOperations(contract).size).toBeGreaterThan(count);
  const { probes } = planConformance(contract, {
    baseUrl: 'http://127.0.0.1:1',
    apiKey: undefined,
  });
  const proved = new Set(probes.flatMap(({ proves }) => proves));
  const missed = contract.operations.map(successId).filter((id) => !proved.has(id));
  expect(missed).toEqual([]);
});

test('references are found behind many members of an item', async () => {
  const section = {
    type: 'object',
    properties: members(30, (at) => [`t${at}`, { type: 'string' }]),
  };
  const link = {
    type: 'object',
    required: ['ownerId'],
    properties: { ownerId: { type: 'string' } },
  };
  const zone = { type: 'object', required: ['link'], properties: { link } };
  const sections = members(40, (at) => [`s${at}`, section]);
  const properties = { id: { type: 'string', readOnly: true }, ...sections, zone };
  const name = { id: { type: 'string', readOnly: true }, name: { type: 'string' } };
  const contract = await load(
    { ...collection('/owners', 'Owner'), ...collection('/orders', 'Order') },
    {
      Owner: { type: 'object', required: ['name'], properties: name },
      Order: { type: 'object', required: ['zone'], properties },
    },
  );
  const { exchanges } = await judgeDocument(contract, { requests: 60 });
  const answered = (method: string, path: string) =>
    exchanges.filter(({ request }) => request.method === method && request.target === path);
  const owners = answered('GET', '/owners').map(({ outcome }) => JSON.stringify(outcome));
  const sent = answered('POST', '/orders').flatMap(
    ({ request, intent }) =>
      (intent.kind === 'valid' && /"ownerId":"([^"]*)"/.exec(request.body ?? '')?.[1]) || [],
  );
  expect(sent.length).toBeGreaterThan(0);
  for (const id of sent) expect(owners.join(' ')).toContain(id);
});

test('references are not searched for in thousands of schemas that lead to each other', async () => {
  const names = times(60, (at) => `T${at}`);
  const schemas = Object.fromEntries(
    names.map((name) => {
      const others = names.map((other) => [other.toLowerCase(), referTo(other)] as const);
      const properties = { id: { type: 'string' }, ...Object.fromEntries(others) };
      return [name, { type: 'object', required: ['id'], properties }];
    }),
  );
  const contract = await load(collection('/things', 'T0'), schemas);
  const [resource] = contract.resources;
  if (resource === undefined) throw new Error('The document has no resource.');
  const read = vi.spyOn(SchemaNode.prototype, 'shape');
  new KnownItems(contract, {}).references(resource);
  expect(read.mock.calls.length).toBeLessThan(2000);
  read.mockRestore();
});

/** Operations whose bodies no value fits. */
function impossibleBodies(count: number): Promise<Contract> {
  return load(
    members(count, (at) => {
      const none = { not: { pattern: 'x|^[^x]*$' } };
      const some = { allOf: [{ type: 'string', minLength: at % 7 }, none] };
      const schema = { type: 'object', required: ['some'], properties: { some } };
      const responses = { ...ok(true), 400: { description: 'Invalid.' } };
      return [`/p${at}`, { post: { requestBody: { content: json(schema) }, responses } }];
    }),
  );
}

/** The values that are judged for a body until its generation is given up. */
function countTries({ operations }: Contract, path: string): number {
  const media = operations.find((each) => each.path === path)?.requestBody?.content[0];
  if (media?.schema === undefined) throw new Error('The operation has no body.');
  const judge = vi.spyOn(SchemaNode.prototype, 'judge');
  const arbitrary = arbitraryOf(media.schema);
  expect(() => createRandom(1).sample(arbitrary, 1, 'test')).toThrow('no valid value');
  const { length } = judge.mock.calls;
  judge.mockRestore();
  return length;
}

test('in a document with many paths, fewer values of each schema are tried', async () => {
  expect(countTries(await impossibleBodies(5), '/p4')).toBeGreaterThan(1900);
  const many = await impossibleBodies(200);
  for (const path of ['/p0', '/p199']) {
    const tries = countTries(many, path);
    expect(tries).toBeGreaterThan(250);
    expect(tries).toBeLessThan(350);
  }
});

test('a list of more distinct items than there are is given up at once', async () => {
  const items = { type: 'object', required: ['a'], properties: { a: { type: 'boolean' } } };
  const schema = { type: 'array', uniqueItems: true, minItems: 100, items };
  const contract = await load({ '/p': { post: { requestBody: { content: json(schema) } } } });
  expect(countTries(contract, '/p')).toBeLessThan(2000);
});
