import { expect, onTestFinished, test, vi } from 'vitest';
import { packageFile } from '../../cli/package/package-root.ts';
import { loadContract } from '../../contract/load.ts';
import { SchemaCheck } from './schema-check.ts';
import { selftestContract } from './selftest.ts';

test.for([
  'troubles/bearer-in-capitals',
  'shapes/client-named',
  'shapes/custom-verbs',
  'shapes/forms',
  'shapes/security-schemes',
])('%s: nearly all mutants are found, and nothing else fails', async (name) => {
  const contract = await loadContract({ file: packageFile(`fixtures/documents/${name}.yaml`) });
  const { results, falseAlarms } = await selftestContract(contract);
  const missed = results.filter(({ kind }) => kind === 'missed');
  expect(falseAlarms).toEqual([]);
  expect(results.length).toBeGreaterThan(15);
  expect(missed.length).toBeLessThanOrEqual(0.05 * results.length);
  const named = results.filter(({ kind }) => kind === 'named');
  expect(named.length / results.length).toBeGreaterThan(0.85);
});

test('a mutant that no run can show is missed, with the reason', async () => {
  const file = packageFile('fixtures/documents/intended/closed-inheritance.yaml');
  const contract = await loadContract({ file });
  const { results } = await selftestContract(contract, { only: 'addBoat/request.body.oars.taken' });
  expect(results.map(({ kind, reason }) => [kind, reason])).toEqual([
    [
      'missed',
      expect.stringMatching(
        /returned 400: which the document announces, for values that the suite/,
      ),
    ],
  ]);
});

test('a sample of many mutants gives the same result on all processors and in one thread', async () => {
  const file = packageFile('fixtures/documents/shapes/response-headers.yaml');
  const contract = await loadContract({ file });
  const worker = packageFile('selftest/generated/worker.ts');
  const alone = await selftestContract(contract, { only: 'header', most: 5 });
  const shared = await selftestContract(contract, { only: 'header', most: 5, worker, threads: 2 });
  expect([alone.results.length, alone.all > 5]).toEqual([5, true]);
  const describe = ({ results }: typeof alone) =>
    results.map(({ mutant, kind }) => [mutant.requirement.id, mutant.fault, kind]);
  expect(describe(shared)).toEqual(describe(alone));
});

test('what is tried within the time limit is a sample', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const file = packageFile('fixtures/documents/shapes/response-headers.yaml');
  const contract = await loadContract({ file });
  const timeLimit = 30_000;
  const onProgress = (tried: number): void => {
    if (tried === 3) vi.setSystemTime(Date.now() + 2 * timeLimit);
  };
  const cut = await selftestContract(contract, { only: 'header', timeLimit, onProgress });
  expect([cut.results.length, cut.isCut]).toEqual([3, true]);
  const whole = await selftestContract(contract, { only: 'header', most: 5, timeLimit });
  expect([whole.results.length, whole.isCut, whole.all]).toEqual([5, false, cut.all]);
  const late = { timeLimit: -1 };
  await expect(selftestContract(contract, late)).rejects.toThrow('no mutant was tried');
});

test('a list with an unknown maximum length must not be empty after an addition', async () => {
  const file = packageFile('fixtures/documents/shapes/uuid.yaml');
  const contract = await loadContract({ file });
  const { results } = await selftestContract(contract, { only: 'state.listed' });
  expect(results.map(({ kind, mutant }) => [kind, mutant.fault])).toEqual([
    ['named', 'returns an empty list'],
  ]);
});

test('Ajv reports which facet of which member a value breaks', () => {
  const check = new SchemaCheck({
    openapi: '3.0.3',
    components: {
      schemas: {
        List: { type: 'array', items: { $ref: '#/components/schemas/Item' } },
        Item: {
          type: 'object',
          required: ['id', 'pin'],
          properties: {
            id: { type: 'integer', format: 'int64', readOnly: true },
            pin: { type: 'string', writeOnly: true },
            size: { type: 'number', minimum: 1, exclusiveMinimum: true, nullable: true },
          },
        },
      },
    },
  });
  const find = (value: Parameters<SchemaCheck['find']>[2]) =>
    check.find('#/components/schemas/List', 'response', value);
  expect(find([{ id: 2n ** 62n, size: null }])).toEqual([]);
  expect(find([{ id: 2n ** 63n, size: 1 }])).toEqual([
    { path: ['[]', 'id'], facet: 'format' },
    { path: ['[]', 'size'], facet: 'minimum' },
  ]);
  expect(find([{}])).toEqual([{ path: ['[]', 'id'], facet: 'required' }]);
  expect(check.find('#/components/schemas/Item', 'request', {})).toEqual([
    { path: ['pin'], facet: 'required' },
  ]);
});
