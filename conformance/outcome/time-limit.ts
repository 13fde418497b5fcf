import type { Contract } from '../../contract/contract.ts';
import { smallest } from '../../contract/list/list.ts';
import { findPlan } from '../judge/trace/trace.ts';

/** Milliseconds of one wait that a target asks for. */
export const mostWait = 90_000;

/** Milliseconds of a run, on top of its waits for rate limits and of its requests. */
export const mostTime = 90_000;

/** A request that is answered takes less on the average. */
const requestMilliseconds = 500;

interface PlannedRun {
  readonly plan: string | undefined;
  readonly exhaust: boolean;
  /** Milliseconds of the longest wait for the rate limit. */
  readonly longestWait: number;
}

/**
 * Milliseconds that a run may take where nothing else is said: every request may have to wait for
 * its window, and the first one for the window that a run before has spent. What is spare is for
 * what a target does once: it starts, is gone for half a minute, or hangs three times.
 */
export function usualTimeLimit(
  contract: Contract,
  { plan, exhaust, longestWait }: PlannedRun,
  { requests }: { readonly requests: number },
): number {
  const window = contract.rateLimit?.windows[0];
  // The drive to the limit waits for what the run before it spent, and for what it spends itself.
  const windows = 1 + Math.ceil(requests / lowestLimit(contract, plan)) + (exhaust ? 2 : 0);
  // Who allows longer waits than usual allows them for each window.
  const wait =
    longestWait > mostWait ? longestWait : Math.min(longestWait, 1500 * (window?.seconds ?? 60));
  return mostTime + requests * requestMilliseconds + windows * wait;
}

/** Requests in the shortest window: of the plan, or of the plan that allows least. */
function lowestLimit(contract: Contract, name: string | undefined): number {
  const plan = findPlan(contract, name);
  const window = contract.rateLimit?.windows[0]?.name ?? '';
  const plans = plan === undefined ? (contract.rateLimit?.plans ?? []) : [plan];
  return Math.max(1, smallest(plans.map(({ limits }) => limits?.get(window) ?? Infinity)));
}
