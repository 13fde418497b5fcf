import type { Contract } from '../../contract/index.ts';
import type { Plan } from './plan.ts';
import type { Probe } from '../probes/probe.ts';
import type { Session } from '../transport/session.ts';
import { isAboutBodies } from '../counterexample/shrink.ts';
import { judge } from '../judge/verdict.ts';

/**
 * Most exchanges that are judged on the way, over all looks at the log: each look judges all of it.
 */
const patience = 1200;

/**
 * Decides whether a probe gives way, so that its requests can go into a smaller counterexample.
 * Remembers which did.
 */
export interface Spare {
  readonly givesWay: (probe: Probe) => boolean;
  /** The probes that gave way, with the reason, as a plan tells them. */
  readonly left: Plan['left'];
}

/**
 * Creates the decision for one run: spare probes give way once something is broken whose body can
 * be made smaller.
 */
export function createSpare(
  { spare }: Plan,
  contract: Contract,
  session: Session,
  planName: string | undefined,
): Spare {
  const left: Plan['left'][number][] = [];
  let looked = 0;
  let broken = false;
  const isBroken = (): boolean => {
    if (broken || (looked > 0 && looked + session.exchanges.length > patience)) return broken;
    looked += session.exchanges.length;
    const verdicts = judge(contract, session.exchanges, { plan: planName, whyUnproven: () => '' });
    broken = verdicts.some(
      ({ kind, obligation }) =>
        kind === 'violated' && obligation.level === 'must' && isAboutBodies(obligation.id),
    );
    return broken;
  };
  return {
    left,
    givesWay: (probe) => {
      if (!spare.has(probe) || !isBroken()) return false;
      left.push({ probe, reason: 'its requests went into smaller counterexamples (--shrink)' });
      return true;
    },
  };
}
