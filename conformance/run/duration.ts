import type { Contract } from '../../contract/index.ts';
import { usualTimeLimit } from '../outcome/time-limit.ts';
import type { Target } from '../transport/target.ts';
import { planSettled } from './execute.ts';
import { type RunOptions, settleRun } from './options.ts';

/** What judging takes on top of the time in which requests are sent. */
const judging = 1.2;

/**
 * Milliseconds after which a run is over, whatever the target answers in time: for the limit of a
 * test runner.
 * @throws {PetstoreError} for a base address or an option that cannot be used
 */
export function longestDuration(
  contract: Contract,
  target: Target,
  options: RunOptions = {},
): number {
  const settings = settleRun(contract, target, options);
  const { timeLimit = usualTimeLimit(contract, settings, planSettled(contract, settings)) } =
    settings;
  return Math.ceil(judging * timeLimit);
}
