import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadOwnContract } from './testing/judged-fetch.ts';

test('every operation of the control interface is called by a test', async () => {
  const folder = new URL('.', import.meta.url).pathname;
  const tests = globSync('**/*.test.ts', { cwd: folder }).map((file) =>
    readFileSync(folder + file, 'utf8'),
  );
  const { operations } = await loadOwnContract();
  const missing = operations.filter(
    ({ id }) => !tests.some((text) => text.includes(`call('${id}'`) || text.includes(`'${id}',`)),
  );
  expect(missing.map(({ id }) => id)).toEqual([]);
});
