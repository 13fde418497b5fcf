#!/usr/bin/env node
import module from 'node:module';
import type { CommandIo } from './io/command-io.ts';

/**
 * Commands that print a report when they are interrupted, and `verify`, which has a memory limit. The
 * others do not need a thread: a signal ends them at once, or, as the mock, between two requests.
 */
const commandsInThreads: ReadonlySet<string> = new Set([
  'certify-client',
  'conform',
  'diff',
  'judge',
  'judge-journal',
  'merge',
  'proxy',
  'verify',
]);

/** The only code that uses `process`. Rejects Node versions older than package.json allows. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 19)) {
  const argv = process.argv.slice(2);
  // Cache compiled modules in the temporary folder, which makes the next start faster. Modules
  // imported before this line are not cached.
  module.enableCompileCache();
  const { runPetstore, optimiseForMemory, printUncaughtError } = await import('./main.ts');
  // Depends on the document in the case of a mock.
  const isThread = commandsInThreads.has(argv[0] ?? '');
  if (argv[0] !== 'mock') optimiseForMemory(isThread);
  // A closed pipe, as in `petstore mock | head`, must not end the server.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  let stop: AbortController | undefined;
  const processIo: CommandIo = {
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    // Before a command reads the signal, SIGTERM ends the process at once, even while it parses a
    // large file.
    get signal() {
      stop ??= abortAtSignals();
      return stop.signal;
    },
  };
  const thread = isThread ? await import('./bounded-run.ts') : undefined;
  const io = thread?.openThreadIo(process.env) ?? processIo;
  // Errors that no command caught: a bug in background work.
  process.on('uncaughtException', (error) => {
    void printUncaughtError(error, io).finally(() => process.exit(2));
  });
  process.exitCode =
    thread && io === processIo
      ? await thread.runInThread(new URL(import.meta.url), argv, io)
      : await runPetstore(argv, io);
} else {
  process.stderr.write(
    `petstore: Node.js 22.19 or newer is required; this is ${process.versions.node}.\n`,
  );
  process.exitCode = 2;
}

function abortAtSignals(): AbortController {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stop.abort(signal));
  return stop;
}
