import { listSteps, type Step } from '../family/rate-limit/step.ts';
import type { Trace } from '../judge/trace/trace.ts';

/** A response with a whole quota; `reset` in Unix seconds. */
export interface QuotaStep extends Step {
  readonly remaining: number;
  readonly reset: number;
}

/** Two responses that show the same limit, none of the same kind between them. */
export interface StepPair {
  readonly before: QuotaStep;
  readonly step: QuotaStep;
}

/** Responses that it takes to show how windows go on, or which requests count. */
export const enough = 5;

/** Responses with a whole quota, in order, none of a request beside another. */
export function quotaSteps(trace: Trace): readonly QuotaStep[] {
  return listSteps(trace).flatMap((step) => {
    const { reading, remaining, reset } = step;
    const isWhole = reading.isAlone && remaining !== undefined && reset !== undefined;
    return isWhole ? [{ ...step, remaining, reset }] : [];
  });
}

export function keySteps(trace: Trace): readonly QuotaStep[] {
  return quotaSteps(trace).filter(({ reading }) => reading.hasKey);
}

/** Each step with the one before it, where both show the same limit and nothing came between. */
export function pairsOf(steps: readonly QuotaStep[], { exchanges }: Trace): readonly StepPair[] {
  const positions = new Map(exchanges.map(({ index }, position) => [index, position]));
  const positionOf = ({ reading }: QuotaStep): number => positions.get(reading.index) ?? 0;
  return steps.flatMap((step, index) => {
    const before = steps[index - 1];
    if (before === undefined || before.limit !== step.limit) return [];
    const between = exchanges.slice(positionOf(before) + 1, positionOf(step));
    const isKeyed = step.reading.hasKey;
    return between.some(({ request }) => (request.credential === 'valid') === isKeyed)
      ? []
      : [{ before, step }];
  });
}

/** By how much Remaining fell. */
export function drop({ before, step }: StepPair): number {
  return before.remaining - step.remaining;
}

export function isSameWindow({ before, step }: StepPair): boolean {
  return before.reset === step.reset;
}
