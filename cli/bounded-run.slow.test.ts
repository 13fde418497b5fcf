import { expect, test } from 'vitest';
import { certificateLimits } from '../contract/limits/index.ts';
import type { VisibleText } from '../page/view/visible.ts';
import { runInThread } from './bounded-run.ts';

const entryOf = (code: string): URL => new URL(`data:text/javascript,${encodeURIComponent(code)}`);

const run = async (code: string) => {
  let stderr = '';
  const silent = { write: () => true, isTTY: true };
  const output = { write: (text: VisibleText) => void (stderr += text) };
  const io = { stdout: silent, stderr: output, env: {}, signal: new AbortController().signal };
  const ended = await runInThread(entryOf(code), ['verify', 'certificate.json'], io);
  return [ended, stderr];
};

test('a command that exceeds its memory limit ends with an error, and the process goes on', async () => {
  expect(
    await run('const all = []; for (;;) all.push([...all.slice(-100000), all.length]);'),
  ).toEqual([
    2,
    `petstore verify: This is too large to verify: it needs more than ${certificateLimits.heapBytes.toLocaleString('en')} bytes of memory, the limit.\n`,
  ]);
});

test('a command within its limit keeps its exit code, arguments and terminal', async () => {
  const code = `import { workerData } from 'node:worker_threads';
    if (process.argv.includes('verify') && workerData.petstoreSinks.stdout.isTTY === true) process.exitCode = 7;`;
  expect(await run(code)).toEqual([7, '']);
});

test('an error in the worker is reported in one line', async () => {
  expect(await run(`throw new Error('made up')`)).toEqual([2, 'petstore verify: Error: made up\n']);
});
