import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { type Tally, tallyOf } from './tally.ts';

/** One step of `npm test`: a command of the shell, and how its outcome is counted. */
export interface Step {
  readonly name: string;
  readonly command: string;
  /** Default: one check, passed on exit code 0. */
  readonly count?: (exitCode: number) => Promise<Tally>;
}

export interface StepResult {
  readonly name: string;
  readonly tally: Tally;
  readonly seconds: number;
}

/** Runs a step, its output passed through. Never rejects: what cannot start has failed. */
export async function runStep(step: Step): Promise<StepResult> {
  const start = performance.now();
  const exitCode = await runCommand(step.command);
  const tally = await (step.count?.(exitCode) ?? tallyOf(exitCode === 0));
  return { name: step.name, tally, seconds: (performance.now() - start) / 1000 };
}

/** The exit code of a shell command; 1 where a signal ended it or it could not start. */
function runCommand(command: string): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', () => resolve(1));
    child.once('close', (code) => resolve(code ?? 1));
  });
}
