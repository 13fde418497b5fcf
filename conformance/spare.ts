import type { Contract } from '../contract/index.ts';
import type { Plan } from './plan.ts';
import type { Probe } from './probe.ts';
import type { Session } from './session.ts';
import { isAboutBodies } from './shrink.ts';
import { judge } from './verdict.ts';

/** Most looks at the log on the way: each judges all of it. */
const looks = 6;

/** Decides whether a probe gives way, so that its requests can go into a smaller counterexample. Remembers which did. */
export interface Spare {
  readonly givesWay: (probe: Probe) => boolean;
  /** The probes that gave way, with the reason, as a plan tells them. */
  readonly left: Plan['left'];
}

/** Creates the decision for one run: spare probes give way once something is broken whose body can be made smaller. */
export function createSpare({ spare }: Plan, contract: Contract, session: Session, planName: string | undefined): Spare {
  const left: Plan['left'][number][] = [];
  let looked = 0;
  let broken = false;
  const isBroken = (): boolean => {
    if (broken || looked >= looks) return broken;
    looked += 1;
    const verdicts = judge(contract, session.exchanges, { plan: planName, whyUnproven: () => '' });
    broken = verdicts.some(({ kind, obligation }) => kind === 'violated' && obligation.level === 'must' && isAboutBodies(obligation.id));
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
