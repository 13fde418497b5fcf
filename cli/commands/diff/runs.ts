import {
  type Report,
  type RunOptions,
  type Sides,
  type Watcher,
  explainUnreached,
  runConformance,
  settleRun,
  systemClock,
} from '../../../conformance/index.ts';
import {
  type Contract,
  hasCode,
  PetstoreError,
  smallest,
  withoutUser,
} from '../../../contract/index.ts';
import type { CommandIo } from '../../io/command-io.ts';
import { createProgress, createProgressLog } from '../../io/run-progress.ts';
import type { DiffArguments, DiffTarget } from './options.ts';
import { listRunOptions } from '../../io/run-flags.ts';
import { show, showLine } from '../../../view/visible.ts';
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
  const settle = (name: string, target: DiffTarget): Promise<number> =>
    nameErrors(name, target, () => settleRun(contract, target, withPlan(common, target)).requests);
  const budgets = [await settle('A', a), await settle('B', b)];
  await refuseUnreached('A', a, common);
  await refuseUnreached('B', b, common);
  const options: RunOptions = { ...common, requests: smallest(budgets), signal: io.signal };
  const run = (name: string, target: DiffTarget): Promise<Report> =>
    nameErrors(name, target, async () => {
      using waits = createWaits(name, wanted, io);
      const { watcher } = waits;
      return await runConformance(contract, target, { ...withPlan(options, target), watcher });
    });
  const startedAt = systemClock.now();
  const first = await run('A', a);
  await systemClock.sleep(Math.max(0, startedAt + shortestPause - systemClock.now()), io.signal);
  return { a: first, b: await run('B', b) };
}

/** Who is not there is told before the other is asked for anything. */
async function refuseUnreached(
  name: string,
  target: DiffTarget,
  { timeout }: RunOptions,
): Promise<void> {
  await nameErrors(name, target, async () => {
    const reason = await explainUnreached(target.baseUrl, timeout ?? longestConnect);
    if (reason !== undefined) throw new PetstoreError('inconclusive', reason);
  });
}

/** Milliseconds that a connection may take. */
const longestConnect = 10_000;

/** Runs that start within a tenth of a second have one tag, which one server must not see twice. */
const shortestPause = 150;

/** Tells of the waits of one side: on a terminal as progress, else in lines. */
function createWaits(
  name: string,
  { quiet }: DiffArguments,
  { stderr, env }: CommandIo,
): Disposable & { readonly watcher: Watcher } {
  if (!quiet && isTerminal(stderr, env)) return createProgress(stderr, true);
  if (quiet) return { watcher: {}, [Symbol.dispose]: () => {} };
  const onWait = (milliseconds: number): void => {
    const seconds = Math.ceil(milliseconds / 1000);
    stderr.write(show`Waiting ${seconds} s for the rate limit of ${showLine(name)}.\n`);
  };
  const { watcher, ...log } = createProgressLog(stderr);
  return { ...log, watcher: { ...watcher, onWait } };
}

function withPlan(options: RunOptions, { plan }: DiffTarget): RunOptions {
  return plan === undefined ? options : { ...options, plan };
}

/** An error that is about the target names its side. */
async function nameErrors<Value>(
  name: string,
  { baseUrl }: DiffTarget,
  run: () => Value | Promise<Value>,
): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    if (!hasCode(error, 'target', 'inconclusive')) throw error;
    const message = `${name} (${withoutUser(baseUrl)}): ${error.message}`;
    throw new PetstoreError(error.code, message, { cause: error });
  }
}
