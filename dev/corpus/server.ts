import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text as readText } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { CorpusDocument } from './manifest.ts';

/** How a server took a document. */
export interface LoadResult {
  readonly listens: boolean;
  /** Milliseconds until it listened, or ended. */
  readonly milliseconds: number;
  /** The first lines of what it printed instead of listening. */
  readonly refusal?: string;
}

export interface StartedServer {
  readonly load: LoadResult;
  /** Without a last slash; undefined where it does not listen. */
  readonly base: string | undefined;
  readonly stop: () => Promise<void>;
}

const projectFolder = fileURLToPath(new URL('../..', import.meta.url));

/** Starts a command of the project on a document as users do, with a limit of memory and of time. */
export function startCommand(
  words: readonly string[],
  { file, folder }: CorpusDocument,
  milliseconds: number,
): ChildProcess {
  const command = ['cli/petstore.ts', ...words, '--contract', file, '--allow-folder', folder];
  return spawn(process.execPath, ['--max-old-space-size=3000', ...command], {
    cwd: projectFolder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
    timeout: milliseconds,
    killSignal: 'SIGKILL',
  });
}

/** Starts a mock on a free port, and waits a minute for it to listen. */
export async function startServer(document: CorpusDocument): Promise<StartedServer> {
  const started = performance.now();
  const words = ['mock', '--port', '0', '--no-watch', '--quiet'];
  const child = startCommand(words, document, 600_000);
  const ended = once(child, 'close');
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  const errors = child.stderr === null ? '' : readText(child.stderr);
  const base = await Promise.race([listeningAt(child), ended.then(() => undefined)]);
  const load = {
    listens: base !== undefined,
    milliseconds: Math.round(performance.now() - started),
  };
  if (base !== undefined) return { load, base, stop };
  await stop();
  const lines = (await errors).split('\n').filter((line) => line.trim() !== '');
  const shown = lines.slice(0, 5).join('\n').slice(0, 600);
  return { load: { ...load, refusal: shown || `ended by ${child.signalCode}` }, base, stop };
}

/** The address that a mock prints; undefined after a minute. */
async function listeningAt({ stdout }: ChildProcess): Promise<string | undefined> {
  const found = Promise.withResolvers<string | undefined>();
  const timer = setTimeout(() => found.resolve(undefined), 60_000);
  let printed = '';
  stdout?.setEncoding('utf8').on('data', (part: string) => {
    printed += part;
    const base = /is mocked at (http:\S+?)\/?\s/.exec(printed)?.[1];
    if (base !== undefined) found.resolve(base);
  });
  const base = await found.promise;
  clearTimeout(timer);
  return base;
}
