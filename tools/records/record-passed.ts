import { hash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { isJsonObject, loadContract, parseJson, renderJson } from '../../contract/index.ts';
import { createMock } from '../../mock/index.ts';
import { recordDigests } from '../digest/recorded-digests.ts';
import { packageFile } from '../../cli/package/package-root.ts';

/** `npm run digest`: validates openapi.yaml and the inventory, and records both as passed. */
const { digest, document } = await loadContract({ file: packageFile('openapi.yaml') });
const inventory = await readFile(packageFile('fixtures/inventory.json'), 'utf8');
const seed = parseJson(inventory);
createMock(await loadContract({ file: packageFile('openapi.yaml') }), {
  seed: isJsonObject(seed) ? seed : {},
});
const record = { inventory: { digest: hash('sha256', inventory) }, contract: { digest, document } };
await writeFile(packageFile('fixtures/passed.json'), `${renderJson(record)}\n`);
await recordDigests();
process.stdout.write(
  `openapi.yaml and its inventory are valid; recorded with the digest ${digest}.\n`,
);
