import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../project-files.ts';
import { controlHeading, renderApiTypes } from './api-types.ts';

/** `npm run types`: writes `openapi.d.ts` and `mock/control/api.ts` anew. */
const place = (path: string): string => join(projectRoot, path);
const control = await renderApiTypes(place('mock/control/openapi.yaml'), controlHeading);
await writeFile(place('openapi.d.ts'), await renderApiTypes(place('openapi.yaml')));
await writeFile(place('mock/control/api.ts'), control);
