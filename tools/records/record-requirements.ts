import { writeFile } from 'node:fs/promises';
import { loadContract } from '../../contract/index.ts';
import { mutants } from '../../selftest/index.ts';
import { renderRequirementsDocument } from './requirements-document.ts';
import { packageFile } from '../../cli/package/package-root.ts';

/** `npm run requirements`: writes docs/requirements.md anew. */
const contract = await loadContract({ file: packageFile('openapi.yaml') });
await writeFile(packageFile('docs/requirements.md'), renderRequirementsDocument(contract, mutants));
