import {
  type Claims,
  type Level,
  type VerdictEntry,
  type WaiverEntry,
  verdictKinds,
} from './predicate.ts';

/** What verdicts and waivers come to. */
export function settleLevel(
  verdicts: readonly VerdictEntry[],
  waivers: readonly WaiverEntry[],
): Level {
  if (verdicts.some(({ level, verdict }) => level === 'must' && verdict === 'violated'))
    return 'violated';
  return listShortfalls(verdicts, waivers).length === 0 ? 'conforms' : 'incomplete';
}

/**
 * Everything that stands between verdicts and `conforms`, in short: what was not reached is put
 * together by reason. Empty for `conforms` only.
 */
export function listShortfalls(
  verdicts: readonly VerdictEntry[],
  waivers: readonly WaiverEntry[],
): readonly string[] {
  const inForce = new Set(
    waivers
      .filter(({ state }) => state === 'used' || state === 'unreached')
      .map(({ obligation }) => obligation),
  );
  const musts = verdicts.filter(({ level }) => level === 'must');
  const stale = waivers.filter(({ state }) => state === 'expired' || state === 'needless');
  return [
    ...musts.filter(({ verdict }) => verdict === 'violated').map(({ id }) => `${id} is violated`),
    ...groupByReason(
      musts.filter(({ verdict, id }) => verdict === 'unproven' && !inForce.has(id)),
    ).map(
      ({ reason, ids: [id = '', ...others] }) =>
        `${others.length === 0 ? id : `${id} and ${others.length} more`} not reached, since ${reason}`,
    ),
    ...stale.map(
      ({ obligation, state }) =>
        `the waiver of ${obligation} is ${state === 'expired' ? 'out of date' : 'needless: the obligation holds'}`,
    ),
  ];
}

/** The unproven by reason, the most frequent reason first. */
export function groupByReason(
  unreached: readonly VerdictEntry[],
): readonly { readonly reason: string; readonly ids: readonly string[] }[] {
  const groups = Map.groupBy(unreached, ({ reason }) => reason ?? 'no reason is given');
  return [...groups]
    .map(([reason, entries]) => ({ reason, ids: entries.map(({ id }) => id) }))
    .toSorted((one, other) => other.ids.length - one.ids.length);
}

/** Counts verdicts of each kind. */
export function countEntries(verdicts: readonly VerdictEntry[]): Claims['counts'] {
  const of = (kind: VerdictEntry['verdict']): number =>
    verdicts.filter(({ verdict }) => verdict === kind).length;
  return {
    held: of('held'),
    violated: of('violated'),
    waived: of('waived'),
    unproven: of('unproven'),
    observed: of('observed'),
  };
}

/** Whether two counts are the same. */
export function areCountsEqual(one: Claims['counts'], other: Claims['counts']): boolean {
  return verdictKinds.every((kind) => one[kind] === other[kind]);
}
