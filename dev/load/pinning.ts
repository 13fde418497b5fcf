import { execFileSync, spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

/** Keeps servers and client off each other's core, where the system can. */
export interface Pinning {
  readonly isPinned: boolean;
  /** The command that runs another on the core of the servers, or on that of the client. */
  command(role: 'server' | 'client', command: readonly string[]): readonly string[];
}

/** Pins by `taskset` where there is one and two cores; this process goes to the client's. */
export function openPinning(): Pinning {
  const isPinned = cpus().length > 1 && spawnSync('taskset', ['--version']).status === 0;
  if (!isPinned) return { isPinned, command: (_, command) => command };
  execFileSync('taskset', ['-a', '-c', '-p', coreOf.client, `${process.pid}`]);
  return { isPinned, command: (role, command) => ['taskset', '-c', coreOf[role], ...command] };
}

const coreOf = { server: '0', client: '1' } as const;
