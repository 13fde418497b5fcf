import type { Contract } from '../../contract/index.ts';
import { findPlan } from '../judge/trace/trace.ts';
import type { Target } from '../transport/target.ts';
import type { RunOptions } from './options.ts';
import { planConformance } from './run.ts';

/** A request that is answered takes less on the average. */
const requestMilliseconds = 500;

/** For what a target does once: it starts, is gone for half a minute, or hangs three times. */
const spareMilliseconds = 90_000;

/**
 * Milliseconds after which a run is over, whatever the target answers in time: for the limit of a
 * test runner. Every request may have to wait for its window, and the first one for the window
 * that a run before has spent.
 * @throws {PetstoreError} for a base address or an option that cannot be used
 */
export function longestDuration(
  contract: Contract,
  target: Target,
  options: RunOptions = {},
): number {
  const { exhaust = false, longestWait = 90_000, plan } = options;
  const { requests } = planConformance(contract, target, options);
  const window = contract.rateLimit?.windows[0];
  const limit = lowestLimit(contract, plan);
  // The drive to the limit waits for what the run before it spent, and for what it spends itself.
  const windows = 1 + Math.ceil(requests / limit) + (exhaust ? 2 : 0);
  const wait = Math.min(longestWait ?? 90_000, 1500 * (window?.seconds ?? 60));
  return spareMilliseconds + requests * requestMilliseconds + windows * wait;
}

/** Requests in the shortest window: of the plan, or of the plan that allows least. */
function lowestLimit(contract: Contract, name: string | undefined): number {
  const plan = findPlan(contract, name);
  const window = contract.rateLimit?.windows[0]?.name ?? '';
  const plans = plan === undefined ? (contract.rateLimit?.plans ?? []) : [plan];
  return Math.max(1, Math.min(...plans.map(({ limits }) => limits?.get(window) ?? Infinity)));
}
