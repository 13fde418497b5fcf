import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { handlers } from './handlers.ts';

test('every operation of the control interface is called by a test', () => {
  const project = new URL('../../', import.meta.url).pathname;
  const tests = globSync('{mock,cli}/**/*.test.ts', { cwd: project }).map((file) =>
    readFileSync(project + file, 'utf8'),
  );
  // It has a method of its own in the client.
  const called = (id: string): string => (id === 'streamEvents' ? '.events(' : `call('${id}'`);
  const missing = Object.keys(handlers).filter(
    (id) => !tests.some((text) => text.includes(called(id))),
  );
  expect(missing).toEqual([]);
});
