import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      '{contract,mock,conformance,report,certificate,client,selftest,fixtures,cli,tools,docs,bench,.ci}/**/*.test.ts',
    ],
    testTimeout: 30_000,
    // Both cores, and modules that are loaded once a worker: none of them has state.
    maxWorkers: 2,
    isolate: false,
  },
});
