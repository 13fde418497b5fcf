import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../../dev/load/server-process.ts';

/** A mock in a process of its own, that may be killed and started again on its port. */
export interface Instance {
  readonly port: number;
  readonly isUp: boolean;
  /** Resolves when it listens. */
  start(): Promise<void>;
  /** As kill -9 does. */
  kill(): Promise<void>;
}

const program = fileURLToPath(new URL('../../../../cli/petstore.ts', import.meta.url));

/** @param flags of `petstore mock`, besides those of the port and the console */
export async function createInstance(...flags: readonly string[]): Promise<Instance> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  return {
    port,
    get isUp() {
      return child !== undefined;
    },
    async start() {
      const words = [
        program,
        'mock',
        '--port',
        `${port}`,
        '--log',
        'json',
        '--quiet',
        '--no-watch',
      ];
      const started = spawn(process.execPath, [...words, ...flags], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let told = '';
      for await (const chunk of started.stdout) {
        told += String(chunk);
        if (told.includes('\n')) break;
      }
      if (!told.includes('"listening"')) throw new Error(`The instance does not start: ${told}`);
      child = started;
    },
    async kill() {
      if (child === undefined) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      child = undefined;
      await ended;
    },
  };
}
