import type { Contract } from '../../contract/contract.ts';
import type { Requirement, Report } from '../../conformance/index.ts';
import { viewFailure, type FailureView } from '../model/failure.ts';
import { countOf } from '../../page/view/count.ts';
import { type VisibleText, showLine } from '../../page/view/visible.ts';
import { causesIn, type Cause, type CauseFinding } from './causes.ts';

/** A cause as every output for people shows it. Texts are in one line and safe to show. */
export interface CauseView {
  readonly kind: Cause['kind'];
  /** What is wrong; undefined where the requirement says it all. */
  readonly sentence: VisibleText | undefined;
  /** The failure that shows it, of the requirement that carries it. */
  readonly failure: FailureView;
  /** In how many exchanges it was seen; undefined for one. */
  readonly seen: VisibleText | undefined;
  readonly effects: readonly EffectView[];
}

export interface EffectView {
  readonly requirement: Requirement;
  readonly expected: VisibleText;
  readonly received: VisibleText;
  /** Failures of the requirement that this cause explains. */
  readonly count: number;
}

/** The causes of a report: those that fail the target, and those of recommendations only. */
export interface CauseViews {
  readonly failed: readonly CauseView[];
  readonly advised: readonly CauseView[];
}

/** @param reportFile as for `viewFailure` */
export function viewCauses(report: Report, contract: Contract, reportFile?: string): CauseViews {
  const views = causesIn(report, contract).flatMap((cause) =>
    viewCause(cause, report, contract, reportFile),
  );
  const [failed = [], advised = []] = [true, false].map((isMust) =>
    views.filter(({ failure }) => (failure.requirement.level === 'must') === isMust),
  );
  return { failed, advised };
}

function viewCause(
  { kind, sentence, findings: [first, ...effects], exchanges }: Cause,
  report: Report,
  contract: Contract,
  reportFile: string | undefined,
): readonly CauseView[] {
  return viewFailure({ kind: 'failed', ...first }, report, contract, reportFile).map((failure) => ({
    kind,
    // In a merged report it also names the shards.
    sentence: kind === 'requirement' && report.merge === undefined ? undefined : showLine(sentence),
    failure,
    seen: exchanges.length < 2 ? undefined : countOf(exchanges.length, 'time'),
    effects: effects.map(viewEffect),
  }));
}

function viewEffect({ requirement, failures }: CauseFinding): EffectView {
  const [{ expected, received }] = failures;
  return {
    requirement,
    expected: showLine(expected),
    received: showLine(received),
    count: failures.length,
  };
}
