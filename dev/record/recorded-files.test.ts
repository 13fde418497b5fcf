import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { packageFile } from '../../cli/package/package-root.ts';
import { typesProgram } from './api-types.ts';
import { recordedFiles } from './recorded-files.ts';

const needsProgram = new Set(['openapi.d.ts', 'mock/control/api.ts', 'config.d.ts']);

describe('a generated file is current, else run `npm run record`', () => {
  for (const [path, render] of recordedFiles) {
    const isSkipped = needsProgram.has(path) && !existsSync(typesProgram);
    const why = isSkipped ? ' (skipped: `node dev/run.cjs dev/install.ts dev/record/types`)' : '';
    test.skipIf(isSkipped)(`${path}${why}`, { timeout: 60_000 }, async () => {
      expect(readFileSync(packageFile(path), 'utf8')).toBe(await render());
    });
  }
});
