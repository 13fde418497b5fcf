import { expect, test } from 'vitest';
import { loadContract } from '../contract/index.ts';
import { loadChosenContract, readRecordedDigest } from './bundled-contract.ts';
import { packageFile } from './package-root.ts';

test('the recorded digest is that of an openapi.yaml which passes: else run `npm run digest`', async () => {
  const { digest } = await loadContract({ file: packageFile('openapi.yaml') });
  expect(await readRecordedDigest()).toBe(digest);
});

test('a document of the user is always validated', async () => {
  await expect(loadChosenContract(packageFile('fixtures/documents/odd/broken-reference.yaml'))).rejects.toThrow('#/');
});
