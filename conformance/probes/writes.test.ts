import { expect, test } from 'vitest';
import { loadContract } from '../../contract/load.ts';
import type { Contract } from '../../contract/contract.ts';
import type { JsonObject } from '../../contract/json/value.ts';
import { books } from '../../test/contract/books.ts';
import { fixtureFile, loadSample } from '../../test/contract/sample.ts';
import { createMock } from '../../mock/index.ts';
import { createMovableClock, runConformance, type RunReport } from '../index.ts';

const shelves = await loadContract({ file: fixtureFile('shelves.yaml') });

const contentOf = (schema: JsonObject) => ({ 'application/json': { schema } });
const answer = (schema: JsonObject) => ({ description: 'It.', content: contentOf(schema) });

async function judgeMock(
  contract: Contract,
  requests: number,
  seed: number,
  fuzz = 0,
): Promise<RunReport> {
  const clock = createMovableClock(() => Date.UTC(2026, 5, 1));
  const mock = createMock(contract, { clock });
  const listening = await mock.listen({ port: 0, host: '127.0.0.1' });
  const [key] = mock.keys;
  const options = { clock, requests, seed, fuzz, longestWait: 3_600_000 };
  const plan = key === undefined ? {} : { plan: key.plan };
  const report = await runConformance(
    contract,
    { baseUrl: listening.url, apiKey: key?.key },
    { ...options, ...plan },
  );
  await listening.close();
  return report;
}

function failed({ verdicts }: RunReport): readonly string[] {
  return verdicts.flatMap(({ kind, requirement }) => (kind === 'failed' ? [requirement.id] : []));
}

test.for([
  ['shelves', shelves, 60, 0],
  ['shelves', shelves, 240, 200],
  ['books', books, 240, 200],
] as const)('the mock of %s conforms', async ([_name, contract, requests, fuzz]) => {
  for (const seed of [1, 2])
    expect(failed(await judgeMock(contract, requests, seed, fuzz))).toEqual([]);
});

test('operations outside of resources are tested on their own', async () => {
  const { verdicts } = await judgeMock(shelves, 240, 1);
  const reasonOf = (id: string): string | undefined => {
    const verdict = verdicts.find(({ requirement }) => requirement.id === id);
    return verdict?.kind === 'not-tested' ? verdict.reason : verdict?.kind;
  };
  expect({
    nested: reasonOf('getShelfBook/status.200'),
    list: reasonOf('patchShelf/status.200'),
    put: reasonOf('putShelf/state.stored'),
    drop: reasonOf('dropShelf/state.removed'),
  }).toEqual({
    nested: 'passed',
    list: 'passed',
    put: 'passed',
    drop: 'passed',
  });
});

test('foreign items stay: only what the run added is changed or removed', async () => {
  for (const contract of [shelves, books]) {
    const { exchanges } = await judgeMock(contract, 240, 1, 200);
    const added = new Set(
      exchanges.flatMap(({ request, outcome }) => {
        if (outcome.kind !== 'answered') return [];
        const { status } = outcome.response;
        if (request.method === 'PUT' && status === 201) return [request.target.split('/')[2] ?? ''];
        if (request.method !== 'POST') return [];
        return [/"(?:id|bookNumber)":"?([\w-]+)/.exec(outcome.response.body)?.[1] ?? ''];
      }),
    );
    const strangers = exchanges.filter(
      ({ request: { method, target }, outcome, intent }) =>
        intent.kind !== 'absent' &&
        ['PUT', 'PATCH', 'DELETE'].includes(method) &&
        outcome.kind === 'answered' &&
        outcome.response.status < 300 &&
        !added.has(target.split('/')[2] ?? ''),
    );
    expect(strangers.map(({ request }) => `${request.method} ${request.target}`)).toEqual([]);
  }
});

test.for([
  { type: 'string', minLength: 8, example: 'the-main-branch' },
  { type: 'string', format: 'email', example: 'ann@example.com' },
])('an id that should get 404 is valid and no example of the document: %j', async (schema) => {
  const branch = { type: 'object', properties: { name: schema } };
  const content = contentOf(branch);
  const missing = { 404: { description: 'There is none.' } };
  const parameters = [{ name: 'name', in: 'path', required: true, schema }];
  const contract = await loadSample({
    paths: {
      '/branches': {
        get: { responses: { 200: answer({ type: 'array', items: branch }) } },
        post: { requestBody: { content }, responses: { 201: answer(branch) } },
      },
      '/branches/{name}': {
        parameters,
        get: { responses: { 200: answer(branch), ...missing } },
        put: { requestBody: { content }, responses: { 200: answer(branch), ...missing } },
      },
    },
  });
  const [parameter] = contract.operations.at(-1)?.parameters ?? [];
  const ids = [1, 2, 3].map(async (seed) => {
    const { exchanges } = await judgeMock(contract, 60, seed);
    return exchanges.flatMap(({ intent }) => (intent.kind === 'absent' ? [intent.id] : []));
  });
  const all = (await Promise.all(ids)).flat();
  expect(all.length).toBeGreaterThan(2);
  expect(all).not.toContain(schema.example);
  expect(all.filter((id) => parameter?.schema.validate(id).length !== 0)).toEqual([]);
});

test.for([
  [{ type: 'string', format: 'binary' }, false],
  [{ type: 'object', properties: { name: { type: 'string' } } }, true],
] as const)('an id is sent to be ignored only in an object: %j', async ([schema, isDemanded]) => {
  const file = { type: 'object', properties: { id: { type: 'integer' } } };
  const contract = await loadSample({
    paths: {
      '/files': {
        get: { responses: { 200: answer({ type: 'array', items: file }) } },
        post: {
          requestBody: { content: { 'multipart/form-data': { schema } } },
          responses: { 201: answer(file) },
        },
      },
    },
  });
  const { verdicts } = await judgeMock(contract, 60, 1);
  const assigned = verdicts.filter(({ requirement }) => requirement.id.endsWith('id-assigned'));
  expect(assigned.map(({ kind }) => kind)).toEqual(isDemanded ? ['passed'] : []);
});

test.for([
  ['added again', { format: 'int64', readOnly: true }, {}],
  ['added with a taken id', {}, { 409: { description: 'The id is taken.' } }],
] as const)('a form is %s as a form', async ([_name, id, conflict]) => {
  const properties = { id: { type: 'integer', ...id }, name: { type: 'string' } };
  const file = { type: 'object', required: ['name'], properties };
  const contract = await loadSample({
    paths: {
      '/files': {
        get: { responses: { 200: answer({ type: 'array', items: file }) } },
        post: {
          requestBody: { content: { 'multipart/form-data': { schema: file } } },
          responses: { 201: answer(file), ...conflict },
        },
      },
    },
  });
  const report = await judgeMock(contract, 60, 1);
  expect(failed(report)).toEqual([]);
  const kinds = new Map(report.verdicts.map(({ requirement, kind }) => [requirement.id, kind]));
  expect(kinds.get('POST /files/status.201')).toBe('passed');
  expect(kinds.get('POST /files/state.id-unique')).toBe('passed');
});
