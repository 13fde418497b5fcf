import type { Obligation } from '../../contract/index.ts';
import type { Verdict } from './verdict.ts';
import type { Waiver } from './waiver.ts';

/**
 * What became of a waiver in a run. `used`: the obligation is broken, as the waiver says.
 * `unreached`: the run does not tell. These two let the run pass; `expired` and `needless` (the
 * obligation holds) fail it.
 */
export interface WaiverResult {
  readonly waiver: Waiver;
  readonly state: 'used' | 'unreached' | 'expired' | 'needless';
}

/** Applies waivers to verdicts: a violation with a waiver in force becomes `waived`. */
export function applyWaivers(
  verdicts: readonly Verdict[],
  waivers: readonly Waiver[],
  now: number,
): { verdicts: readonly Verdict[]; results: readonly WaiverResult[] } {
  const today = new Date(now).toISOString().slice(0, 10);
  const results = waivers.map((waiver) => ({
    waiver,
    state: settle(
      waiver,
      verdicts.find(({ obligation }) => obligation.id === waiver.obligation),
      today,
    ),
  }));
  const used = new Map(
    results
      .filter(({ state }) => state === 'used')
      .map(({ waiver }) => [waiver.obligation, waiver]),
  );
  return { verdicts: verdicts.map((verdict) => waive(verdict, used)), results };
}

function settle(
  waiver: Waiver,
  verdict: Verdict | undefined,
  today: string,
): WaiverResult['state'] {
  if (waiver.expires < today) return 'expired';
  if (verdict?.kind === 'violated') return 'used';
  return verdict?.kind === 'held' ? 'needless' : 'unreached';
}

function waive(verdict: Verdict, used: ReadonlyMap<Obligation['id'], Waiver>): Verdict {
  const waiver = used.get(verdict.obligation.id);
  if (waiver === undefined || verdict.kind !== 'violated') return verdict;
  return { kind: 'waived', obligation: verdict.obligation, violations: verdict.violations, waiver };
}
