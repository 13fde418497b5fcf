import type { RunPlan, WaitReason } from '../../conformance/index.ts';
import { fitColumns } from '../../report/index.ts';

export interface ProgressState {
  readonly plan: RunPlan | undefined;
  /** Id of the probe that sent last. */
  readonly probe: string;
  readonly sent: number;
  /** End of the wait, milliseconds since 1970; undefined where nothing waits. */
  readonly waitsUntil: number | undefined;
  readonly waitsFor: WaitReason;
}

/** The state of a run in one line of at most so many columns. */
export function renderProgressLine(
  { plan, probe, sent, waitsUntil, waitsFor }: ProgressState,
  now: number,
  columns: number,
): string {
  if (!plan) return '';
  const seconds = waitsUntil === undefined ? 0 : Math.ceil((waitsUntil - now) / 1000);
  const position = plan.probes.findIndex(({ id }) => id === probe);
  const asked = countRequirements(plan, position + 1);
  const parts = [
    seconds > 0
      ? `waiting ${seconds} s for ${nameReason(waitsFor)}`
      : (plan.probes[position]?.phase ?? 'begins'),
    `${sent === 1 ? '1 request' : `${sent} requests`}, ${Math.max(0, plan.budget - sent)} left`,
    `${asked} of ${countRequirements(plan, plan.probes.length)} requirements asked about`,
  ];
  return fitColumns(parts.join(' · '), columns);
}

/** What a wait is for, in words. */
export function nameReason(reason: WaitReason): string {
  return reason === 'limit' ? 'the rate limit' : 'the target to come back';
}

/** Requirements that the first probes of a plan ask about. */
function countRequirements({ probes }: RunPlan, first: number): number {
  return new Set(probes.slice(0, first).flatMap(({ proves }) => proves)).size;
}
