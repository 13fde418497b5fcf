import { onTestFinished, test } from 'vitest';
import {
  type TestSandbox,
  type TestSandboxOptions,
  createTestSandbox,
  loadBundledContract,
  loadBundledSeed,
} from './test-sandbox.ts';

export type { TestClock } from './test-clock.ts';
export { createTestSandbox, type TestSandbox, type TestSandboxOptions } from './test-sandbox.ts';

const bundledOptions: Readonly<TestSandboxOptions> = {};

/**
 * `test` of vitest with `petstore` in its context: a sandbox of the test's own, safe with
 * `concurrent`. `petstoreTest.override({ petstoreOptions })` changes what it is opened with.
 */
export const petstoreTest = test
  .extend('petstoreContract', { scope: 'file' }, () => loadBundledContract())
  .extend('petstoreOptions', bundledOptions)
  .extend('petstore', async ({ petstoreContract, petstoreOptions }, { onCleanup }) => {
    const isBundled = petstoreOptions.contract === undefined;
    const sandbox = await createTestSandbox({
      contract: petstoreContract,
      ...(isBundled ? { seed: await loadBundledSeed() } : {}),
      ...petstoreOptions,
    });
    onCleanup(() => sandbox[Symbol.asyncDispose]());
    return sandbox;
  });

/** A sandbox until the test has finished. For `concurrent` tests take `petstoreTest`. */
export async function useSandbox(options: TestSandboxOptions = {}): Promise<TestSandbox> {
  const sandbox = await createTestSandbox(options);
  onTestFinished(() => sandbox[Symbol.asyncDispose]());
  return sandbox;
}
