import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

const rooms =
  '{contract,mock,conformance,page,report,certificate,client,traffic,selftest,fixtures,cli,docs,dev,test}';
const all = `${rooms}/**/*.test.ts`;
const slow = `${rooms}/**/*.slow.test.ts`;

export default defineConfig({
  test: {
    // Browsers, other runtimes, packaging, measurements of the suite, and whatever takes long.
    projects: [
      {
        extends: true,
        test: { name: 'quick', include: [all], exclude: [...configDefaults.exclude, slow] },
      },
      { extends: true, test: { name: 'slow', include: [slow] } },
    ],
    // Tests in a browser take long beside other work; only a hang takes longer.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A busy machine makes a poll wait; nothing is judged by time.
    expect: { poll: { timeout: 60_000 } },
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
