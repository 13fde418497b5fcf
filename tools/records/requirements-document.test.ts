import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { packageFile } from '../../cli/package/package-root.ts';
import { mutants } from '../../selftest/index.ts';
import { renderQuestionsDocument, renderRequirementsDocument } from './requirements-document.ts';
import { petstore as contract } from '../../contract/testing/petstore.ts';

test.each([
  ['docs/requirements.md', renderRequirementsDocument(contract, mutants)],
  ['docs/open-questions.md', renderQuestionsDocument(contract)],
])('%s is current: else run `npm run requirements`', async (file, text) => {
  expect(await readFile(packageFile(file), 'utf8')).toBe(text);
});
