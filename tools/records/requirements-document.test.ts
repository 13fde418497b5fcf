import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { packageFile } from '../../cli/package/package-root.ts';
import { loadContract } from '../../contract/index.ts';
import { mutants } from '../../selftest/index.ts';
import { renderQuestionsDocument, renderRequirementsDocument } from './requirements-document.ts';

const contract = await loadContract({ file: packageFile('openapi.yaml') });

test.each([
  ['docs/requirements.md', renderRequirementsDocument(contract, mutants)],
  ['docs/open-questions.md', renderQuestionsDocument(contract)],
])('%s is current: else run `npm run requirements`', async (file, text) => {
  expect(await readFile(packageFile(file), 'utf8')).toBe(text);
});
