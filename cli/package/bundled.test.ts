import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { isJsonObject, loadContract, parseJson } from '../../contract/index.ts';
import { createMock } from '../../mock/index.ts';
import { loadChosenContract, readBundledSeed, readPassed } from './bundled.ts';
import { packageFile } from './package-root.ts';

const AGAIN = 'else run `npm run record`';

test(`the recorded document is that of an openapi.yaml which passes: ${AGAIN}`, async () => {
  const { digest, document } = await loadContract({ file: packageFile('openapi.yaml') });
  expect((await readPassed())?.contract).toEqual({ digest, document });
});

test(`the recorded inventory is one that passes: ${AGAIN}`, async () => {
  const text = await readFile(packageFile('fixtures/inventory.json'), 'utf8');
  const seed = parseJson(text);
  const contract = await loadContract({ file: packageFile('openapi.yaml') });
  expect(() => createMock(contract, { seed: isJsonObject(seed) ? seed : {} })).not.toThrow();
  expect((await readPassed())?.inventory.digest).toBe(hash('sha256', text));
  expect((await readBundledSeed()).isSeedTrusted).toBe(true);
});

test('the recorded document is the same contract as the one that is read', async () => {
  const outline = (contract: object): string =>
    JSON.stringify(contract, (_name, value: unknown) =>
      typeof value === 'bigint' ? `${value}` : value,
    );
  expect(outline(await loadChosenContract(undefined))).toBe(
    outline(await loadContract({ file: packageFile('openapi.yaml') })),
  );
});

test('a document of the user is refused for its faults only where it is read strictly', async () => {
  const file = packageFile('fixtures/documents/odd/broken-reference.yaml');
  await expect(loadChosenContract(file, { strict: true })).rejects.toThrow('#/');
  expect((await loadChosenContract(file)).diagnostics).not.toEqual([]);
});
