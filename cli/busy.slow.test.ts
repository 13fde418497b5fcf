import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { packageFile } from './package/package-root.ts';

/** Stands for a file that takes its reader for ever: the first JSON that is read never ends. */
const endless = `JSON.parse = () => { require('node:fs').writeSync(1, 'busy'); for (;;); };`;

test.each(
  [
    ['lint', 'x.json'],
    ['resources', 'x.json'],
    ['judge', 'x.json'],
    ['merge', 'x.json'],
    ['verify', 'x.json'],
    ['conform', '--contract=x.json'],
    ['diff', 'http://127.0.0.1:9/v1', 'http://127.0.0.1:9/v2', '--contract=x.json'],
    ['proxy', '--target=http://127.0.0.1:9/v1', '--contract=x.json'],
    ['mock', '--port=0', '--contract=x.json'],
    ['certify-client', '--contract=x.json', '--', 'true'],
  ].map((argv) => [argv[0], argv] as const),
)(
  '%s ends at a signal, however busy it is with a file of somebody else',
  { timeout: 120_000 },
  async (_name, argv) => {
    const folder = mkdtempSync(join(tmpdir(), 'busy-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'x.json'), '{}');
    writeFileSync(join(folder, 'busy.cjs'), endless);
    const words = ['--require', './busy.cjs', packageFile('cli/petstore.ts'), ...argv];
    const child = spawn(process.execPath, words, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
  },
);
