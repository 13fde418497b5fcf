import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { rolldown } from 'rolldown';
import { packageFile } from '../../cli/package/package-root.ts';

/** A runtime beside Node that `dev/runtimes` has from npm. */
export interface Runtime {
  readonly name: 'bun' | 'deno' | 'workerd';
  /** Path of its executable; undefined where there is none for this platform. */
  readonly program: string | undefined;
  /**
   * The command that serves a file.
   *
   * @param file TypeScript in a folder of its own, from which packages are found
   */
  readonly prepare: (file: string) => Promise<readonly string[]>;
}

/** A server of a runtime. It is killed at the end. */
export interface RuntimeServer extends AsyncDisposable {
  readonly port: number;
  readonly child: ChildProcess;
}

const found = (path: string): string | undefined => {
  const program = packageFile(join('dev/runtimes/node_modules', path));
  return existsSync(program) ? program : undefined;
};

export const runtimes: readonly Runtime[] = [
  {
    name: 'bun',
    program: found('@oven/bun-linux-x64/bin/bun'),
    prepare: (file) => Promise.resolve([file]),
  },
  {
    name: 'deno',
    program: found('@deno/linux-x64-glibc/deno'),
    prepare: (file) => Promise.resolve(['run', '--allow-net', '--allow-read', '--allow-env', file]),
  },
  {
    name: 'workerd',
    program: found('@cloudflare/workerd-linux-64/bin/workerd'),
    prepare: prepareWorker,
  },
];

/** Starts the server that a file has, on a free port. Rejects with its output where it ends. */
export async function startRuntime(
  { name, program = name, prepare }: Runtime,
  file: string,
): Promise<RuntimeServer> {
  const child = spawn(program, await prepare(file), {
    env: { ...process.env, PORT: '0', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const port = await readPort(child);
  return {
    port,
    child,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The port that a server tells on its console, in an address or as an event of workerd. */
function readPort(child: ChildProcess): Promise<number> {
  let text = '';
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        const [, port] = /(?:http:\/\/[\w.]+:|"port":)(\d+)/.exec(text) ?? [];
        if (port !== undefined) resolve(Number(port));
      });
    child.once('error', reject);
    child.once('close', () => reject(new Error(`The server ended: ${text}`)));
  });
}

/** Bundles a Worker into one file, as wrangler does, and writes a configuration beside it. */
async function prepareWorker(file: string): Promise<readonly string[]> {
  await using bundle = await rolldown({
    input: file,
    platform: 'browser',
    resolve: { conditionNames: ['workerd', 'worker', 'browser', 'import', 'default'] },
  });
  await bundle.write({ file: `${file}.bundle.js`, format: 'esm', codeSplitting: false });
  const config = `${file}.capnp`;
  await writeFile(config, renderConfig(basename(`${file}.bundle.js`)));
  return ['serve', config, '--control-fd=1'];
}

function renderConfig(bundle: string): string {
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [ (name = "main", worker = .main) ],
  sockets = [ (name = "http", address = "127.0.0.1:0", http = (), service = "main") ]
);

const main :Workerd.Worker = (
  modules = [ (name = "worker.js", esModule = embed ${JSON.stringify(bundle)}) ],
  compatibilityDate = "2026-01-01"
);
`;
}
