import { writeFile } from 'node:fs/promises';
import { loadContract } from '../../contract/index.ts';
import { faults } from '../../selftest/index.ts';
import { renderObligationsDocument } from './requirements-document.ts';
import { packageFile } from '../../cli/package/package-root.ts';

/** `npm run obligations`: writes docs/obligations.md anew. */
const contract = await loadContract({ file: packageFile('openapi.yaml') });
await writeFile(packageFile('docs/obligations.md'), renderObligationsDocument(contract, faults));
