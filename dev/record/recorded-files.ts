import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { loadForms } from '../../cli/main.ts';
import { packageFile } from '../../cli/package/package-root.ts';
import { isJsonObject, loadContract, parseJson, renderJson } from '../../contract/index.ts';
import { createMock } from '../../mock/index.ts';
import { generateMutants, Workshop } from '../../selftest/generated/index.ts';
import { mutants } from '../../selftest/index.ts';
import { renderApiTypes, renderConfigTypes } from './api-types.ts';
import { composeConfigSchema } from './config-schema.ts';
import { renderQuestionsDocument, renderRequirementsDocument } from './requirements-document.ts';

/** Generated files that are checked in, each after those that it is made of. */
export const recordedFiles: ReadonlyMap<string, () => Promise<string>> = new Map([
  ['openapi.d.ts', async () => renderApiTypes('openapi.yaml')],
  ['mock/control/api.ts', async () => renderApiTypes('mock/control/openapi.yaml')],
  ['config.d.ts', async () => renderConfigTypes(composeConfigSchema(await loadForms()))],
  [
    'docs/config.schema.json',
    async () => `${renderJson(composeConfigSchema(await loadForms()), 2)}\n`,
  ],
  [
    'docs/requirements.md',
    async () => {
      const contract = await loadBundled();
      const made = generateMutants(contract, new Workshop(contract, '')).mutants;
      const breaks = made.map(({ requirement }) => ({ breaks: [requirement.id] }));
      return renderRequirementsDocument(contract, [...mutants, ...breaks]);
    },
  ],
  ['docs/open-questions.md', async () => renderQuestionsDocument(await loadBundled())],
  ['fixtures/passed.json', renderPassed],
]);

/** The bundled document and its inventory as they are once they are validated. */
async function renderPassed(): Promise<string> {
  const contract = await loadBundled();
  const inventory = await readText('fixtures/inventory.json');
  const seed = parseJson(inventory);
  createMock(contract, { seed: isJsonObject(seed) ? seed : {} });
  const { digest, document } = contract;
  const record = {
    inventory: { digest: hash('sha256', inventory) },
    contract: { digest, document },
  };
  return `${renderJson(record)}\n`;
}

async function loadBundled() {
  return await loadContract({ file: packageFile('openapi.yaml') });
}

async function readText(path: string): Promise<string> {
  return await readFile(packageFile(path), 'utf8');
}
