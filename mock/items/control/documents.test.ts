import { globSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadContract } from '../../../contract/load.ts';
import { createMock } from '../../index.ts';

/** Its ids are those of an enumeration, and there is an item for each. */
const full = new Set(['/label']);

const all = { text: '', offset: 0, limit: 1000 };

const folder = new URL('../../../fixtures/documents/', import.meta.url).pathname;
const files = globSync('**/*.yaml', { cwd: folder }).filter(
  (file) => !/(?:^|\/)(?:paths|schemas|parts)\//.test(file),
);

describe('the collections of any document', () => {
  test.each(files)('%s', async (file) => {
    const contract = await loadContract({ file: folder + file }).catch(() => undefined);
    if (contract === undefined) return;
    const control = await createMock(contract).control();
    const sandbox = control.sandbox('main');
    for (const { path } of sandbox.collections.filter((one) => !full.has(one.path))) {
      const collection = sandbox.collection(path);
      if (collection === undefined) throw new Error(`${path} is not found.`);
      const before = collection.count;
      expect(collection.list(all).items).toHaveLength(before);
      const added = collection.add(collection.sample());
      expect([path, collection.count, collection.ids]).toEqual([
        path,
        before + 1,
        expect.arrayContaining([added.id]),
      ]);
      const [, again] = [collection.add(collection.sample()), collection.list(all).items];
      expect(new Set(again.map(({ id }) => id)).size).toBe(before + 2);
      const shown = again.find(({ id }) => id === added.id);
      expect(collection.replace(added.id, shown?.item ?? {})).toEqual(shown);
      expect([collection.remove(added.id), collection.remove(added.id)]).toEqual([true, false]);
      expect(collection.count).toBe(before + 1);
    }
  });
});
