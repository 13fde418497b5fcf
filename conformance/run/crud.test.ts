import { expect, test } from 'vitest';
import { loadContract } from '../../contract/load.ts';
import type { Contract } from '../../contract/contract.ts';
import { createMock } from '../../mock/index.ts';
import { createMovableClock, runConformance, type Report } from '../index.ts';

const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const response = (schema?: object): object => ({
  description: 'As asked for.',
  ...(schema && json(schema)),
});

/** Paths of a collection with all that an item may be asked for. */
function crud(path: string, patch?: object): object {
  const item = { $ref: '#/components/schemas/Item' };
  const id = {
    name: 'id',
    in: 'path',
    required: true,
    schema: { $ref: '#/components/schemas/Item/properties/id' },
  };
  return {
    [path]: {
      get: { responses: { 200: response({ type: 'array', minItems: 1, items: item }) } },
      post: { requestBody: { required: true, ...json(item) }, responses: { 201: response(item) } },
    },
    [`${path}/{id}`]: {
      parameters: [id],
      get: { responses: { 200: response(item), 404: response() } },
      put: { requestBody: json(item), responses: { 200: response(item), 404: response() } },
      ...(patch && { patch: { requestBody: patch, responses: { 204: response() } } }),
      delete: { responses: { 204: response(), 404: response() } },
    },
  };
}

async function load(Item: object, paths: object): Promise<Contract> {
  const components = { schemas: { Item } };
  const info = { title: 'Many', version: '1' };
  return await loadContract({
    text: JSON.stringify({ openapi: '3.1.0', info, components, paths }),
  });
}

async function judge(contract: Contract): Promise<Report> {
  const clock = createMovableClock(() => Date.UTC(2026, 5, 1));
  const mock = createMock(contract, { clock });
  const listening = await mock.listen({ port: 0, host: '127.0.0.1' });
  try {
    return await runConformance(
      contract,
      { baseUrl: listening.url, apiKey: undefined },
      { clock, seed: 1 },
    );
  } finally {
    await listening.close();
  }
}

const ofMock = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } },
};

test.for([1, 3, 8, 20])(
  'the usual number of requests is enough to call each operation of %i collections',
  async (count) => {
    const paths = Array.from({ length: count }, (_, index) => crud(`/kind${index}`));
    const report = await judge(await load(ofMock, Object.assign({}, ...paths)));
    expect(report.verdicts.filter(({ kind }) => kind === 'failed')).toEqual([]);
    expect(report.unserved).toEqual([]);
    expect(report.outcome).toBe('conforms');
  },
);

test.for([
  ['any text', { type: 'string' }, 4],
  ['a text of some length', { type: 'string', minLength: 30 }, 1],
  ['a UUID', { type: 'string', format: 'uuid' }, 4],
  ['a number', { type: 'integer' }, 4],
] as const)('client-chosen names with %s are never used twice', async ([, id, least]) => {
  const item = {
    type: 'object',
    required: ['id', 'label'],
    properties: { id, label: { type: 'string' } },
  };
  const report = await judge(await load(item, crud('/things')));
  const sent = report.exchanges.flatMap(({ request, intent }) =>
    request.method === 'POST' && intent.kind === 'valid' && intent.mayRefuse.length === 0
      ? [String(Object(JSON.parse(request.body ?? '{}')).id)]
      : [],
  );
  expect(report.verdicts.filter(({ kind }) => kind === 'failed')).toEqual([]);
  expect(report.unserved).toEqual([]);
  expect(new Set(sent).size).toBeGreaterThanOrEqual(least);
});

test('a JSON Patch from an example may not fit an item', async () => {
  const example = [{ op: 'remove', path: '/flow/landing' }];
  const schema = { type: 'array', items: { type: 'object' } };
  const patch = { content: { 'application/json': { schema, example } } };
  const report = await judge(await load(ofMock, crud('/things', patch)));
  expect(report.verdicts.filter(({ kind }) => kind === 'failed')).toEqual([]);
});

test.for(['/things', '/things/'])(
  'an item that an operation outside of resources may have removed may be missing: %s',
  async (path) => {
    const item = { $ref: '#/components/schemas/Item' };
    const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
    const list = { responses: { 200: response({ type: 'array', items: item }) } };
    const add = {
      requestBody: { required: true, ...json(item) },
      responses: { 201: response(item) },
    };
    const show = { responses: { 200: response({ type: 'object' }) } };
    const remove = { responses: { 204: response() } };
    const contract = await load(ofMock, {
      [path]: { get: list, post: add },
      [`${path.replace(/\/$/, '')}/{id}`]: { parameters: [id], get: show, delete: remove },
    });
    expect(contract.resources.map((one) => one.remove)).toEqual([undefined]);
    const report = await judge(contract);
    expect(report.verdicts.filter(({ kind }) => kind === 'failed')).toEqual([]);
    expect(report.exchanges.map(({ request }) => request.method)).toContain('DELETE');
  },
);
