import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { loadContract } from '../../contract/load.ts';
import { createMock } from '../mock.ts';

test('a mock keeps the items of a seed without a second copy', async () => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  const contract = await loadContract({ file: 'openapi.yaml' });
  const makeSeed = () => ({ '/pets': [{ id: 1, name: 'Rex', categoryId: 1, status: 'sold' }] });
  const open = () => {
    const seed = makeSeed();
    return { mock: createMock(contract, { seed }), seed: new WeakRef(seed) };
  };
  const { mock, seed } = open();
  // A reference that was made or read in this turn of the event loop holds its target.
  await new Promise((resolve) => setImmediate(resolve));
  if (typeof collect === 'function') Reflect.apply(collect, undefined, []);
  expect(seed.deref()).toBeUndefined();
  expect(mock.keys.length).toBeGreaterThan(0);
});
