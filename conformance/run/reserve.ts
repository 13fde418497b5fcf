import { type Contract, families } from '../../contract/index.ts';
import type { RunPlan } from './watcher.ts';
import type { Probe } from '../probes/probe.ts';
import type { Session } from '../transport/session.ts';
import { isAboutBodies } from '../counterexample/shrink.ts';
import type { TargetFacts } from '../judge/trace/trace.ts';
import { isFailed } from '../judge/verdict.ts';

/** Most exchanges that are judged on the way, over all looks at the log. */
const patience = 1200;

/** The families whose failures can be made smaller. */
const shrinkable = families.filter((family) => family !== 'open' && isAboutBodies(family));

/** Decides whether a probe gives its requests to a smaller counterexample. */
export interface Reserve {
  readonly givesWay: (probe: Probe) => boolean;
  /** The probes that gave way: what is left of their requests in the end is theirs again. */
  readonly waiting: readonly Probe[];
}

/** Reserve probes give way once something fails whose body can be made smaller. */
export function createReserve(
  { reserve }: RunPlan,
  contract: Contract,
  session: Session,
  facts: TargetFacts,
): Reserve {
  const waiting: Probe[] = [];
  let looked = 0;
  let failed = false;
  const hasFailed = (): boolean => {
    if (failed || (looked > 0 && looked + session.exchanges.length > patience)) return failed;
    looked += session.exchanges.length;
    failed = isFailed(contract, session.exchanges, facts, shrinkable);
    return failed;
  };
  return {
    waiting,
    givesWay: (probe) => {
      if (!reserve.has(probe) || !hasFailed()) return false;
      waiting.push(probe);
      return true;
    },
  };
}
