import { writeFile } from 'node:fs/promises';
import { loadContract } from '../../contract/index.ts';
import { packageFile } from '../package-root.ts';

/** `npm run digest`: validates openapi.yaml and records its digest, so that the commands need not validate it at each start. */
const { digest } = await loadContract({ file: packageFile('openapi.yaml') });
await writeFile(packageFile('fixtures/openapi-digest.json'), `${JSON.stringify({ sha256: digest }, undefined, 2)}\n`);
process.stdout.write(`openapi.yaml is valid; its digest ${digest} is recorded.\n`);
