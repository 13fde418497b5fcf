import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { loadContract } from '../../contract/index.ts';
import { mutants } from '../../selftest/index.ts';
import { renderRequirementsDocument } from './requirements-document.ts';
import { packageFile } from '../../cli/package/package-root.ts';

test('docs/requirements.md is current: else run `npm run requirements`', async () => {
  const contract = await loadContract({ file: packageFile('openapi.yaml') });
  expect(await readFile(packageFile('docs/requirements.md'), 'utf8')).toBe(
    renderRequirementsDocument(contract, mutants),
  );
});
