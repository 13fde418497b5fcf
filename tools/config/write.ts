import { writeFile } from 'node:fs/promises';
import { packageFile } from '../../cli/package/package-root.ts';
import { renderConfigFiles } from './files.ts';

/** `npm run config`: writes what is made of the flags of the commands. */
for (const [path, text] of await renderConfigFiles()) await writeFile(packageFile(path), text);
