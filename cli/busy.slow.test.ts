import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { packageFile } from './package/package-root.ts';

/** Commands that handle signals in a thread, then the others. */
const threaded = [
  ['conform', '--contract=x.json'],
  ['judge', 'x.json'],
  ['judge-journal', 'x.json'],
  ['merge', 'x.json'],
  ['diff', 'http://127.0.0.1:9/v1', 'http://127.0.0.1:9/v2', '--contract=x.json'],
  ['proxy', '--target=http://127.0.0.1:9/v1', '--contract=x.json'],
  ['certify-client', '--contract=x.json', '--', 'true'],
];
const others = [
  ['verify', 'x.json'],
  ['selftest', 'x.json'],
  ['lint', 'x.json'],
  ['resources', 'x.json'],
  ['mock', '--port=0', '--contract=x.json'],
];

/** Stands for a file that takes its reader for ever: the first JSON that is read never ends. */
const endless = `JSON.parse = () => { require('node:fs').writeSync(1, 'busy'); for (;;); };`;

/**
 * The thread of a command does not end after the command has read the signal. It says so once the main thread
 * has had time to hear of it.
 */
const stubborn = `const { isMainThread, parentPort } = require('node:worker_threads');
if (!isMainThread) {
  const { postMessage } = parentPort;
  parentPort.postMessage = (...message) => {
    postMessage.apply(parentPort, message);
    if (message[0] !== 'handles-signals') return;
    for (const end = Date.now() + 1500; Date.now() < end; );
    require('node:fs').writeSync(1, 'busy');
    for (;;);
  };
}`;

/** Starts a command and waits until it prints that it is busy. */
async function startBusy(argv: readonly string[], code: string) {
  const folder = mkdtempSync(join(tmpdir(), 'busy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'x.json'), '{}');
  writeFileSync(join(folder, 'busy.cjs'), code);
  const words = ['--require', './busy.cjs', packageFile('cli/petstore.ts'), ...argv];
  const child = spawn(process.execPath, words, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (data) => (stderr += String(data)));
  await once(child.stdout, 'data');
  return { child, stderr: () => stderr };
}

const named = (all: readonly (readonly string[])[]) => all.map((argv) => [argv[0], argv] as const);

test.each(named([...threaded, ...others]))(
  '%s exits on a signal while it is busy with a foreign file',
  { timeout: 120_000 },
  async (_name, argv) => {
    const { child } = await startBusy(argv, endless);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
  },
);

test.each(named(threaded))(
  '%s ends some seconds after a signal that it handles, or at the second one',
  { timeout: 120_000 },
  async (_name, argv) => {
    const [single, twice] = await Promise.all([
      startBusy(argv, stubborn),
      startBusy(argv, stubborn),
    ]);
    const end = Promise.all([once(single.child, 'exit'), once(single.child.stderr, 'close')]);
    single.child.kill('SIGTERM');
    twice.child.kill('SIGINT');
    await sleep(1000);
    expect([single.child.exitCode, twice.child.exitCode]).toEqual([null, null]);
    twice.child.kill('SIGINT');
    expect(await once(twice.child, 'exit')).toEqual([null, 'SIGINT']);
    expect((await end)[0]).toEqual([2, null]);
    expect(single.stderr()).toMatch(/: Interrupted, but still busy: ended without a report\.\n$/);
  },
);
