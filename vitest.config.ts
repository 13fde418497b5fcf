import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      '{contract,mock,conformance,certificate,cli,client,fixtures,docs,bench,.ci}/**/*.test.ts',
    ],
    testTimeout: 30_000,
  },
});
