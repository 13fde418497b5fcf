import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  type HostileDocument,
  listHostileDocuments,
} from '../test/contract/hostile/hostile-documents.ts';
import { packageFile } from './package/package-root.ts';

/** One of each class. */
const chosen = new Set([
  'references/doubling-allOf-3.1.0',
  'references/doubling-required-3.0.3',
  'references/chain',
  'references/chain-allOf',
  'references/circle',
  'references/outside',
  'deep/extension-million',
  'deep/items',
  'endless/three',
  'wide/enum',
  'wide/oneOf',
  'limits/minItems',
  'limits/minLength',
  'numbers/minimum-digits',
  'unsatisfiable/everywhere-false',
  'swagger/allOf',
]);

const documents = [...listHostileDocuments(2)].filter(({ name }) => chosen.has(name));

/** Ends by itself, in 300 MB of heap. */
function lint({ files, overlay }: HostileDocument): Promise<{ code: unknown; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const words = ['lint', 'openapi.json', ...(overlay === undefined ? [] : ['--overlay', overlay])];
  const argv = ['--max-old-space-size=300', packageFile('cli/petstore.ts'), ...words];
  return new Promise((resolve) => {
    execFile(process.execPath, argv, { cwd: folder, maxBuffer: 2 ** 26 }, (error, ...output) => {
      resolve({ code: error === null ? 0 : error.code, output: output.join('') });
    });
  });
}

test('each class of hostile documents has one here', () => {
  expect(documents.map(({ name }) => name).toSorted()).toEqual([...chosen].toSorted());
});

test.each(documents)(
  '$name ends with what is wrong, and no stack',
  { timeout: 120_000 },
  async (document) => {
    const { code, output } = await lint(document);
    // 2 would say that it is no document: the rest of each can be used.
    expect([0, 1]).toContain(code);
    expect(output).not.toMatch(/^\s+at .*[(:]|heap|RangeError/m);
    expect(output.replace('1 warning,', '1 warnings,')).toContain(document.told ?? ' warnings, ');
  },
);
