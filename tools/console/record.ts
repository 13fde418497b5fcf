import { writeFile } from 'node:fs/promises';
import { packageFile } from '../../cli/package/package-root.ts';
import { renderConsolePage } from './page.ts';
import { recordConsole } from './sequence.ts';

/** `npm run console`: writes docs/console-log.md and its picture anew. */
const { page, picture } = renderConsolePage(await recordConsole());
await writeFile(packageFile('docs/console-log.md'), page);
await writeFile(packageFile('docs/console-log.svg'), picture);
