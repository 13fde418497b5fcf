import { expect, test } from 'vitest';
import { packageFile } from '../cli/package/package-root.ts';
import { loadContract } from '../contract/index.ts';
import { generateMutants, Workshop } from '../selftest/generated/index.ts';
import { mutants } from '../selftest/index.ts';
import { renderQuestionsDocument, renderRequirementsDocument } from './requirements.ts';

const contract = await loadContract({ file: packageFile('openapi.yaml') });
const again = 'else run `npm run unit -- docs/requirements -u`';

test(`requirements.md is up to date, ${again}`, async () => {
  const made = generateMutants(contract, new Workshop(contract, '')).mutants;
  const breaks = made.map(({ requirement }) => ({ breaks: [requirement.id] }));
  const text = renderRequirementsDocument(contract, [...mutants, ...breaks]);
  await expect(text).toMatchFileSnapshot('requirements.md');
});

test(`open-questions.md is up to date, ${again}`, async () => {
  await expect(renderQuestionsDocument(contract)).toMatchFileSnapshot('open-questions.md');
});
