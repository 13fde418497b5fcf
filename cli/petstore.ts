#!/usr/bin/env node
import module from 'node:module';

/** The only place that knows `process`. Refuses a Node older than package.json allows. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 19)) {
  const argv = process.argv.slice(2);
  // Compiled modules are kept in the folder for temporary files: the next start is quicker. What is
  // imported before this line is compiled by every start.
  module.enableCompileCache();
  const { runPetstore, spareMemory, tellUncaught } = await import('./main.ts');
  // A mock decides by its document.
  if (argv[0] !== 'mock') spareMemory();
  // A reader that goes away, as in `petstore mock | head`, must not end the server.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
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
  if (argv[0] === 'verify') {
    const { runBounded } = await import('./bounded-run.ts');
    process.exitCode = await runBounded(new URL(import.meta.url), argv, io, runPetstore);
  } else process.exitCode = await runPetstore(argv, io);
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
