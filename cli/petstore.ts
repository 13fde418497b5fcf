#!/usr/bin/env node
import module from 'node:module';
import { workerData } from 'node:worker_threads';

/** The only place that knows `process`. Refuses a Node older than package.json allows. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 19)) {
  const argv = process.argv.slice(2);
  // Compiled modules are kept in the folder for temporary files: the next start is quicker. What is
  // imported before this line is compiled by every start.
  module.enableCompileCache();
  const { runPetstore, spareMemory, tellUncaught } = await import('./main.ts');
  spareMemory(true);
  const { isBounded, runBounded } = await import('./bounded-run.ts');
  for (const name of ['stdout', 'stderr'] as const) {
    // A thread of `runBounded` writes to the terminal of the program.
    Object.assign(process[name], Object(workerData)[name]);
    // A reader that goes away, as in `petstore mock | head`, must not end the server.
    process[name].on('error', () => undefined);
  }
  // What no command catches: a bug of the program, in something that runs beside it.
  process.on('uncaughtException', (error) => {
    void tellUncaught(error, process).finally(() => process.exit(2));
  });
  let stop: AbortController | undefined;
  const io = {
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    // Only what a command ends by itself waits for it: until one asks, SIGTERM ends the process at
    // once, however busy it is with a large file.
    get signal() {
      stop ??= abortAtSignals();
      return stop.signal;
    },
  };
  process.exitCode = isBounded(argv)
    ? await runBounded(new URL(import.meta.url), argv, io)
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
