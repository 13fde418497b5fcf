import { countVerdicts, nameShards } from '../../conformance/index.ts';
import type { Claims, Level, VerdictEntry, WaiverEntry } from './predicate.ts';

/**
 * What verdicts and waivers come to. `missing`: the shards of which nothing is known; `inconclusive`:
 * why the run says too little, if it does.
 */
export function settleLevel(
  verdicts: readonly VerdictEntry[],
  waivers: readonly WaiverEntry[],
  missing: readonly number[] = [],
  inconclusive?: string,
): Level {
  if (verdicts.some(({ level, verdict }) => level === 'must' && verdict === 'failed'))
    return 'failed';
  const shortfalls = listShortfalls(verdicts, waivers, missing, inconclusive);
  return shortfalls.length === 0 ? 'conforms' : 'incomplete';
}

/** Everything that stands between verdicts and `conforms`; what was not tested is by reason. */
export function listShortfalls(
  verdicts: readonly VerdictEntry[],
  waivers: readonly WaiverEntry[],
  missingShards: readonly number[] = [],
  inconclusive?: string,
): readonly string[] {
  const inForce = new Set(waivers.filter(isInForce).map(({ requirement }) => requirement));
  const musts = verdicts.filter(({ level }) => level === 'must');
  const missing = musts.filter(
    ({ verdict, id, applies = true }) => verdict === 'not-tested' && applies && !inForce.has(id),
  );
  const stale = waivers.filter((waiver) => !isInForce(waiver));
  return [
    ...(inconclusive === undefined ? [] : [`the run is inconclusive: ${inconclusive}`]),
    ...musts.filter(({ verdict }) => verdict === 'failed').map(({ id }) => `${id} failed`),
    ...groupByReason(missing).map(
      ({ reason, ids: [id = '', ...others] }) =>
        `${others.length === 0 ? id : `${id} and ${others.length} more`} not tested: ${reason}`,
    ),
    ...(missingShards.length === 0
      ? []
      : [`${nameShards(missingShards)} ${missingShards.length === 1 ? 'is' : 'are'} missing`]),
    ...stale.map(
      ({ requirement, state }) =>
        `the waiver for ${requirement} is ${state === 'expired' ? 'expired' : 'unnecessary: the requirement passed'}`,
    ),
  ];
}

/** Whether a waiver was in force at the time of the run. */
export function isInForce({ state }: WaiverEntry): boolean {
  return state === 'used' || state === 'unreached';
}

/** The not tested by reason, the most frequent reason first. */
export function groupByReason(
  notTested: readonly VerdictEntry[],
): readonly { readonly reason: string; readonly ids: readonly string[] }[] {
  const groups = Map.groupBy(notTested, ({ reason }) => reason ?? 'no reason given');
  return [...groups]
    .map(([reason, entries]) => ({ reason, ids: entries.map(({ id }) => id) }))
    .toSorted((one, other) => other.ids.length - one.ids.length);
}

export function countEntries(verdicts: readonly VerdictEntry[]): Claims['counts'] {
  return countVerdicts(
    verdicts.map((entry) => ({ kind: entry.verdict, requirement: { level: entry.level } })),
  );
}
