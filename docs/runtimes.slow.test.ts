import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageFile } from '../cli/package/package-root.ts';
import { installPackage } from '../dev/check/packed-package.ts';
import { createPageSender, openPage } from '../dev/check/browser.ts';
import { loadContract, type Contract } from '../contract/index.ts';
import { runConformance } from '../conformance/index.ts';
import { findChromium } from '../test/page/browser.ts';
import { type RolldownOutput, rolldown } from 'rolldown';
import { snippetsOf } from './snippet.ts';

const snippets = snippetsOf(readFileSync(new URL('runtimes.md', import.meta.url), 'utf8'));
const codeOf = (mark: string): string => snippets.find((one) => one.mark === mark)?.code ?? '';

/** A runtime beside Node that `dev/runtimes` has from npm. */
interface Runtime {
  readonly name: 'bun' | 'deno' | 'workerd';
  /** Path of its executable; undefined if there is none for this platform. */
  readonly program: string | undefined;
  /**
   * The command that serves a file.
   *
   * @param file TypeScript in a folder of its own, from which packages are found
   */
  readonly prepare: (file: string) => Promise<readonly string[]>;
}

/** A server of a runtime. It is killed at the end. */
interface RuntimeServer extends AsyncDisposable {
  readonly port: number;
  readonly child: ChildProcess;
}

const found = (path: string): string | undefined => {
  const program = packageFile(join('dev/runtimes/node_modules', path));
  return existsSync(program) ? program : undefined;
};

const runtimes: readonly Runtime[] = [
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
async function startRuntime(
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

/** The port that a server prints, in a URL or as an event of workerd. */
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

/** A project with the package installed. */
let project = '';
const own = (path: string): string => join(project, 'node_modules/petstore-contract', path);

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'petstore-runtimes-'));
  await installPackage(own(''));
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }');
}, 120_000);
afterAll(async () => {
  await rm(project, { recursive: true, force: true, maxRetries: 5 });
});

/** Judges a server by the command of the package. */
const judge = async (baseUrl: string): Promise<string> => {
  const words = ['conform', '--base-url', baseUrl, '--api-key', 'demo-business'];
  const command = [own('dist/cli/petstore.js'), ...words, '--requests', '60'];
  const ended = promisify(execFile)(process.execPath, command);
  return await ended.then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
  );
};

describe.each(runtimes)('on $name', (runtime) => {
  const { name, program } = runtime;
  const why =
    program === undefined
      ? ' (skipped: dev/runtimes is not installed, or npm has none for this platform)'
      : '';

  test.skipIf(why !== '')(
    `the file of the page starts a mock that conforms${why}`,
    { timeout: 120_000 },
    async () => {
      const folder = join(project, name);
      await mkdir(folder);
      const file = join(folder, 'mock.ts');
      await writeFile(file, codeOf(name === 'workerd' ? 'worker' : name));
      await using server = await startRuntime(runtime, file);
      const origin = `http://127.0.0.1:${server.port}`;
      expect(await judge(`${origin}/v1`)).toContain('conforms to Petstore 1.0.0');

      const headers = { authorization: 'Bearer demo-free' };
      const list = (): Promise<Response> =>
        fetch(`${origin}/v1/pets?limit=1`, { headers, method: 'HEAD' });
      const first = await list();
      expect([first.status, Number(first.headers.get('content-length'))]).toEqual([200, 59]);
      // A minute may end on the way, and the count with it.
      let last = first;
      for (let sent = 1; last.status === 200 && sent <= 120; sent += 1) last = await list();
      expect([last.status, Number(last.headers.get('retry-after')) > 0]).toEqual([429, true]);

      const { status } = await fetch(`${origin}/_mock/sandboxes`);
      expect(status).toBe(name === 'workerd' ? 404 : 200);
    },
  );
});

/** Bundles a snippet into one file, as the page says. */
const bundle = async (name: string, code: string): Promise<RolldownOutput['output']> => {
  const file = join(project, `${name}.ts`);
  await writeFile(file, code);
  await using bundled = await rolldown({ input: file, platform: 'browser' });
  const { output } = await bundled.generate({ codeSplitting: false, entryFileNames: '[name].js' });
  return output;
};

const noBrowser = findChromium() === undefined ? ' (skipped: this machine has no Chromium)' : '';

test.skipIf(noBrowser !== '')(
  `the service worker of the page answers for a server, and conforms${noBrowser}`,
  { timeout: 120_000 },
  async () => {
    const started = `${codeOf('page')}\nObject.assign(globalThis, { started: true });\n`;
    const [main, worker] = await Promise.all([
      bundle('page', started),
      bundle('service-worker', codeOf('serviceworker')),
    ]);
    await using opened = await openPage([...main, ...worker], 'page');
    const { page } = opened;
    await page.waitForFunction('globalThis.started');
    const contract: Contract = await loadContract({ file: own('openapi.yaml') });
    const report = await runConformance(
      contract,
      { baseUrl: new URL('/v1', page.url()).href, apiKey: 'demo-business' },
      { sender: createPageSender(page), requests: 60 },
    );
    expect(report.verdicts.filter(({ kind }) => kind === 'failed')).toEqual([]);
    expect(report.outcome).toBe('conforms');
    expect(report.run.requests).toBeGreaterThan(40);
    // Without the worker there is nothing at that address.
    expect((await fetch(new URL('/v1/pets', page.url()))).status).toBe(404);
  },
);
