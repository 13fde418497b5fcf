import type { Mock } from '../session/types.ts';

/** The plan of the key with which a copy of this mock is judged unless another is chosen. */
export function usualPlan({ keys }: Mock): string {
  return keys[0]?.plan ?? '';
}

/**
 * As many requests as are sent unless it is said: those that a plan allows at once, at most 240;
 * without a plan 60, or two for each operation.
 */
export function usualRequests({ keys, operations }: Mock, plan: string): number {
  if (plan === '') return Math.max(60, 2 * operations.length);
  const limits = keys.find((one) => one.plan === plan)?.limits ?? [];
  return Math.min(240, limits[0]?.limit ?? 240);
}
