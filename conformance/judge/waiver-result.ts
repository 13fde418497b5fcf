import type { Requirement } from '../../contract/requirement/requirement.ts';
import type { Verdict } from './verdict.ts';
import { dayOf, type Waiver } from './waiver.ts';

/**
 * What became of a waiver. `used`: the requirement fails; `unreached`: the run does not tell. The
 * others fail the run: `expired`, and `needless` (the requirement holds).
 */
export interface WaiverResult {
  readonly waiver: Waiver;
  readonly state: 'used' | 'unreached' | 'expired' | 'needless';
}

/** Applies waivers to verdicts: a failure with a waiver in force becomes `waived`. */
export function applyWaivers(
  verdicts: readonly Verdict[],
  waivers: readonly Waiver[],
  now: number,
): { verdicts: readonly Verdict[]; results: readonly WaiverResult[] } {
  const today = dayOf(now);
  const byId = new Map(verdicts.map((verdict) => [verdict.requirement.id, verdict]));
  const results = waivers.map((waiver) => ({
    waiver,
    state: settle(waiver, byId.get(waiver.requirement), today),
  }));
  const inForce = results.filter(({ state }) => state === 'used');
  const used = new Map(inForce.map(({ waiver }) => [waiver.requirement, waiver]));
  return { verdicts: verdicts.map((verdict) => waive(verdict, used)), results };
}

function settle(
  { expires }: Waiver,
  verdict: Verdict | undefined,
  today: string,
): WaiverResult['state'] {
  if (expires < today) return 'expired';
  if (verdict?.kind === 'failed') return 'used';
  return verdict?.kind === 'passed' ? 'needless' : 'unreached';
}

function waive(verdict: Verdict, used: ReadonlyMap<Requirement['id'], Waiver>): Verdict {
  const waiver = used.get(verdict.requirement.id);
  if (waiver === undefined || verdict.kind !== 'failed') return verdict;
  return { kind: 'waived', requirement: verdict.requirement, failures: verdict.failures, waiver };
}
