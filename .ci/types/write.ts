import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../project-files.ts';
import { controlHeading, renderApiTypes } from './api-types.ts';

/** `npm run types`: writes `openapi.d.ts` and `mock/control/api.ts` anew. */
await writeFile(
  join(projectRoot, 'openapi.d.ts'),
  await renderApiTypes(join(projectRoot, 'openapi.yaml')),
);
await writeFile(
  join(projectRoot, 'mock/control/api.ts'),
  await renderApiTypes(join(projectRoot, 'mock/control/openapi.yaml'), controlHeading),
);
