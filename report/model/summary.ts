import { isFailure, type Report } from '../../conformance/index.ts';
import type { WaiverResult } from '../../conformance/index.ts';

/** The numbers of a report for people. Breaches of `should` are advice and no broken promise. */
export interface Summary {
  readonly held: number;
  readonly broken: number;
  readonly advised: number;
  /** Broken, but covered by a waiver in force. */
  readonly waived: number;
  readonly unproven: number;
  /** Open questions that the target's answers settled for itself. */
  readonly open: number;
  /** The verdict in one sentence, without its full stop. */
  readonly sentence: string;
}

/** Sums a report up. Open questions that no one asked are no gap in the proof. */
export function summarise(report: Report): Summary {
  const broken = report.verdicts.filter(isFailure).length;
  const { contract } = report;
  const subject = nameSubject(report);
  const name = `${contract.title} ${contract.version}`;
  return {
    held: report.counts.held,
    broken,
    advised: report.counts.violated - broken,
    waived: report.counts.waived,
    unproven: report.verdicts.filter(
      ({ kind, obligation }) => kind === 'unproven' && obligation.level !== 'open',
    ).length,
    open: report.counts.observed,
    sentence:
      broken > 0
        ? `${subject} breaks ${countBreaches(report, broken)} of ${name}`
        : `${subject} ${describeRest(report, name)}`,
  };
}

/** Who was judged: the target by its address, or a client by its name. */
function nameSubject({ client, target }: Report): string {
  return client === undefined ? target.baseUrl : `The client ${client}`;
}

function countBreaches({ client }: Report, broken: number): string {
  const word = client === undefined ? 'promise' : 'rule';
  return broken === 1 ? `1 ${word}` : `${broken} ${word}s`;
}

/** What a run or a client sent, and in what time: `36 requests of 60 in 10.65 s`. */
export function describeRequests({ client, run }: Report): string {
  return `${run.requests === 1 ? '1 request' : `${run.requests} requests`}${client === undefined ? ` of ${run.budget}` : ''} in ${describeSeconds(run.milliseconds)}`;
}

/**
 * How the parts of a story are called: what was to be kept, and what was seen in place of what was
 * expected.
 */
export interface StoryWords {
  readonly promised: string;
  readonly received: string;
}

export function chooseWords({ client }: Report): StoryWords {
  return client === undefined
    ? { promised: 'promised', received: 'came back' }
    : { promised: 'rule', received: 'found' };
}

/** What is to be said of a target that broke no promise. */
function describeRest({ outcome }: Report, name: string): string {
  return outcome === 'conforms'
    ? `conforms to ${name}, as far as was proved`
    : `broke no promise of ${name} unwaived, but a waiver is out of date or needless`;
}

/** What became of a waiver, for people. */
export const waiverWords: Readonly<Record<WaiverResult['state'], string>> = {
  used: 'in force: the obligation is broken',
  unreached: 'not needed in this run: the obligation was not reached',
  expired: 'OUT OF DATE, which fails the run',
  needless: 'NEEDLESS, which fails the run: the obligation holds',
};

/**
 * The obligations that were not proved, by reason, the most frequent first. Open questions are left
 * out.
 */
export function listUnproven(
  report: Report,
): readonly { readonly reason: string; readonly ids: readonly string[] }[] {
  const byReason = new Map<string, string[]>();
  for (const verdict of report.verdicts) {
    if (verdict.kind !== 'unproven' || verdict.obligation.level === 'open') continue;
    byReason.set(verdict.reason, [...(byReason.get(verdict.reason) ?? []), verdict.obligation.id]);
  }
  return [...byReason]
    .map(([reason, ids]) => ({ reason, ids }))
    .toSorted((a, b) => b.ids.length - a.ids.length);
}

/** Seconds with two places: `10.65 s`. */
export function describeSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}
