import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type ChildEnd, runChild } from './child-command.ts';

const run = async (
  script: string,
  given: Partial<Parameters<typeof runChild>[0]> = {},
): Promise<ChildEnd> =>
  await runChild({
    command: [process.execPath, '-e', script],
    env: {},
    timeout: 20_000,
    signal: new AbortController().signal,
    ...given,
  });

/** A script that starts another, prints its process id, and lets it run for a minute. */
const startSleeper =
  "const { spawn } = require('node:child_process'); const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'inherit' }); console.log(child.pid); child.unref();";

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Resolves when a process that was sent SIGKILL is gone. */
const gone = async (pid: number): Promise<boolean> => {
  for (let tries = 0; tries < 6000 && isRunning(pid); tries += 1) await sleep(10);
  return !isRunning(pid);
};

describe('a command', () => {
  test('returns its exit code and output', async () => {
    expect(
      await run("console.log('out'); console.error('err'); process.exitCode = 3"),
    ).toMatchObject({
      end: { kind: 'exited', code: 3 },
      output: expect.stringMatching(/^(out\nerr|err\nout)\n$/),
    });
  });

  test('gets the given environment, its arguments unchanged, and no input', async () => {
    const { output } = await run('', {
      command: [
        process.execPath,
        '-e',
        'process.stdin.resume(); console.log(process.env.A, process.argv[1])',
        '$(exit 1) *',
      ],
      env: { A: 'b' },
    });
    expect(output).toBe('b $(exit 1) *\n');
  });

  test('keeps the last part of a long output', async () => {
    const { output } = await run("for (let i = 0; i < 50000; i += 1) console.log('line', i)");
    expect([output.length, output.endsWith('line 49999\n')]).toEqual([64 * 1024, true]);
  });

  test.each([
    [
      'petstore-no-such-command',
      '"petstore-no-such-command" cannot be started: command not found.',
    ],
    [
      import.meta.dirname,
      `"${import.meta.dirname}" cannot be started: no permission to execute it.`,
    ],
    ['a\0b', expect.stringMatching(/cannot be started: /)],
    ['', expect.stringMatching(/cannot be started: /)],
  ])('that cannot be started is reported: %j', async (word, message) => {
    await expect(run('', { command: [word] })).rejects.toThrow(
      expect.objectContaining({ code: 'argument', message }),
    );
  });

  test('is killed after its time limit, even if it ignores SIGTERM', async () => {
    expect(
      (await run("process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)", { timeout: 600 }))
        .end,
    ).toEqual({ kind: 'timeout' });
  });

  test('reports the signal that ended it', async () => {
    expect((await run("process.kill(process.pid, 'SIGKILL')")).end).toEqual({
      kind: 'killed',
      signal: 'SIGKILL',
    });
  });

  test('leaves no process behind when it ends by itself', async () => {
    const { end, output } = await run(startSleeper);
    expect([end, await gone(Number(output))]).toEqual([{ kind: 'exited', code: 0 }, true]);
  });

  test('leaves no process behind when it is interrupted', async () => {
    const stop = new AbortController();
    const folder = await mkdtemp(join(tmpdir(), 'petstore-'));
    const running = run(
      `${startSleeper} setInterval(() => {}, 1000); require('node:fs').writeFileSync('${join(folder, 'ready')}', '')`,
      { signal: stop.signal },
    );
    while ((await readdir(folder)).length === 0) await sleep(10);
    stop.abort();
    const { end, output } = await running;
    await rm(folder, { recursive: true });
    expect([end, await gone(Number(output))]).toEqual([{ kind: 'aborted' }, true]);
    expect((await run('', { signal: stop.signal })).end).toEqual({ kind: 'aborted' });
  });
});
