import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../../dev/load/server-process.ts';

/** Where nginx is; undefined where it is not installed. */
export const nginxProgram: string | undefined = [
  ...(process.env['PATH'] ?? '').split(delimiter),
  '/usr/sbin',
]
  .map((folder) => join(folder, 'nginx'))
  .find((path) => existsSync(path));

/** Why tests of nginx are skipped; in the name of the test, so that it is seen. */
export const nginxName = nginxProgram === undefined ? 'no nginx is installed' : 'nginx';

/** nginx in front of some instances. */
export interface Balancer {
  readonly port: number;
  stop(): Promise<void>;
}

const page = fileURLToPath(new URL('../../../../docs/state.md', import.meta.url));

/** The configuration of the page, as a file of `conf.d`. */
function readConfiguration(): string {
  const [, text] = /^```nginx\n(.*?)^```$/ms.exec(readFileSync(page, 'utf8')) ?? [];
  if (text === undefined) throw new Error('The page has no configuration of nginx.');
  return text;
}

/**
 * Starts nginx as the page says.
 *
 * @param ports of the instances, in the place of those of the page
 * @param change what to do to the configuration besides
 */
export async function startBalancer(
  ports: readonly number[],
  change: (configuration: string) => string = (same) => same,
): Promise<Balancer> {
  if (nginxProgram === undefined) throw new Error(nginxName);
  const folder = await mkdtemp(join(tmpdir(), 'petstore-nginx-'));
  const port = await freePort();
  const servers = ports.map((one) => `  server 127.0.0.1:${one} max_fails=1 fail_timeout=1s;\n`);
  const configuration = change(
    readConfiguration()
      .replace(/( *server 127\.0\.0\.1:.*\n)+/, servers.join(''))
      .replace(/listen \d+;/, `listen 127.0.0.1:${port};`),
  );
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  await mkdir(join(folder, 'logs'));
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid nginx.pid;
error_log logs/error.log;
events {}
http {
access_log off;
${folders.map((name) => `${name}_temp_path ${name};`).join('\n')}
${configuration}}
`,
  );
  const child = spawn(nginxProgram, ['-p', folder, '-c', 'nginx.conf', '-e', 'logs/error.log'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error('nginx does not start');
    await sleep(10);
  }
  return {
    port,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
