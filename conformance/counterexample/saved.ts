import type { Counterexample } from './counterexample.ts';
import { sendCounterexample } from './send.ts';
import type { Probe } from '../probes/probe.ts';

/** Counterexamples that earlier runs found: they are the first to be looked for again. */
export function listSavedProbes(saved: readonly Counterexample[]): readonly Probe[] {
  return saved.map((counterexample, index) => ({
    id: `saved ${index + 1}: ${counterexample.requirement}`,
    phase: 'saved',
    rank: 0,
    requests: counterexample.steps.length,
    writes: counterexample.steps.some(({ body }) => body !== undefined),
    proves: [counterexample.requirement],
    run: ({ contract, session, known, nextTag }) => {
      const references = new Map(contract.resources.flatMap((each) => [...known.references(each)]));
      return sendCounterexample(counterexample, session, { nextTag, references });
    },
  }));
}
