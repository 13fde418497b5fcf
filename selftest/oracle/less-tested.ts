import type { Exchange, RunReport, Verdict } from '../../conformance/index.ts';

/**
 * The requirements that a run against a correct server tests and a run against another server, with
 * the same settings, does not, each in a sentence. A requirement that an observed effect of what the
 * server does otherwise keeps from being tested is none of them.
 */
export function findLessTested(good: RunReport, report: RunReport): readonly string[] {
  const differing = listDiffering(good.exchanges, report.exchanges);
  const verdicts = new Map(report.verdicts.map((verdict) => [verdict.requirement.id, verdict]));
  return good.verdicts.flatMap((verdict) => {
    const other = verdicts.get(verdict.requirement.id);
    if (verdict.kind !== 'passed' || other?.kind !== 'not-tested') return [];
    const probes = new Set(verdict.exchanges.map((index) => good.exchanges[index]?.probe ?? ''));
    return isHindered(other, probes, report, differing)
      ? []
      : [
          `${other.requirement.id}, which a run against a correct server tests, is not tested because of ${other.because?.kind ?? 'nothing'}, and no exchange confirms it`,
        ];
  });
}

type NotTested = Extract<Verdict, { readonly kind: 'not-tested' }>;

/**
 * Whether the log confirms the reason: by then the server had done something otherwise than a correct
 * one. `probes`: those that show the requirement of a correct server.
 */
function isHindered(
  { because, requirement }: NotTested,
  probes: ReadonlySet<string>,
  { exchanges }: RunReport,
  differing: ReadonlySet<Exchange>,
): boolean {
  const isSeen = (until: Exchange | undefined): boolean =>
    until !== undefined && [...differing].some(({ index }) => index <= until.index);
  if (because?.kind === 'unclear') return isSeen(exchanges[because.exchange]);
  if (because?.kind === 'ended-early')
    return because.end !== 'budget' || exchanges.some(isRepeated);
  if (because?.kind !== 'not-shown' && because?.kind !== 'nothing-to-send') return false;
  // What happens later can make an earlier read ambiguous, such as the same id for another item.
  const isState = requirement.id.includes('/state.');
  const last = isState ? undefined : exchanges.findLast(({ probe }) => probes.has(probe));
  return isSeen(last ?? exchanges.at(-1));
}

/** Whether a response, or the lack of one, makes the suite send a request again. */
function isRepeated({ outcome }: Exchange): boolean {
  return outcome.kind !== 'answered' || outcome.response.status === 429;
}

/** The exchanges whose response is another one than that of the correct server to the same probe. */
function listDiffering(
  good: readonly Exchange[],
  exchanges: readonly Exchange[],
): ReadonlySet<Exchange> {
  const keys = numberExchanges(good);
  const outcomes = new Map(good.map((each) => [keys.get(each), JSON.stringify(each.outcome)]));
  const own = numberExchanges(exchanges);
  return new Set(
    exchanges.filter((each) => outcomes.get(own.get(each)) !== JSON.stringify(each.outcome)),
  );
}

/** A name for each exchange: its probe, and which of its requests it is. */
function numberExchanges(exchanges: readonly Exchange[]): ReadonlyMap<Exchange, string> {
  const counts = new Map<string, number>();
  return new Map(
    exchanges.map((each) => {
      const count = counts.get(each.probe) ?? 0;
      counts.set(each.probe, count + 1);
      return [each, `${each.probe} ${count}`];
    }),
  );
}
