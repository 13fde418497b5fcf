import { type Claims, type Level, type VerdictEntry, type WaiverEntry, verdictKinds } from './predicate.ts';

/** What verdicts and waivers come to. */
export function settleLevel(verdicts: readonly VerdictEntry[], waivers: readonly WaiverEntry[]): Level {
  if (verdicts.some(({ level, verdict }) => level === 'must' && verdict === 'violated')) return 'violated';
  return listShortfalls(verdicts, waivers).length === 0 ? 'conforms' : 'incomplete';
}

/** Everything that stands between verdicts and `conforms`, a sentence each, without its full stop. */
export function listShortfalls(verdicts: readonly VerdictEntry[], waivers: readonly WaiverEntry[]): readonly string[] {
  const inForce = new Set(waivers.filter(({ state }) => state === 'used' || state === 'unreached').map(({ obligation }) => obligation));
  const musts = verdicts.filter(({ level }) => level === 'must');
  const stale = waivers.filter(({ state }) => state === 'expired' || state === 'needless');
  return [
    ...musts.filter(({ verdict }) => verdict === 'violated').map(({ id }) => `${id} is violated`),
    ...musts.filter(({ verdict, id }) => verdict === 'unproven' && !inForce.has(id)).map(({ id, reason }) => `${id} was not reached: ${reason ?? 'no reason is given'}`),
    ...stale.map(({ obligation, state }) => `the waiver of ${obligation} is ${state === 'expired' ? 'out of date' : 'needless: the obligation holds'}`),
  ];
}

/** Counts verdicts of each kind. */
export function countEntries(verdicts: readonly VerdictEntry[]): Claims['counts'] {
  const of = (kind: VerdictEntry['verdict']): number => verdicts.filter(({ verdict }) => verdict === kind).length;
  return { held: of('held'), violated: of('violated'), waived: of('waived'), unproven: of('unproven'), observed: of('observed') };
}

/** Whether two counts are the same. */
export function areCountsEqual(one: Claims['counts'], other: Claims['counts']): boolean {
  return verdictKinds.every((kind) => one[kind] === other[kind]);
}
