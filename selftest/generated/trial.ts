import type { Contract } from '../../contract/contract.ts';
import type { RunReport } from '../../conformance/index.ts';
import { type GeneratedMutant, whyNone } from './generate.ts';
import type { FaultContext } from './layer.ts';
import { startServer } from './server.ts';

/** The result of the runs against a mutant. */
export interface Outcome {
  /**
   * `named`: the broken requirement failed; `noticed`: another one failed that a correct server passes;
   * `missed`: none.
   */
  readonly kind: 'named' | 'noticed' | 'missed';
  /** Why it was missed. */
  readonly reason: string | undefined;
  readonly requests: number;
}

/** How each mutant is tried. */
export interface TrialSettings {
  readonly seed: number;
  readonly requests: number;
  /** Requirements that a correct server fails: they prove nothing. */
  readonly failing: ReadonlySet<string>;
  /** Whether a run against a correct server reaches a verdict. */
  readonly isConclusive: boolean;
  /** When runs are interrupted, in milliseconds since 1970. */
  readonly deadline: number;
}

/**
 * Runs the suite against a mutant, if there is one: first with a usual budget, then with the full one if
 * that did not name it. Undefined if the deadline has passed.
 */
export async function tryMutant(
  { requirement, layer, needsExhaust: exhaust }: GeneratedMutant,
  contract: Contract,
  context: FaultContext,
  settings: TrialSettings,
): Promise<Outcome | undefined> {
  if (layer === undefined) return { kind: 'missed', reason: whyNone(requirement), requests: 0 };
  const { seed, requests, deadline } = settings;
  const budgets = requests > usual ? [usual, requests] : [requests];
  let outcome: Outcome = { kind: 'missed', reason: undefined, requests: 0 };
  for (const budget of budgets) {
    if (Date.now() > deadline) return undefined;
    const server = await startServer(contract, context, { layer: layer(), deadline });
    const run = server.judge({ seed, requests: budget, exhaust, shrink: 0 });
    outcome = readOutcome(requirement.id, await run.catch(() => undefined), settings);
    if (outcome.kind === 'named') break;
  }
  return Date.now() > deadline ? undefined : outcome;
}

/** Requests that find most mutants, in a fraction of the time of a large budget. */
const usual = 60;

function readOutcome(
  id: string,
  report: RunReport | undefined,
  { failing, isConclusive }: TrialSettings,
): Outcome {
  // A run without a verdict says so, and such a server is not mistaken for a correct one.
  if (report === undefined) return { kind: 'noticed', reason: undefined, requests: 0 };
  const { requests } = report.run;
  const failed = listFailed(report).filter((each) => !failing.has(each));
  if (failed.includes(id)) return { kind: 'named', reason: undefined, requests };
  if (failed.length > 0 || (isConclusive && report.outcome === 'inconclusive'))
    return { kind: 'noticed', reason: undefined, requests };
  const verdict = report.verdicts.find(({ requirement }) => requirement.id === id);
  const reason = verdict?.kind === 'not-tested' ? verdict.reason : 'no response showed it';
  return { kind: 'missed', reason, requests };
}

/** The requirements that failed in a run. */
export function listFailed({ verdicts }: RunReport): readonly string[] {
  return verdicts.flatMap(({ kind, requirement }) => (kind === 'failed' ? [requirement.id] : []));
}
