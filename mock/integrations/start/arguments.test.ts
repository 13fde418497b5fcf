import { expect, test } from 'vitest';
import { runConformance } from '../../../conformance/index.ts';
import { hasCode } from '../../../contract/error/petstore-error.ts';
import { loadContract } from '../../../contract/load.ts';
import { packageFile } from '../../../cli/package/package-root.ts';
import { createMock } from '../../mock.ts';
import { createFetchHandler } from '../handler/handler.ts';
import { createTestSandbox } from '../vitest/test-sandbox.ts';
import { startMock } from './start.ts';

const file = packageFile('openapi.yaml');
const contract = await loadContract(file);
const target = { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'free_demo' };

/** Calls as JavaScript does, which no compiler checks. */
const call = async (callee: (...given: never[]) => unknown, ...given: unknown[]) => {
  try {
    return await Reflect.apply(callee, undefined, given);
  } catch (error) {
    return error;
  }
};

test('loadContract reads a path unchanged', async () => {
  expect((await loadContract(file)).digest).toBe((await loadContract({ file })).digest);
});

test.each([
  ['loadContract()', loadContract, [], "await loadContract('openapi.yaml')"],
  ['loadContract({})', loadContract, [{}], "await loadContract('openapi.yaml')"],
  ['loadContract(5)', loadContract, [5], "await loadContract('openapi.yaml')"],
  ['an option of loadContract', loadContract, [file, { strct: true }], 'did you mean strict?'],
  ['createMock()', createMock, [], 'createMock takes a contract, not nothing. Load one first'],
  ['a path for createMock', createMock, [file], 'createMock takes a contract, not the string'],
  ['a promise for createMock', createMock, [Promise.resolve(contract)], 'not a promise'],
  ['an option of createMock', createMock, [contract, { sed: {} }], 'did you mean seed?'],
  ['null for options', createMock, [contract, null], 'createMock takes an object of options'],
  ['an option of startMock', startMock, [{ prot: 1 }], 'did you mean port?'],
  [
    'an option of listen',
    (options: never) => createMock(contract).listen(options),
    [{ hsot: '' }],
    'did you mean host?',
  ],
  ['an option of createFetchHandler', createFetchHandler, [{ contrl: false }], 'control?'],
  ['an option of createTestSandbox', createTestSandbox, [{ pan: 'Pro' }], 'did you mean plan?'],
  ['runConformance()', runConformance, [], 'runConformance takes a contract, not nothing'],
  ['no target', runConformance, [contract], 'runConformance needs a target'],
  ['an option of a run', runConformance, [contract, target, { reqests: 1 }], 'mean requests?'],
])('%s is rejected in one sentence', async (_, callee, given, sentence) => {
  const error = await call(callee, ...given);
  expect(String(error)).toContain(sentence);
  expect(hasCode(error, 'argument') || hasCode(error, 'target')).toBe(true);
});
