import {
  type Report,
  type RunOptions,
  type Sides,
  runConformance,
  settleRun,
  systemClock,
} from '../../../conformance/index.ts';
import { type Contract, hasCode, PetstoreError } from '../../../contract/index.ts';
import type { CommandIo } from '../../io/command-io.ts';
import { createProgress } from '../../io/run-progress.ts';
import type { DiffArguments, DiffTarget } from './options.ts';
import { listRunOptions } from '../../io/run-flags.ts';
import { isTerminal } from '../../io/terminal.ts';

/**
 * Runs one plan against A, then against B. One after the other: two targets behind one limit would
 * take each other's requests. What both need is looked at before the first request. Throws
 * `PetstoreError`, whose message names the side that is the reason.
 */
export async function runBoth(
  contract: Contract,
  wanted: DiffArguments,
  io: CommandIo,
): Promise<Sides<Report>> {
  const { a, b } = wanted.targets;
  const common = listRunOptions(contract, wanted);
  const budgets = [settle('A', contract, a, common), settle('B', contract, b, common)];
  const options: RunOptions = { ...common, requests: Math.min(...budgets), signal: io.signal };
  const startedAt = systemClock.now();
  const first = await runSide('A', contract, a, options, wanted, io);
  await systemClock.sleep(Math.max(0, startedAt + shortestPause - systemClock.now()), io.signal);
  return { a: first, b: await runSide('B', contract, b, options, wanted, io) };
}

/** Runs that start within a tenth of a second have one tag, which one server must not see twice. */
const shortestPause = 150;

function settle(name: string, contract: Contract, target: DiffTarget, options: RunOptions): number {
  try {
    return settleRun(contract, target, withPlan(options, target)).requests;
  } catch (error) {
    throw nameSide(name, target, error);
  }
}

async function runSide(
  name: string,
  contract: Contract,
  target: DiffTarget,
  options: RunOptions,
  wanted: DiffArguments,
  io: CommandIo,
): Promise<Report> {
  using progress =
    wanted.quiet || !isTerminal(io.stderr, io.env) ? undefined : createProgress(io.stderr, true);
  const onWait = (milliseconds: number): void => {
    if (progress) progress.watcher.onWait?.(milliseconds);
    else if (!wanted.quiet)
      io.stderr.write(
        `Waiting ${Math.ceil(milliseconds / 1000)} s for the rate limit of ${name}.\n`,
      );
  };
  try {
    return await runConformance(contract, target, {
      ...withPlan(options, target),
      watcher: { ...progress?.watcher, onWait },
    });
  } catch (error) {
    throw nameSide(name, target, error);
  }
}

function withPlan(options: RunOptions, { plan }: DiffTarget): RunOptions {
  return plan === undefined ? options : { ...options, plan };
}

function nameSide(name: string, { baseUrl }: DiffTarget, error: unknown): unknown {
  if (!hasCode(error, 'target', 'inconclusive')) return error;
  return new PetstoreError(error.code, `${name} (${baseUrl}): ${error.message}`, { cause: error });
}
