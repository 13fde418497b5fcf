import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ClientReply } from './client.ts';
import type { LoadJob, LoadRun } from './load.ts';
import type { Pinning } from './pinning.ts';

/** The client, in a process of its own. */
export interface ClientProcess {
  /** Rejects where the server gave any other response than the expected one. */
  run(job: LoadJob): Promise<LoadRun>;
  stop(): void;
}

export function startClient(pinning: Pinning): ClientProcess {
  const file = fileURLToPath(import.meta.resolve('./client.ts'));
  const [program = '', ...rest] = pinning.command('client', [process.execPath, file]);
  const child = spawn(program, rest, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  return {
    stop: () => void child.kill(),
    async run(job) {
      const reply = nextReply(child);
      child.send(job);
      const run = await reply;
      if ('fault' in run) throw new Error(run.fault);
      return run;
    },
  };
}

async function nextReply(child: ChildProcess): Promise<ClientReply> {
  const reply = new AbortController();
  const ended = once(child, 'exit', { signal: reply.signal }).then((): ClientReply => ({
    fault: 'The client process ended.',
  }));
  const answered = new Promise<ClientReply>(
    (resolve) => void child.once('message', (message: ClientReply) => resolve(message)),
  );
  ended.catch(() => undefined);
  try {
    return await Promise.race([answered, ended]);
  } finally {
    reply.abort();
  }
}
