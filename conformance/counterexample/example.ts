import type { Contract } from '../../contract/index.ts';
import { createCounterexample } from './counterexample.ts';
import type { Exchange } from '../transport/exchange.ts';
import { withSources } from './item-source.ts';
import { findViolation, reduceLog, type Sought } from './reduce.ts';
import { renderReplayId } from './replay-id.ts';
import { WaitTooLong } from '../transport/pacing.ts';
import { BudgetSpent, type Session } from '../transport/session.ts';
import { isAboutBodies, shrinkCounterexample, type ShrinkOptions } from './shrink.ts';
import type { Verdict, Violation } from '../judge/verdict.ts';

/**
 * The example by which a report tells a violation: the smallest that is known, with the id that
 * repeats it.
 */
export interface Example {
  readonly obligation: string;
  readonly violation: Violation;
}

/** Obligations for which the exchanges around a violation are searched too. */
const thorough = 12;

/** Violations of one obligation, beyond the first, that get an id of their own. */
const further = 4;

/** What a run knows when its probes are done. */
export interface ExampleSource {
  readonly contract: Contract;
  readonly session: Session;
  readonly plan: string | undefined;
  readonly shrink: ShrinkOptions;
  /** Told which obligation the next requests are for. */
  readonly enter: (probe: string) => void;
}

/**
 * Finds the examples of all violations: first, without a request, the exchanges that show each;
 * then, with the requests of the share, smaller ones.
 */
export async function findExamples(
  source: ExampleSource,
  verdicts: readonly Verdict[],
): Promise<readonly Example[]> {
  const { session } = source;
  const log = [...session.exchanges];
  const broken = verdicts.flatMap((verdict) =>
    verdict.kind === 'violated'
      ? [{ id: verdict.obligation.id, violations: verdict.violations }]
      : [],
  );
  const examples: Example[] = [];
  let share = Math.min(source.shrink.share, session.left());
  for (const [index, { id, violations }] of broken.entries()) {
    const sought = { contract: source.contract, obligation: id, plan: source.plan };
    const [first, ...others] = violations;
    const part = first && exampleOf(sought, log, first, index < thorough);
    if (first && part) {
      const before = session.exchanges.length;
      const most = Math.max(5, Math.floor(share / (broken.length - index)));
      source.enter(`shrink: ${id}`);
      examples.push(await findSmallest(sought, source, part, first, Math.min(most, share)));
      share -= session.exchanges.length - before;
    }
    examples.push(
      ...others
        .slice(0, further)
        .flatMap((violation) => plainExample(sought, source, log, violation)),
    );
  }
  return examples;
}

/**
 * The few exchanges that show a violation, with those that it takes to show it again on another
 * day.
 */
function exampleOf(
  sought: Sought,
  log: readonly Exchange[],
  violation: Violation,
  reach: boolean,
): readonly Exchange[] | undefined {
  const part = reduceLog(sought, log, violation, reach);
  const whole = part && withSources(sought.contract, log, part);
  return whole && findViolation(sought, whole, new Set([violation.exchange])) ? whole : part;
}

async function findSmallest(
  sought: Sought,
  source: ExampleSource,
  part: readonly Exchange[],
  violation: Violation,
  share: number,
): Promise<Example> {
  const asFound = withReplay(sought, source, part, violation);
  if (share <= 0 || !isAboutBodies(sought.obligation)) return asFound;
  const smaller = await shrinkUntilEnd(() =>
    shrinkCounterexample(sought, part, source.session, { ...source.shrink, share }),
  );
  if (!smaller) return asFound;
  const { exchange, others, expected, received } = violation;
  const found = withReplay(sought, source, smaller.exchanges, smaller.violation);
  return {
    ...found,
    violation: { ...found.violation, shrunkFrom: { exchange, others, expected, received } },
  };
}

/** A limit of the budget or of the target ends the search, not the run. */
async function shrinkUntilEnd<T>(shrink: () => Promise<T>): Promise<T | undefined> {
  try {
    return await shrink();
  } catch (error) {
    if (error instanceof BudgetSpent || error instanceof WaitTooLong) return undefined;
    throw error;
  }
}

function plainExample(
  sought: Sought,
  source: ExampleSource,
  log: readonly Exchange[],
  violation: Violation,
): readonly Example[] {
  const part = exampleOf(sought, log, violation, false);
  return part ? [withReplay(sought, source, part, violation)] : [];
}

function withReplay(
  { contract, obligation, plan }: Sought,
  { shrink }: ExampleSource,
  part: readonly Exchange[],
  violation: Violation,
): Example {
  return {
    obligation,
    violation: {
      ...violation,
      replay: renderReplayId(createCounterexample(contract, obligation, part, shrink.tag, plan)),
    },
  };
}

/**
 * Puts the examples into the verdicts: in the place of the violations that they tell, a smaller one
 * first.
 */
export function showExamples(
  verdicts: readonly Verdict[],
  examples: readonly Example[],
): readonly Verdict[] {
  return verdicts.map((verdict) => {
    if (verdict.kind !== 'violated') return verdict;
    const known = new Map(
      examples
        .filter(({ obligation }) => obligation === verdict.obligation.id)
        .map(({ violation }) => [violation.exchange, violation]),
    );
    const smallest = [...known.values()].filter(({ shrunkFrom }) => shrunkFrom !== undefined);
    const rest = verdict.violations.filter(
      ({ exchange }) => !smallest.some((each) => each.exchange === exchange),
    );
    return {
      ...verdict,
      violations: [
        ...smallest,
        ...rest.map((violation) => known.get(violation.exchange) ?? violation),
      ],
    };
  });
}
