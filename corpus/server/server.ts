import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';
import { type Memory, memoryOf } from './memory.ts';
import { type RunningProcess, startNode } from './process.ts';

export type ServerName = 'ours' | 'prism';

/** How a server took a document. */
export interface LoadResult {
  readonly listens: boolean;
  /** Milliseconds until it listened, or gave up. */
  readonly milliseconds: number;
  readonly memory?: Memory | undefined;
  /** The first lines of a refusal. */
  readonly refusal?: string;
}

export interface StartedServer {
  readonly load: LoadResult;
  /** Without a last slash; undefined where it does not listen. */
  readonly base: string | undefined;
  readonly process: RunningProcess;
}

export const projectFolder = fileURLToPath(new URL('../..', import.meta.url));

const limits = { megabytes: 3000, cwd: projectFolder };
const longestLoad = 60_000;
/** Most of the time that a server may live. */
const lifetime = 600_000;

/** Starts a server as users do, on a free port, and waits a minute for it to listen. */
export async function startServer(name: ServerName, file: string): Promise<StartedServer> {
  const started = performance.now();
  const argv = await commandOf(name, file);
  const process = startNode(argv, { ...limits, milliseconds: lifetime });
  const base = await listening(process, readyLine[name]);
  const milliseconds = Math.round(performance.now() - started);
  const memory = memoryOf(process.child.pid);
  if (base === undefined) await process.stop();
  const lines = process
    .stderr()
    .split('\n')
    .filter((line) => line.trim() !== '');
  const refusal = base === undefined ? { refusal: refusalOf(process, lines) } : {};
  const listens = base !== undefined;
  return { load: { listens, milliseconds, memory, ...refusal }, base, process };
}

async function commandOf(name: ServerName, file: string): Promise<readonly string[]> {
  if (name === 'ours')
    return `cli/petstore.ts mock --port 0 --no-watch --quiet --contract`.split(' ').concat(file);
  const prism = 'node_modules/@stoplight/prism-cli/dist/index.js mock -h 127.0.0.1 -p';
  return [...prism.split(' '), String(await freePort()), file];
}

const readyLine: Readonly<Record<ServerName, RegExp>> = {
  ours: /is mocked at (http:\S+)\s/,
  prism: /Prism is listening on (http:\S+)\s/,
};

/** Resolves at the line that tells the address, at the end of the process, or after a minute. */
async function listening(process: RunningProcess, line: RegExp): Promise<string | undefined> {
  const find = (): string | undefined => line.exec(process.stdout() + process.stderr())?.[1];
  const found = new Promise<void>((resolve) => {
    const look = (): void => void (find() === undefined || resolve());
    process.child.stdout?.on('data', look);
    process.child.stderr?.on('data', look);
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

/** Prism reads references from the network: a document that has such is not given to it. */
export async function refersToNetwork(file: string): Promise<boolean> {
  return /\$ref["']?\s*:\s*["']?https?:/.test(await readFile(file, 'utf8'));
}
