import { parentPort, Worker, workerData } from 'node:worker_threads';
import { certificateLimits } from '../contract/limits/index.ts';
import { type CommandIo, printError, type TextSink } from './io/command-io.ts';

/**
 * MiB of V8's young generation. With so little, V8 collects garbage instead of growing the heap.
 */
const maxYoungGenerationSizeMb = 48;

/** Milliseconds that a command may take to end after a signal. */
const maxMillisecondsToStop = 5000;

/** What a thread posts once its command handles signals. Everything else it posts is text to print. */
const handlesSignals = 'handles-signals';

/**
 * Runs a command in a worker thread. Node calls handlers of signals between two events of the main
 * thread, which is therefore kept free: a command that is still busy some seconds after a signal is
 * ended. If the thread needs more memory than it may use, only the thread ends, with an error.
 * `entry`: the module that the program starts with; the worker loads it too and runs the command,
 * with `openThreadIo`.
 */
export async function runInThread(
  entry: URL,
  argv: readonly string[],
  io: CommandIo,
): Promise<number> {
  const [name = ''] = argv;
  const most = certificateLimits.heapBytes;
  const [stdout, stderr] = [io.stdout, io.stderr].map(({ isTTY, columns }) => ({ isTTY, columns }));
  const worker = new Worker(entry, {
    argv: [...argv],
    workerData: { petstoreSinks: { stdout, stderr } },
    resourceLimits: {
      maxYoungGenerationSizeMb,
      ...(name === 'verify' && { maxOldGenerationSizeMb: most / 1024 / 1024 }),
    },
  });
  return new Promise((resolve) => {
    const stop = (): void => {
      printError(io, name, 'Interrupted, but still busy: ended without a report.');
      resolve(2);
      void worker.terminate();
    };
    worker.on('message', (message) => {
      if (message === handlesSignals)
        io.signal.addEventListener('abort', () => {
          worker.postMessage(io.signal.reason, []);
          setTimeout(stop, maxMillisecondsToStop).unref();
        });
      else (message.sink === 'stderr' ? io.stderr : io.stdout).write(message.text);
    });
    worker.once('error', (error) => {
      const isLarge = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      const excess =
        name === 'verify'
          ? `This is too large to verify: it needs more than ${most.toLocaleString('en')} bytes of memory, the limit.`
          : 'This is too large: it needs more memory than the process may use.';
      printError(io, name, isLarge ? excess : String(error));
      resolve(2);
    });
    worker.once('exit', resolve);
  });
}

/** What a command may use of the process in a thread of `runInThread`; undefined elsewhere. */
export function openThreadIo(env: CommandIo['env']): CommandIo | undefined {
  const sinks = workerData?.petstoreSinks;
  if (sinks === undefined) return undefined;
  let stop: AbortController | undefined;
  return {
    stdout: openSink('stdout', sinks),
    stderr: openSink('stderr', sinks),
    env,
    get signal() {
      stop ??= abortAtMessage();
      return stop.signal;
    },
  };
}

/**
 * The main thread prints in the order of the messages. Streams of a worker would mix up the texts on
 * stdout and stderr.
 */
function openSink(
  sink: 'stdout' | 'stderr',
  layouts: Readonly<Record<string, object | undefined>>,
): TextSink {
  const write: TextSink['write'] = (text) => parentPort?.postMessage({ sink, text }, []);
  return { ...layouts[sink], write };
}

function abortAtMessage(): AbortController {
  const stop = new AbortController();
  parentPort?.once('message', (reason) => stop.abort(reason)).unref();
  parentPort?.postMessage(handlesSignals, []);
  return stop;
}
