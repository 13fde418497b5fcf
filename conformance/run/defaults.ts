import { type Contract, PetstoreError } from '../../contract/index.ts';
import type { RunOptions } from './options.ts';
import type { RunRecord } from './record.ts';
import { nearMisses, parseBaseUrl, type Target } from '../transport/target.ts';
import { findPlan } from '../judge/trace/trace.ts';

const defaultBudget = 60;

/**
 * Settles all that decides a run: what the options leave out gets its default.
 * @throws {PetstoreError} for a base address or an option that cannot be used
 */
export function settleRun(
  contract: Contract,
  target: Target,
  options: RunOptions,
): Omit<RunRecord, 'startedAt' | 'endedAt'> {
  const requests = options.requests ?? defaultBudgetOf(contract, options.plan);
  const fuzz = options.fuzz ?? 0;
  return {
    baseUrl: parseBaseUrl(target.baseUrl),
    plan: options.plan,
    seed: options.seed ?? 1,
    requests,
    readOnly: options.readOnly ?? false,
    exhaust: options.exhaust ?? false,
    fuzz,
    shrink: options.shrink ?? Math.max(5, Math.ceil((requests + fuzz) / 10)),
    only: options.only ?? [],
    skip: options.skip ?? [],
    waivers: options.waivers ?? [],
    saved: options.saved ?? [],
    references: Object.fromEntries(options.references ?? []),
    timeout: options.timeout ?? 10_000,
    longestWait: options.longestWait ?? 90_000,
    verifyTls: options.verifyTls ?? true,
    nearMisses: target.apiKey === undefined ? undefined : nearMisses(target.apiKey),
  };
}

/** The limit of the plan's shortest window, at most 240; 60 where the plan is not told. */
function defaultBudgetOf(contract: Contract, planName: string | undefined): number {
  if (planName === undefined) return defaultBudget;
  const plan = findPlan(contract, planName);
  if (plan === undefined)
    throw new PetstoreError(
      'target',
      `"${planName}" is no plan of the contract: ${contract.rateLimit?.plans.map(({ name }) => name).join(', ') ?? 'it has none'}`,
    );
  const shortest = contract.rateLimit?.windows[0]?.name ?? '';
  return Math.min(240, plan.limits?.get(shortest) ?? 240);
}
