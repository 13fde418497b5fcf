import type { Contract } from '../../contract/contract.ts';
import { isCrash, readLog, type Reading } from './reading.ts';
import type { Requirement, Report } from '../../conformance/index.ts';
import { describeOutcome } from '../model/exchange-line.ts';
import { viewFailure, type FailureView } from '../model/failure.ts';
import { countOf } from '../../page/view/count.ts';
import { type VisibleText, show, showLine } from '../../page/view/visible.ts';
import { causesIn, type Cause, type CauseFinding } from './causes.ts';

/** A cause as every output for people shows it. Texts are in one line and safe to show. */
export interface CauseView {
  readonly kind: Cause['kind'];
  /** What is wrong; undefined where the requirement says it all. */
  readonly sentence: VisibleText | undefined;
  /** The failure that shows it, of the requirement that carries it. */
  readonly failure: FailureView;
  /** How often it was seen, by what came back, the worst first; empty where it was seen once. */
  readonly seen: readonly VisibleText[];
  readonly effects: readonly EffectView[];
}

/** Another requirement that failed of the same cause. */
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
  /** They fail no one. */
  readonly advised: readonly CauseView[];
}

/** @param reportFile as for `viewFailure` */
export function viewCauses(report: Report, contract: Contract, reportFile?: string): CauseViews {
  const { readings } = readLog(contract, report.exchanges);
  const views = causesIn(report, contract).flatMap((cause) =>
    viewCause(cause, report, contract, readings, reportFile),
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
  readings: readonly Reading[],
  reportFile: string | undefined,
): readonly CauseView[] {
  const shown = readings.filter(({ exchange }) => exchanges.includes(exchange.index));
  return viewFailure({ kind: 'failed', ...first }, report, contract, reportFile).map((failure) => ({
    kind,
    // In a merged report it also names the shards.
    sentence: kind === 'requirement' && report.merge === undefined ? undefined : showLine(sentence),
    failure,
    seen: countOutcomes(shown, [first, ...effects]),
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

/** `createPet 502, 3 times`: crashes first, then by how often. */
function countOutcomes(
  readings: readonly Reading[],
  findings: readonly CauseFinding[],
): readonly VisibleText[] {
  const most = findings.reduce((known, { failures }) => Math.max(known, failures.length), 0);
  if (readings.length < 2) {
    const shown = new Set(
      findings.flatMap(({ failures }) => failures.map((each) => each.exchange)),
    );
    return most < 2 || shown.size > 1 ? [] : [show`${most} times in one request`];
  }
  const groups = Map.groupBy(
    readings,
    ({ exchange }) =>
      show`${showLine(exchange.request.operation)} ${describeOutcome(exchange.outcome)}`,
  );
  return [...groups]
    .toSorted(
      ([, one], [, other]) =>
        Number(other.some(isCrash)) - Number(one.some(isCrash)) || other.length - one.length,
    )
    .map(([words, some]) => show`${words}: ${countOf(some.length, 'time')}`);
}
