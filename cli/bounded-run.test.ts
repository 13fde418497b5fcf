import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { certificateLimits } from '../limits/index.ts';
import type { VisibleText } from '../view/visible.ts';
import { describeSink, isBounded, runBounded } from './bounded-run.ts';

const entryOf = (code: string): URL => new URL(`data:text/javascript,${encodeURIComponent(code)}`);

const run = async (code: string) => {
  let stderr = '';
  const silent = { write: () => true };
  const told = { write: (text: VisibleText) => void (stderr += text) };
  const io = { stdout: silent, stderr: told, env: {} };
  const ended = await runBounded(entryOf(code), ['verify', 'certificate.json'], io);
  return [ended, stderr];
};

test('a command that needs more memory than its bound is told to be too large, and ends alone', async () => {
  expect(
    await run('const all = []; for (;;) all.push([...all.slice(-100000), all.length]);'),
  ).toEqual([
    2,
    `petstore verify: This is too large: more than ${certificateLimits.heapBytes.most.toLocaleString('en')} bytes of memory are needed to judge it again, and no more are taken.\n`,
  ]);
});

test('a command that needs less has its own exit code, arguments and terminal', async () => {
  const code = `import { workerData } from 'node:worker_threads';
    if (process.argv.includes('verify') && workerData.stdout.isTTY === false) process.exitCode = 7;`;
  expect(await run(code)).toEqual([7, '']);
});

test('a fault in the thread is told in a line', async () => {
  expect(await run(`throw new Error('made up')`)).toEqual([2, 'petstore verify: Error: made up\n']);
});

// The program is started as it is: a pipe of a file system waits in a thread of the system.
test.skipIf(process.platform === 'win32').each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends the process where a pipe is read that nobody writes to',
  async (signal) => {
    const folder = await mkdtemp(join(tmpdir(), 'petstore-pipe-'));
    try {
      const pipe = join(folder, 'certificate.json');
      execFileSync('mkfifo', [pipe]);
      const entry = new URL('petstore.ts', import.meta.url).pathname;
      const child = spawn(process.execPath, [entry, 'verify', pipe], { stdio: 'ignore' });
      const ended = once(child, 'exit');
      const last = setTimeout(() => child.kill('SIGKILL'), 40_000);
      // By then it waits for the pipe: a second signal would end any process.
      const late = setTimeout(() => child.kill(signal), 6000);
      try {
        expect(await ended).not.toEqual([null, 'SIGKILL']);
      } finally {
        clearTimeout(late);
        clearTimeout(last);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  },
  60_000,
);

test('verify and countersign are run so, and no other command', () => {
  expect(
    [
      ['verify', 'x'],
      ['countersign'],
      ['verify', 'x', '--shard', 'y'],
      ['verify', '--shard=y'],
      ['conform'],
      [],
    ].map(isBounded),
  ).toEqual([true, true, false, false, false, false]);
  const sink = { write: () => true, isTTY: true, columns: 99 };
  expect(describeSink(sink, 'stdout', null)).toBe(sink);
});
