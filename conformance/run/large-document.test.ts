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
import { countMerged } from '../family/requirements.ts';
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
  expect(countMerged(contract)).toBeGreaterThan(count);
  const { probes } = planConformance(contract, {
    baseUrl: 'http://127.0.0.1:1',
    apiKey: undefined,
  });
  const proved = new Set(probes.flatMap(({ proves }) => proves));
  const missed = contract.operations.map(successId).filter((id) => !proved.has(id));
  expect(missed).toEqual([]);
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
      const some = {
        allOf: [{ type: 'string', minLength: at % 7 }, { not: { pattern: 'x|^[^x]*$' } }],
      };
      const schema = { type: 'object', required: ['some'], properties: { some } };
      const responses = { ...ok(true), 400: { description: 'Invalid.' } };
      return [`/p${at}`, { post: { requestBody: { content: json(schema) }, responses } }];
    }),
  );
}

test('the more schemas no value is found for, the fewer values are tried', async () => {
  const contract = await impossibleBodies(20);
  const judge = vi.spyOn(SchemaNode.prototype, 'judge');
  const tries = contract.operations.slice(1).map(({ requestBody }) => {
    const [media] = requestBody?.content ?? [];
    if (media?.schema === undefined) throw new Error('The operation has no body.');
    judge.mockClear();
    const arbitrary = arbitraryOf(media.schema);
    expect(() => createRandom(1).sample(arbitrary, 1, 'test')).toThrow('no valid value');
    return judge.mock.calls.length;
  });
  judge.mockRestore();
  expect(tries[0]).toBeGreaterThan(1000);
  expect(tries.at(-1)).toBeLessThan(100);
});

test('a run ends when it has found nothing to send many times', async () => {
  const contract = await impossibleBodies(150);
  const report = await judgeDocument(contract, { requests: 10 });
  const reasons = report.verdicts.flatMap((verdict) =>
    verdict.kind === 'not-tested' && verdict.requirement.id.endsWith('/status.200')
      ? [verdict.because?.kind]
      : [],
  );
  const untried = reasons.filter((kind) => kind === 'budget');
  expect(reasons.length).toBe(150);
  expect(untried.length).toBeGreaterThan(50);
});
