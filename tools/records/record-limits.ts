import { readFile, writeFile } from 'node:fs/promises';
import { packageFile } from '../../cli/package/package-root.ts';
import { limitTables } from './limit-tables.ts';
import { renderLimitsDocument } from './limits-document.ts';

/** `npm run limits`: writes the tables of docs/limits.md anew. */
const file = packageFile('docs/limits.md');
await writeFile(file, renderLimitsDocument(await readFile(file, 'utf8'), limitTables));
