import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { loadContract } from '../../contract/index.ts';
import { faults } from '../../fixtures/index.ts';
import { renderObligationsDocument } from './obligations-document.ts';
import { packageFile } from '../package-root.ts';

test('docs/obligations.md is current: else run `npm run obligations`', async () => {
  const contract = await loadContract({ file: packageFile('openapi.yaml') });
  expect(await readFile(packageFile('docs/obligations.md'), 'utf8')).toBe(
    renderObligationsDocument(contract, faults),
  );
});
