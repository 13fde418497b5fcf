import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      '{contract,limits,mock,conformance,view,page,report,certificate,client,traffic,selftest,fixtures,cli,tools,docs,bench,corpus,.ci}/**/*.test.ts',
    ],
    // Tests in a browser take long beside other work; only a hang takes longer.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // A busy machine makes a poll wait; nothing is judged by time.
    expect: { poll: { timeout: 20_000 } },
    // Processes that tests start compile our modules once for all of them.
    env: {
      NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/node', import.meta.url)),
    },
    // Both cores, and modules that are loaded once a worker: none of them has state.
    maxWorkers: 2,
    maxConcurrency: 10,
    isolate: false,
  },
});
