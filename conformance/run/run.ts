import type { Contract } from '../../contract/index.ts';
import { createCarrier } from '../transport/carrier.ts';
import { systemClock } from '../transport/clock.ts';
import { executeRun, planSettled } from './execute.ts';
import type { RunReport } from './report.ts';
import { type RunOptions, settleRun } from './options.ts';
import type { RunPlan } from './watcher.ts';
import { createSender, type Sender } from '../transport/sender.ts';
import { usualTimeLimit } from '../outcome/time-limit.ts';
import type { Target } from '../transport/target.ts';

/**
 * Judges a target against a contract.
 * @throws {PetstoreError} for a base address or an option that cannot be used
 * @throws {PetstoreError} if the run is inconclusive: nobody there, wrong server, wrong key
 */
export async function runConformance(
  contract: Contract,
  target: Target,
  options: RunOptions = {},
): Promise<RunReport> {
  const { clock = systemClock, watcher, signal } = options;
  const settings = settleRun(contract, target, options);
  await using sender = options.sender !== undefined ? lend(options.sender) : createSender(settings);
  const startedAt = clock.now();
  const timeLimit =
    settings.timeLimit ?? usualTimeLimit(contract, settings, planSettled(contract, settings));
  const carrier = createCarrier(
    { ...target, baseUrl: settings.baseUrl },
    {
      clock,
      sender,
      startedAt,
      deadline: startedAt + timeLimit,
      signal,
      onWait: watcher?.onWait,
    },
  );
  const record = { ...settings, timeLimit, startedAt, endedAt: startedAt };
  return await executeRun(contract, record, carrier, watcher);
}

/**
 * What a run would do, without sending anything.
 * @throws {PetstoreError} for a base address or an option that cannot be used
 */
export function planConformance(
  contract: Contract,
  target: Target,
  options: RunOptions = {},
): RunPlan {
  return planSettled(contract, settleRun(contract, target, options));
}

/** A sender of somebody else, who closes it. */
function lend({ send }: Sender): Sender {
  return { send, [Symbol.asyncDispose]: () => Promise.resolve() };
}
