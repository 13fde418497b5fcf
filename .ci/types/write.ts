import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../project-files.ts';
import { renderApiTypes } from './api-types.ts';

/** `npm run types`: writes `openapi.d.ts` anew. */
await writeFile(join(projectRoot, 'openapi.d.ts'), await renderApiTypes(join(projectRoot, 'openapi.yaml')));
