import { expect, test } from 'vitest';
import { packageFile } from '../cli/package/package-root.ts';
import { loadContract } from '../contract/index.ts';
import { renderQuestionsDocument, renderRequirementsDocument } from './requirements.ts';

const contract = await loadContract({ file: packageFile('openapi.yaml') });
const again = 'else run `npm run unit -- docs/requirements -u`';

test(`requirements.md is up to date, ${again}`, async () => {
  await expect(renderRequirementsDocument(contract)).toMatchFileSnapshot('requirements.md');
});

test(`open-questions.md is up to date, ${again}`, async () => {
  await expect(renderQuestionsDocument(contract)).toMatchFileSnapshot('open-questions.md');
});
