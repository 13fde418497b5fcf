import { writeFile } from 'node:fs/promises';
import { packageFile } from '../../cli/package/package-root.ts';
import { loadContract } from '../../contract/index.ts';
import { mutants } from '../../selftest/index.ts';
import { renderQuestionsDocument, renderRequirementsDocument } from './requirements-document.ts';

/** `npm run requirements`: writes docs/requirements.md and docs/open-questions.md anew. */
const contract = await loadContract({ file: packageFile('openapi.yaml') });
await writeFile(packageFile('docs/requirements.md'), renderRequirementsDocument(contract, mutants));
await writeFile(packageFile('docs/open-questions.md'), renderQuestionsDocument(contract));
