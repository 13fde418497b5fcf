import { requirementId, type Resource } from '../../../contract/index.ts';
import { periodsOf, sightsOf } from './look.ts';
import { once } from './once.ts';
import type { Reading, Trace } from './trace.ts';

/** What the looks at changed items say of the operations as a whole. */
export interface Witnesses {
  /** Reads of a member, by their requirement, that once were wrong where another response was right. */
  readonly liars: ReadonlySet<string>;
  /** The members, as `memberKey` names them, that no response showed as a request had sent them. */
  readonly unstored: ReadonlySet<string>;
}

/** Names a member that a request sent. */
export function memberKey({ exchange }: Reading, name: string): string {
  return `${exchange.index} ${name}`;
}

/** Looks at all looks at once. */
export function readWitnesses(trace: Trace, resource: Resource): Witnesses {
  return witnessesOf(trace)(resource);
}

const witnessesOf = once((trace: Trace) =>
  once((resource: Resource): Witnesses => {
    const liars = new Set<string>();
    const unstored = new Set<string>();
    for (const period of periodsOf(trace, resource)) {
      const byName = Map.groupBy(period.flatMap(sightsOf), ({ name }) => name);
      for (const [name, sights] of byName) {
        const wrong = sights.filter(({ isKept }) => !isKept);
        const isShown = wrong.length < sights.length;
        for (const { look, state, known } of wrong) {
          if (isShown) liars.add(requirementId.state(look.reading.operation.id, `read.${name}`));
          else if (known.setBy === state.by) unstored.add(memberKey(known.setBy, name));
        }
      }
    }
    return { liars, unstored };
  }),
);
