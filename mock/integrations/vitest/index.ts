import { onTestFinished, test } from 'vitest';
import type { Contract } from '../../../contract/contract.ts';
import { loadBundledContract } from '../../package/bundled.ts';
import { type TestSandbox, type TestSandboxOptions, createTestSandbox } from './test-sandbox.ts';

export {
  createTestSandbox,
  type TestClock,
  type TestSandbox,
  type TestSandboxOptions,
} from './test-sandbox.ts';

/** What `petstoreTest` adds to the context of a test. */
export interface PetstoreFixtures {
  /** The document of this package, read once for each test file. */
  readonly petstoreContract: Contract;
  readonly petstoreOptions: TestSandboxOptions;
  readonly petstore: TestSandbox;
}

const bundledOptions: Readonly<TestSandboxOptions> = {};

/**
 * `test` of vitest with `petstore` in its context: a sandbox for this test only, safe with
 * `concurrent`. `petstoreTest.override({ petstoreOptions })` changes its options; before vitest 4.1
 * that is `scoped`. The fixtures are written in the one form that vitest 3 to 5 accept.
 */
export const petstoreTest = test.extend<PetstoreFixtures>({
  petstoreContract: [
    async ({}, use) => {
      await use(await loadBundledContract());
    },
    { scope: 'file' },
  ],
  petstoreOptions: bundledOptions,
  petstore: async ({ petstoreContract, petstoreOptions }, use) => {
    await using sandbox = await createTestSandbox({
      contract: petstoreContract,
      ...petstoreOptions,
    });
    await use(sandbox);
  },
});

/** A sandbox until the test has finished. For `concurrent` tests use `petstoreTest`. */
export async function useSandbox(options: TestSandboxOptions = {}): Promise<TestSandbox> {
  const sandbox = await createTestSandbox(options);
  onTestFinished(() => sandbox[Symbol.asyncDispose]());
  return sandbox;
}
