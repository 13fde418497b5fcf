import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { petstore } from '../test/contract/petstore.ts';
import type { RunReport } from '../conformance/index.ts';
import { type Mutant, mutants } from './index.ts';
import { judgeSubject } from './trial.ts';

/** A server with the faults of two mutants. The suite must find the second one although the first one fails early. */
function combine(first: Mutant, second: Mutant): Mutant {
  return {
    id: `${first.id}-and-${second.id}`,
    breaks: [second.breaks[0], ...first.breaks],
    behaviour: () => ({ ...first.behaviour(), ...second.behaviour() }),
  };
}

/**
 * Whether two mutants replace different parts, break different requirements, and can be distinguished: a
 * 500 may itself have added the item that the second mutant stores for a refused request.
 */
function isCombinable(first: Mutant, second: Mutant): boolean {
  const parts = new Set(Object.keys(first.behaviour()));
  const isAmbiguous =
    first.id.endsWith('-500') && second.breaks.some((id) => id.includes('state.not-written'));
  return (
    !isAmbiguous &&
    Object.keys(second.behaviour()).every((part) => !parts.has(part)) &&
    second.breaks.every((id) => !first.breaks.includes(id))
  );
}

const simple = mutants.filter(
  ({ needs, fades, hangs }) => needs === undefined && fades === undefined && hangs === undefined,
);

/** Mutants that treat invalid bodies wrongly, which does not affect other requests. */
const early = simple.filter(({ breaks: [id] }) =>
  /^createPet\/request\.body\b.*\.(type|required|values)$/.test(id),
);

const seeds = Array.from({ length: 40 }, (_, at) => at + 1);

/** One random pair for each seed. */
const pairs = seeds.flatMap((seed) =>
  fc
    .sample(
      fc
        .tuple(fc.constantFrom(...early), fc.constantFrom(...simple))
        .filter(([first, second]) => isCombinable(first, second)),
      { seed, numRuns: 1 },
    )
    .map(([first, second]) => ({ id: combine(first, second).id, seed, first, second })),
);

const run = async (subject: Mutant, seed: number): Promise<RunReport> =>
  await judgeSubject(petstore, subject, { seed, requests: 60, isOverNetwork: false });

/** The expected requirements that do not fail in a run against a server with both faults. */
async function findMissing(
  first: Mutant,
  second: Mutant,
  seed: number,
): Promise<readonly string[]> {
  const { verdicts } = await run(combine(first, second), seed);
  const failed = verdicts.filter(({ kind }) => kind === 'failed');
  const ids = new Set(failed.map(({ requirement }) => requirement.id));
  return [first, second].map(({ breaks }) => breaks[0]).filter((id) => !ids.has(id));
}

test('there is a pair for each seed', () => {
  expect(pairs.length).toBe(seeds.length);
});

test.for(pairs)('both faults are found: $id, seed $seed', async ({ first, second, seed }) => {
  expect(await findMissing(first, second, seed)).toEqual([]);
});

/** Servers that accept texts that are not an allowed status. */
const lax = simple.filter(({ id }) =>
  ['status-unknown-left-out', 'status-lower-cased'].includes(id),
);

test.for(lax)(
  '$id is found with each of 40 seeds if another check fails early',
  { timeout: 120_000 },
  async (second) => {
    expect(second.breaks[0]).toBe('createPet/request.body.status.values');
    const firsts = early.filter((each) => isCombinable(each, second));
    const missing: string[] = [];
    for (const seed of seeds)
      for (const first of firsts.slice(seed % firsts.length).slice(0, 1))
        for (const each of await findMissing(first, second, seed)) missing.push(`${seed}: ${each}`);
    expect(missing).toEqual([]);
  },
);
