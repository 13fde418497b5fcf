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
  if (verdicts.some(({ level, verdict }) => level === 'must' && verdict === 'failed'))
    return 'failed';
  return listShortfalls(verdicts, waivers).length === 0 ? 'conforms' : 'incomplete';
}

/** Everything that stands between verdicts and `conforms`; what was not tested is by reason. */
export function listShortfalls(
  verdicts: readonly VerdictEntry[],
  waivers: readonly WaiverEntry[],
): readonly string[] {
  const inForce = new Set(
    waivers
      .filter(({ state }) => state === 'used' || state === 'unreached')
      .map(({ requirement }) => requirement),
  );
  const musts = verdicts.filter(({ level }) => level === 'must');
  const stale = waivers.filter(({ state }) => state === 'expired' || state === 'needless');
  return [
    ...musts.filter(({ verdict }) => verdict === 'failed').map(({ id }) => `${id} failed`),
    ...groupByReason(
      musts.filter(({ verdict, id }) => verdict === 'not-tested' && !inForce.has(id)),
    ).map(
      ({ reason, ids: [id = '', ...others] }) =>
        `${others.length === 0 ? id : `${id} and ${others.length} more`} not tested, since ${reason}`,
    ),
    ...stale.map(
      ({ requirement, state }) =>
        `the waiver of ${requirement} is ${state === 'expired' ? 'out of date' : 'needless: the requirement holds'}`,
    ),
  ];
}

/** The not tested by reason, the most frequent reason first. */
export function groupByReason(
  notTested: readonly VerdictEntry[],
): readonly { readonly reason: string; readonly ids: readonly string[] }[] {
  const groups = Map.groupBy(notTested, ({ reason }) => reason ?? 'no reason is given');
  return [...groups]
    .map(([reason, entries]) => ({ reason, ids: entries.map(({ id }) => id) }))
    .toSorted((one, other) => other.ids.length - one.ids.length);
}

export function countEntries(verdicts: readonly VerdictEntry[]): Claims['counts'] {
  const of = (kind: VerdictEntry['verdict']): number =>
    verdicts.filter(({ verdict }) => verdict === kind).length;
  return {
    passed: of('passed'),
    failed: of('failed'),
    waived: of('waived'),
    'not-tested': of('not-tested'),
    open: of('open'),
  };
}

export function areCountsEqual(one: Claims['counts'], other: Claims['counts']): boolean {
  return verdictKinds.every((kind) => one[kind] === other[kind]);
}
