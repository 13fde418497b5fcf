import {
  describeBudget,
  type Report,
  type Waiver,
  type WaiverResult,
  isFailure,
  isNotTested,
  planDone,
} from '../../conformance/index.ts';
import { countOf } from '../../page/view/count.ts';
import { showLine } from '../../page/view/visible.ts';

/**
 * Counts for people. A failed `should` is a recommendation, not a failure; open questions that were
 * not tested do not count as untested.
 */
export function countResults({ counts, verdicts }: Report) {
  const failed = verdicts.filter(isFailure).length;
  return {
    passed: counts.passed,
    failed,
    waived: counts.waived,
    advised: counts.failed - failed,
    'not-tested': counts['not-tested'],
    open: counts.open,
  };
}

/** The counts with their labels, without zero counts of waivers and recommendations. */
export function listCounts(report: Report): readonly (readonly [kind: string, count: number])[] {
  return Object.entries(countResults(report)).filter(
    ([kind, count]) => count > 0 || (kind !== 'waived' && kind !== 'advised'),
  );
}

/** `34 passed, 32 failed, 129 not tested, 4 open` */
export function describeCounts(report: Report): string {
  return listCounts(report)
    .map(([kind, count]) => `${count} ${kind.replace('-', ' ')}`)
    .join(', ');
}

export function listLeftOut({ contract: { leftOut } }: Report) {
  if (leftOut === undefined) return undefined;
  const { count, operations, parts } = leftOut;
  const unread =
    operations === 0
      ? ''
      : `; ${countOf(operations, 'operation')} could not be read and ${operations === 1 ? 'counts' : 'count'} as not tested`;
  return {
    sentence: `Parts of the document were skipped because of ${countOf(count, 'error')} (see lint)${unread}`,
    items: parts.map(({ place, pointer, reason }) => `${place} ${pointer}: ${reason}`),
    more: count - parts.length,
  };
}

/**
 * Number and duration of requests: `36 requests of 60 in 10.65 s, 10.00 s of it waiting, seed 1`,
 * or how far the clock of a mock was moved instead.
 */
export function describeRequests({ client, run, traffic }: Report): string {
  if (traffic !== undefined)
    return `${countOf(traffic.seen, 'exchange')} in ${describeSeconds(run.milliseconds)}, ${traffic.judged} judged`;
  const time = `${describeSeconds(run.milliseconds)}${describeWaits(run)}`;
  return client === undefined
    ? `${countOf(run.requests, 'request')} of ${run.budget} in ${time}, seed ${run.seed}`
    : `${countOf(run.requests, 'request')} in ${time}`;
}

function describeWaits({ times }: Report['run']): string {
  const { waited = 0, clockMoved = 0 } = times ?? {};
  const moved =
    clockMoved === 0
      ? ''
      : `, the mock's clock moved ahead by ${describeSeconds(clockMoved)} instead of waiting`;
  return waited === 0 ? moved : `, ${describeSeconds(waited)} of it waiting${moved}`;
}

/** Why a run ended, in a sentence without a full stop; undefined if nothing was left to do. */
export function describeEnd({ run: { endedEarly } }: Report): string | undefined {
  if (endedEarly === undefined) return undefined;
  return endedEarly === planDone
    ? 'All requests of the plan were sent'
    : `The run ended early: ${endedEarly}`;
}

/**
 * The verdict in one sentence, without a full stop.
 *
 * @param name name of the target. Default: its base URL, or the client
 */
export function describeVerdict(
  report: Report,
  name = report.client === undefined ? report.target.baseUrl : `The client ${report.client}`,
): string {
  const { contract, verdicts, client, outcome, inconclusive } = report;
  const document = `${contract.title} ${contract.version}`;
  const failed = verdicts.filter(isFailure).length;
  if (failed > 0)
    return `${name} fails ${countOf(failed, client === undefined ? 'requirement' : 'rule')} of ${document}`;
  if (outcome === 'inconclusive') {
    const why = inconclusive === undefined ? '' : `: ${showLine(inconclusive)}`;
    return `Inconclusive: ${name} could not be fully judged against ${document}${why}`;
  }
  const waived = report.waivers.filter(isInForce).length;
  return outcome === 'conforms'
    ? `${name} conforms to ${document}${waived === 0 ? '' : `, with ${countOf(waived, 'waiver')}`}, as far as was tested`
    : `${name} fails no requirement of ${document} that is not waived, but a waiver is expired or unnecessary`;
}

/**
 * Whether a waiver was in force at the time of the run: its requirement failed or was not tested.
 */
export function isInForce({ state }: WaiverResult): boolean {
  return state === 'used' || state === 'unreached';
}

export const waiverWords = {
  used: 'in force: the requirement failed',
  unreached: 'not needed in this run: the requirement was not tested, or not by all shards',
  expired: 'EXPIRED, which fails the run',
  needless: 'UNNECESSARY, which fails the run: the requirement passed',
} as const satisfies Readonly<Record<WaiverResult['state'], string>>;

export function describeWaiver({ reason, owner, expires }: Waiver): string {
  return `${reason} (${owner}, until ${expires})`;
}

/**
 * The untested requirements, the most frequent reason first, without open questions. All that
 * exceeded the request budget have one reason, and so have all that a failure hides.
 */
export function listNotTested({ verdicts }: Pick<Report, 'verdicts'>): readonly {
  readonly reason: string;
  readonly ids: readonly string[];
}[] {
  const byReason = Map.groupBy(verdicts.filter(isNotTested), ({ reason, because }) => {
    if (because?.kind === 'budget') return `budget ${because.budget}`;
    const isHidden = because?.kind === 'unclear' && because.requirement !== undefined;
    return isHidden ? 'the failure of another requirement leaves it unclear' : reason;
  });
  return [...byReason]
    .map(([reason, some]) => {
      const short = some.flatMap(({ because }) => (because?.kind === 'budget' ? [because] : []));
      return {
        reason: short.length === 0 ? reason : describeBudget(short),
        ids: some.map(({ requirement }) => requirement.id),
      };
    })
    .toSorted((a, b) => b.ids.length - a.ids.length);
}

export function describeSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

/** A time for people: `2026-11-21 14:00:01 UTC`. */
export function showInstant(instant: string): string {
  return instant.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
}

/** The waivers that fail a run, each in a sentence without a full stop. */
export function listWaiverFaults({ waivers }: Report): readonly string[] {
  return waivers
    .filter((each) => !isInForce(each))
    .map(({ waiver, state }) => `the waiver of ${waiver.requirement} is ${waiverWords[state]}`);
}

/** Most names shown after a sentence, in formats with little room. */
const maxNames = 3;

/** `a, b, c and 7 more` */
export function nameSome(names: readonly string[]): string {
  const some = names.slice(0, maxNames).join(', ');
  return names.length > maxNames ? `${some} and ${names.length - maxNames} more` : some;
}
