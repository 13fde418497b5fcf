import { type Report, type WaiverResult, isFailure } from '../../conformance/index.ts';

/** The numbers of a report for people. Failures of `should` are advice and no failed requirement. */
export interface Summary {
  readonly passed: number;
  readonly failed: number;
  readonly advised: number;
  /** Failed, but covered by a waiver in force. */
  readonly waived: number;
  readonly notTested: number;
  /** Open questions to which the target's choice was seen. */
  readonly open: number;
  /** The verdict in one sentence, without its full stop. */
  readonly sentence: string;
}

/** Sums a report up. Open questions that were not asked are not counted as not tested. */
export function summarise(report: Report): Summary {
  const failed = report.verdicts.filter(isFailure).length;
  const { contract } = report;
  const subject = nameSubject(report);
  const name = `${contract.title} ${contract.version}`;
  return {
    passed: report.counts.passed,
    failed,
    advised: report.counts.failed - failed,
    waived: report.counts.waived,
    notTested: report.verdicts.filter(
      ({ kind, requirement }) => kind === 'not-tested' && requirement.level !== 'open',
    ).length,
    open: report.counts.open,
    sentence:
      failed > 0
        ? `${subject} fails ${countFailures(report, failed)} of ${name}`
        : `${subject} ${describeRest(report, name)}`,
  };
}

/** Who was judged: the target by its address, or a client by its name. */
function nameSubject({ client, target }: Report): string {
  return client === undefined ? target.baseUrl : `The client ${client}`;
}

function countFailures({ client }: Report, failed: number): string {
  const word = client === undefined ? 'requirement' : 'rule';
  return failed === 1 ? `1 ${word}` : `${failed} ${word}s`;
}

/** What a run or a client sent, and in what time: `36 requests of 60 in 10.65 s`. */
export function describeRequests({ client, run }: Report): string {
  return `${run.requests === 1 ? '1 request' : `${run.requests} requests`}${client === undefined ? ` of ${run.budget}` : ''} in ${describeSeconds(run.milliseconds)}`;
}

/** How the parts of a failure are called: what was required, and what was seen. */
export interface FailureWords {
  readonly required: string;
  readonly received: string;
}

export function chooseWords({ client }: Report): FailureWords {
  return client === undefined
    ? { required: 'required', received: 'came back' }
    : { required: 'rule', received: 'found' };
}

function describeRest({ outcome }: Report, name: string): string {
  return outcome === 'conforms'
    ? `conforms to ${name}, as far as was tested`
    : `fails no requirement of ${name} without a waiver, but a waiver is out of date or needless`;
}

/** What became of a waiver, for people. */
export const waiverWords: Readonly<Record<WaiverResult['state'], string>> = {
  used: 'in force: the requirement failed',
  unreached: 'not needed in this run: the requirement was not tested',
  expired: 'OUT OF DATE, which fails the run',
  needless: 'NEEDLESS, which fails the run: the requirement passed',
};

/** The requirements that were not tested, the most frequent reason first; no open questions. */
export function listNotTested(
  report: Report,
): readonly { readonly reason: string; readonly ids: readonly string[] }[] {
  const byReason = new Map<string, string[]>();
  for (const verdict of report.verdicts) {
    if (verdict.kind !== 'not-tested' || verdict.requirement.level === 'open') continue;
    byReason.set(verdict.reason, [...(byReason.get(verdict.reason) ?? []), verdict.requirement.id]);
  }
  return [...byReason]
    .map(([reason, ids]) => ({ reason, ids }))
    .toSorted((a, b) => b.ids.length - a.ids.length);
}

export function describeSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}
