import type { Contract } from '../../contract/contract.ts';
import { smallest } from '../../contract/list/list.ts';
import { findPlan } from '../judge/trace/trace.ts';

/** Longest wait that a target may ask for, in milliseconds. */
export const maxWait = 90_000;

/** Milliseconds of a run besides its requests and its waits for rate limits. */
export const maxTime = 90_000;

/** Most requests take less on average. */
const requestMilliseconds = 500;

interface PlannedRun {
  readonly plan: string | undefined;
  readonly exhaust: boolean;
  /** Milliseconds of the longest wait for the rate limit. */
  readonly longestWait: number;
}

/**
 * Default time limit of a run in milliseconds. Every request may have to wait for its window, and
 * the first one for a window that an earlier run used up. The margin covers a target that starts,
 * is gone for half a minute, or hangs three times.
 */
export function usualTimeLimit(
  contract: Contract,
  { plan, exhaust, longestWait }: PlannedRun,
  { requests }: { readonly requests: number },
): number {
  const window = contract.rateLimit?.windows[0];
  // Exhausting the limit waits for the window that the run used up, and for its own.
  const windows = 1 + Math.ceil(requests / lowestLimit(contract, plan)) + (exhaust ? 2 : 0);
  // If longer waits are allowed, they are allowed for each window.
  const wait =
    longestWait > maxWait ? longestWait : Math.min(longestWait, 1500 * (window?.seconds ?? 60));
  return maxTime + requests * requestMilliseconds + windows * wait;
}

/** Requests in the shortest window, of the given plan or the smallest one. */
function lowestLimit(contract: Contract, name: string | undefined): number {
  const plan = findPlan(contract, name);
  const window = contract.rateLimit?.windows[0]?.name ?? '';
  const plans = plan === undefined ? (contract.rateLimit?.plans ?? []) : [plan];
  return Math.max(1, smallest(plans.map(({ limits }) => limits?.get(window) ?? Infinity)));
}
