import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { loadContract } from '../../contract/index.ts';
import { faults } from '../../selftest/index.ts';
import { renderObligationsDocument } from './requirements-document.ts';
import { packageFile } from '../../cli/package/package-root.ts';

test('docs/obligations.md is current: else run `npm run obligations`', async () => {
  const contract = await loadContract({ file: packageFile('openapi.yaml') });
  expect(await readFile(packageFile('docs/obligations.md'), 'utf8')).toBe(
    renderObligationsDocument(contract, faults),
  );
});
