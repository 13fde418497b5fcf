import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from '../../cli/package/package-root.ts';
import { loadContract } from '../../contract/load.ts';
import { selftestContract } from './selftest.ts';

/**
 * Percent of the mutants that must be found. Default: 95. More for documents with so many that one is
 * little; less where requests cannot tell operations apart, a server may add items only by PUT, or
 * removals have bodies, of which only valid ones are sent.
 */
const floors: Readonly<Record<string, number>> = {
  books: 99,
  'intended/alike-paths': 65,
  'intended/client-names': 98,
  'intended/nested-ids': 97,
  'intended/one-header': 94,
  'intended/openapi-3.2': 97,
  'intended/partial-changes': 97,
  'intended/put-creates': 89,
  'intended/removal-bodies': 91,
  'shapes/custom-verbs': 99,
  'shapes/envelope-page': 97,
  'shapes/nested': 99,
  'shapes/patterns': 99,
};

const folder = packageFile('fixtures/documents');
const names = globSync('{*,{intended,odd,shapes,troubles}/*,folder/openapi}.yaml', { cwd: folder })
  .filter((file) => !/\.expected\.yaml$|^odd\/bomb\./.test(file))
  .map((file) => file.slice(0, -'.yaml'.length))
  .toSorted();

test.for(['', ...names])('fixtures/documents/%s', { timeout: 1_800_000 }, async (name) => {
  const file = packageFile(name === '' ? 'openapi.yaml' : `fixtures/documents/${name}.yaml`);
  const worker = packageFile('selftest/generated/worker.ts');
  const contract = await loadContract({ file });
  const { results, falseAlarms } = await selftestContract(contract, { worker });
  const found = results.filter(({ kind }) => kind !== 'missed').length;
  const all = results.length;
  expect(falseAlarms).toEqual([]);
  expect(all === 0 ? 100 : (100 * found) / all).toBeGreaterThanOrEqual(floors[name] ?? 95);
});
