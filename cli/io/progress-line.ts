import type { RunPlan, WaitReason } from '../../conformance/index.ts';
import { countOf } from '../../view/count.ts';
import { fitColumns } from '../../report/index.ts';
import { type VisibleText, joinShown, show, showLine } from '../../view/visible.ts';

export interface ProgressState {
  readonly plan: RunPlan | undefined;
  /** Id of the probe that sent last. */
  readonly probe: string;
  readonly sent: number;
  /** End of the wait, milliseconds since 1970; undefined where nothing waits. */
  readonly waitsUntil: number | undefined;
  readonly waitsFor: WaitReason;
  /** When the plan was made, milliseconds since 1970. */
  readonly startedAt: number;
}

/** Milliseconds after which a run is long enough for a bar and an estimate. */
const soon = 2000;

/** Characters of the bar. */
const barWidth = 20;

/**
 * The state of a run in one line of at most so many columns; of one that takes longer with a bar and
 * the time that it may still take.
 */
export function renderProgressLine(
  state: ProgressState,
  now: number,
  columns: number,
): VisibleText {
  const { plan, probe, sent, waitsUntil, waitsFor, startedAt } = state;
  if (!plan) return show``;
  const seconds = waitsUntil === undefined ? 0 : Math.ceil((waitsUntil - now) / 1000);
  const position = plan.probes.findIndex(({ id }) => id === probe);
  const asked = countRequirements(plan, position + 1);
  const left = now - startedAt < soon ? undefined : estimateLeft(state, now);
  const parts = [
    ...(left === undefined
      ? []
      : [renderBar(sent / plan.budget), show`up to ${describeTime(left)} left`]),
    seconds > 0
      ? show`waiting ${seconds} s for ${nameReason(waitsFor)}`
      : showLine(plan.probes[position]?.phase ?? 'begins'),
    show`${countOf(sent, 'request')}, ${Math.max(0, plan.budget - sent)} left`,
    ...(left === undefined
      ? [show`${asked} of ${countRequirements(plan, plan.probes.length)} requirements asked about`]
      : []),
  ];
  return fitColumns(joinShown(parts, ' · '), columns);
}

/** As `renderProgressLine`, for logs: `25 of 60 requests after 12 s, up to 17 s left.` */
export function renderProgressSentence(state: ProgressState, now: number): VisibleText {
  const { plan, sent, startedAt } = state;
  const left = estimateLeft(state, now);
  const most = Math.max(sent, plan?.budget ?? 0);
  const rest = left === undefined ? '' : show`, up to ${describeTime(left)} left`;
  return show`${sent} of ${most} requests after ${describeTime(now - startedAt)}${rest}.`;
}

/**
 * Milliseconds that a run may still take, at its speed so far and after the wait that it is in; a run
 * may end before its budget is spent. Undefined before the first response.
 */
function estimateLeft(
  { plan, sent, startedAt, waitsUntil }: ProgressState,
  now: number,
): number | undefined {
  if (plan === undefined || sent === 0) return undefined;
  const wait = Math.max(0, (waitsUntil ?? now) - now);
  return wait + ((now - startedAt) / sent) * Math.max(0, plan.budget - sent);
}

function renderBar(share: number): VisibleText {
  const done = Math.round(Math.min(1, share) * barWidth);
  return showLine(`[${'#'.repeat(done)}${'.'.repeat(barWidth - done)}]`);
}

/** `42 s`, `3 min`. */
function describeTime(milliseconds: number): VisibleText {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 120 ? show`${seconds} s` : show`${Math.round(seconds / 60)} min`;
}

/** What a wait is for, in words. */
export function nameReason(reason: WaitReason): VisibleText {
  return reason === 'limit' ? show`the rate limit` : show`the target to come back`;
}

/** Requirements that the first probes of a plan ask about. */
function countRequirements({ probes }: RunPlan, first: number): number {
  return new Set(probes.slice(0, first).flatMap(({ proves }) => proves)).size;
}
