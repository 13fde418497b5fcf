import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type HostileDocument, listHostileDocuments } from '../test/contract/hostile-documents.ts';
import { packageFile } from './package/package-root.ts';

/** Ends by itself, in 300 MB of heap. */
function lint({ file, text }: HostileDocument): Promise<{ code: unknown; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, file), text);
  const argv = ['--max-old-space-size=300', packageFile('cli/petstore.ts'), 'lint', file];
  return new Promise((resolve) => {
    execFile(process.execPath, argv, { cwd: folder, maxBuffer: 2 ** 26 }, (error, ...output) => {
      resolve({ code: error === null ? 0 : error.code, output: output.join('') });
    });
  });
}

test.each([...listHostileDocuments()])(
  '$name ends with what is wrong, and no stack',
  { timeout: 120_000 },
  async (document) => {
    const { code, output } = await lint(document);
    expect(document.isRefused === true ? [2] : [0, 1]).toContain(code);
    expect(output).not.toMatch(/^\s+at .*[(:]|heap|RangeError/m);
    expect(output).toContain(document.told ?? '');
  },
);
