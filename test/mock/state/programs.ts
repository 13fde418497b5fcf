import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { packageFile } from '../../../cli/package/package-root.ts';
import { freePort } from '../../../dev/load/server-process.ts';

/** A program on a port of the loopback. */
export interface Program {
  readonly port: number;
  readonly isUp: boolean;
  /** Resolves when it listens. */
  start(): Promise<void>;
  /** Like `kill -9`. */
  kill(): Promise<void>;
  /** Suspends it until `resume`. */
  pause(): void;
  resume(): void;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

/** @param ready what it prints once it listens */
function createProgram(
  port: number,
  [name = '', ...words]: readonly string[],
  ready: RegExp,
  folder?: string,
): Program {
  let child: ChildProcess | undefined;
  async function kill(): Promise<void> {
    if (child === undefined) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    child = undefined;
    await ended;
  }
  return {
    port,
    get isUp() {
      return child !== undefined;
    },
    async start() {
      const started = spawn(name, words, { stdio: ['ignore', 'pipe', 'pipe'] });
      await new Promise<void>((resolve, reject) => {
        let log = '';
        // Reads forever, because a full pipe would block the program.
        const read = (bytes: Buffer): void => {
          log = (log + String(bytes)).slice(-10_000);
          if (ready.test(log)) resolve();
        };
        started.stdout.on('data', read);
        started.stderr.on('data', read);
        started.once('exit', () => reject(new Error(`${name} does not start: ${log}`)));
      });
      child = started;
    },
    kill,
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    async stop() {
      await kill();
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

function findProgram(...names: readonly string[]): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

export const serverProgram = findProgram('valkey-server', 'redis-server');
export const nginxProgram = findProgram('nginx');

/** Used in test names, to show why they are skipped. */
export const serverName = serverProgram ?? 'no valkey-server or redis-server is installed';
export const nginxName = nginxProgram ?? 'no nginx is installed';

/** Starts a Valkey or Redis server that syncs each command, unless the flags say otherwise. */
export async function startTestServer(
  ...flags: readonly string[]
): Promise<Program & { readonly url: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-server-'));
  const port = await freePort();
  const usual = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const synced = ['--appendonly', 'yes', '--appendfsync', 'always'];
  const words = [serverName, ...usual, ...synced, ...flags];
  const server = createProgram(port, words, /Ready to accept connections/, folder);
  await server.start();
  return Object.assign(server, { url: `valkey://127.0.0.1:${port}` });
}

/**
 * A mock in its own process, not yet started.
 * @param flags of `petstore mock`, besides those for the port and the console
 */
export async function createInstance(...flags: readonly string[]): Promise<Program> {
  const port = await freePort();
  const program = [process.execPath, packageFile('cli/petstore.ts'), 'mock'];
  const usual = ['--port', `${port}`, '--log', 'json', '--quiet', '--no-watch'];
  return createProgram(port, [...program, ...usual, ...flags], /"listening"/);
}

/**
 * Starts nginx with the configuration of docs/state.md.
 * @param ports of the instances, instead of those in the docs
 * @param change further changes to the configuration
 */
export async function startBalancer(
  ports: readonly number[],
  change: (configuration: string) => string = (same) => same,
): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-nginx-'));
  const port = await freePort();
  const page = readFileSync(packageFile('docs/state.md'), 'utf8');
  const [, configuration = ''] = /^```nginx\n(.*?)^```$/ms.exec(page) ?? [];
  const servers = ports.map((one) => `  server 127.0.0.1:${one} max_fails=1 fail_timeout=1s;\n`);
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  await mkdir(join(folder, 'logs'));
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid nginx.pid;
error_log stderr notice;
events {}
http {
access_log off;
${folders.map((name) => `${name}_temp_path ${name};`).join('\n')}
${change(
  configuration
    .replace(/( *server 127\.0\.0\.1:.*\n)+/, servers.join(''))
    .replace(/listen \d+;/, `listen 127.0.0.1:${port};`),
)}}
`,
  );
  const words = [nginxName, '-p', folder, '-c', 'nginx.conf', '-e', 'stderr'];
  const balancer = createProgram(port, words, /start worker process \d/, folder);
  await balancer.start();
  return balancer;
}
