import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../project-files.ts';
import { controlHeading, renderApiTypes } from './api-types.ts';

test(
  'openapi.d.ts is that of openapi.yaml: else run `npm run types`',
  { timeout: 60_000 },
  async () => {
    expect(await readFile(join(projectRoot, 'openapi.d.ts'), 'utf8')).toBe(
      await renderApiTypes(join(projectRoot, 'openapi.yaml')),
    );
  },
);

test(
  'the types of the control interface are those of its document: else run `npm run types`',
  { timeout: 60_000 },
  async () => {
    expect(await readFile(join(projectRoot, 'mock/control/api.ts'), 'utf8')).toBe(
      await renderApiTypes(join(projectRoot, 'mock/control/openapi.yaml'), controlHeading),
    );
  },
);
