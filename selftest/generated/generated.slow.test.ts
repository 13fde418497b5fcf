import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from '../../cli/package/package-root.ts';
import { loadContract } from '../../contract/load.ts';
import { selftestContract } from './selftest.ts';

/**
 * Percent of the mutants that are found at least. Below 95: what the suite has no request for, such as
 * members with patterns that no text is made for, or items that nobody can name.
 */
const floors: Readonly<Record<string, number>> = {
  // A bound that is surely kept: the largest document has not been measured on a quiet machine yet.
  books: 75,
  shelves: 92,
  'shapes/parameter-styles': 91,
  'shapes/read-only-required': 93,
  'shapes/required-parameters': 90,
  'shapes/uuid': 92,
  'troubles/broken-references': 93,
  'troubles/example-breaks-schema': 94,
  'troubles/foreign-patterns': 82,
  'troubles/lower-case-range': 83,
  'troubles/missing-members': 93,
  'troubles/nullable-in-31': 94,
  'troubles/undescribed-parameters': 93,
  'troubles/wrong-member-types': 92,
};

const folder = packageFile('fixtures/documents');
const names = globSync('{*,shapes/*,troubles/*,folder/openapi}.yaml', { cwd: folder })
  .map((file) => file.slice(0, -'.yaml'.length))
  .toSorted();

test.for(['', ...names])('fixtures/documents/%s', { timeout: 1_800_000 }, async (name) => {
  const file = packageFile(name === '' ? 'openapi.yaml' : `fixtures/documents/${name}.yaml`);
  const { results, missing, falseAlarms } = await selftestContract(await loadContract({ file }));
  const found = results.filter(({ kind }) => kind !== 'missed').length;
  const all = results.length + missing.length;
  expect(falseAlarms).toEqual([]);
  expect(all === 0 ? 100 : (100 * found) / all).toBeGreaterThanOrEqual(floors[name] ?? 95);
});
