import { fileURLToPath } from 'node:url';
import { type RunningProcess, startNode } from './process.ts';

/** How a server took a document. */
export interface LoadResult {
  readonly listens: boolean;
  /** Milliseconds until it listened, or gave up. */
  readonly milliseconds: number;
  /** The first lines of a refusal. */
  readonly refusal?: string;
}

export interface StartedServer {
  readonly load: LoadResult;
  /** Without a last slash; undefined where it does not listen. */
  readonly base: string | undefined;
  readonly process: RunningProcess;
}

export const projectFolder = fileURLToPath(new URL('../../..', import.meta.url));

const limits = { megabytes: 3000, cwd: projectFolder };
const longestLoad = 60_000;
/** Most of the time that a server may live. */
const lifetime = 600_000;

/** Starts a server as users do, on a free port, and waits a minute for it to listen. */
export async function startServer(file: string): Promise<StartedServer> {
  const started = performance.now();
  const argv = 'cli/petstore.ts mock --port 0 --no-watch --quiet --contract'.split(' ');
  const process = startNode([...argv, file], { ...limits, milliseconds: lifetime });
  const base = await listening(process);
  const milliseconds = Math.round(performance.now() - started);
  if (base === undefined) await process.stop();
  const lines = process
    .stderr()
    .split('\n')
    .filter((line) => line.trim() !== '');
  const refusal = base === undefined ? { refusal: refusalOf(process, lines) } : {};
  const listens = base !== undefined;
  return { load: { listens, milliseconds, ...refusal }, base, process };
}

/** Resolves at the line that tells the address, at the end of the process, or after a minute. */
async function listening(process: RunningProcess): Promise<string | undefined> {
  const find = (): string | undefined => /is mocked at (http:\S+)\s/.exec(process.stdout())?.[1];
  const found = new Promise<void>((resolve) => {
    const look = (): void => void (find() === undefined || resolve());
    process.child.stdout?.on('data', look);
  });
  const timer = Promise.withResolvers<void>();
  const timeout = setTimeout(timer.resolve, longestLoad);
  await Promise.race([found, process.ended, timer.promise]);
  clearTimeout(timeout);
  return find()?.replace(/\/$/, '');
}

function refusalOf({ child }: RunningProcess, lines: readonly string[]): string {
  if (child.signalCode !== null) return `ended by ${child.signalCode}`;
  return lines.slice(0, 5).join('\n').slice(0, 600);
}
