import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../dev/load/server-process.ts';

const names = ['valkey-server', 'redis-server'];

/** The server that is installed; undefined where there is none. */
export const serverProgram: string | undefined = names.find((name) => {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

/** Why tests of a server are skipped; in the name of the test, so that it is seen. */
export const serverName = serverProgram ?? 'no valkey-server or redis-server is installed';

/** A server in a folder of its own, on a free port. */
export interface TestServer {
  readonly port: number;
  /** `valkey://127.0.0.1:<port>` */
  readonly url: string;
  /** Ends it at once, as a loss of power would for the process. */
  kill(): Promise<void>;
  /** Starts it again on what it has kept. */
  start(): Promise<void>;
  /** Lets it hang, and go on. */
  pause(): void;
  resume(): void;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

/** Starts a server that syncs each command, unless the flags say otherwise. */
export async function startTestServer(...flags: readonly string[]): Promise<TestServer> {
  if (serverProgram === undefined) throw new Error(serverName);
  const program = serverProgram;
  const folder = await mkdtemp(join(tmpdir(), 'petstore-server-'));
  const port = await freePort();
  const usual = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const synced = ['--appendonly', 'yes', '--appendfsync', 'always'];
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    child = spawn(program, [...usual, ...synced, ...flags], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const { stdout } = child;
    if (stdout === null) throw new Error('no output');
    let log = '';
    for await (const chunk of stdout) {
      log += String(chunk);
      if (/Ready to accept connections/.test(log)) {
        // What it says from now on is read, so that it never waits.
        stdout.resume();
        return;
      }
    }
    throw new Error(`${program} does not start: ${log}`);
  }

  async function kill(): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  await start();
  return {
    port,
    url: `valkey://127.0.0.1:${port}`,
    kill,
    start,
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
