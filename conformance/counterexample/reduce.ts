import { requirementsOf } from '../family/requirements.ts';
import type { Contract } from '../../contract/contract.ts';
import { familyJudges, listFindings, type Failure } from '../judge/verdict.ts';
import type { Exchange } from '../transport/exchange.ts';
import { readTrace } from '../family/read-trace.ts';
import type { TargetFacts } from '../judge/trace/trace.ts';

/** Most exchanges of a counterexample. */
const longest = 40;

/** Numbers of exchanges around a failure in which its reasons are searched, in turn. */
const reaches = [8, 32, 128] as const;

/** Most judgements of one search. */
const patience = 160;

/** The failure that a part of a log must show. */
export interface FailureSearch extends TargetFacts {
  readonly contract: Contract;
  readonly requirement: string;
  /**
   * Caches what parts of the log show, because a few exchanges may fail thousands of requirements.
   */
  readonly shown: Map<string, ReadonlyMap<string, readonly Failure[]>>;
}

/** The failure of a requirement in some exchanges; if given, by the exchange `own`. */
export function findFailure(
  { contract, requirement, shown, ...facts }: FailureSearch,
  exchanges: readonly Exchange[],
  own?: number,
): Failure | undefined {
  const family = requirementsOf(contract).get(requirement)?.family;
  if (family === undefined) return undefined;
  const part = `${family} ${exchanges.map(({ index }) => index).join()}`;
  const failures =
    shown.get(part) ??
    Map.groupBy(
      listFindings(readTrace(contract, exchanges, facts), [family]).filter(
        (finding) => finding.kind === 'failed',
      ),
      (failure) => failure.requirement,
    );
  shown.set(part, failures);
  return failures.get(requirement)?.find(({ exchange }) => own === undefined || exchange === own);
}

/**
 * The few exchanges that show a failure on their own; undefined if more are needed than an example
 * may have. Sends nothing. `reach`: also search the exchanges around it, which takes time.
 */
export function reduceLog(
  sought: FailureSearch,
  exchanges: readonly Exchange[],
  failure: Failure,
  reach: boolean,
): readonly Exchange[] | undefined {
  const named = [...new Set([...failure.others, failure.exchange])]
    .toSorted((a, b) => a - b)
    .flatMap((index) => exchanges[index] ?? []);
  if (named.length <= longest && findFailure(sought, named, failure.exchange) !== undefined)
    return named;
  if (!reach) return undefined;
  for (const distance of reaches) {
    const near = exchanges.slice(
      Math.max(0, failure.exchange - distance),
      failure.exchange + distance + 1,
    );
    const window = [...new Set([...named, ...near])].toSorted((a, b) => a.index - b.index);
    const shows = (part: readonly Exchange[]): boolean => isShown(sought, part, failure.exchange);
    if (!shows(window)) continue;
    const part = removeChunks(window, shows);
    return part.length <= longest ? part : undefined;
  }
  return undefined;
}

/** Whether some exchanges show that the exchange `own` breaks a requirement. Not cached. */
function isShown(
  { contract, requirement, shown: _shown, ...facts }: FailureSearch,
  exchanges: readonly Exchange[],
  own: number,
): boolean {
  const family = requirementsOf(contract).get(requirement)?.family;
  if (family === undefined) return false;
  return Iterator.from(familyJudges[family](readTrace(contract, exchanges, facts))).some(
    (finding) =>
      finding.kind === 'failed' && finding.requirement === requirement && finding.exchange === own,
  );
}

/** Removes smaller and smaller chunks, as long as the rest still shows the failure. */
function removeChunks(
  exchanges: readonly Exchange[],
  shows: (part: readonly Exchange[]) => boolean,
): readonly Exchange[] {
  let part = exchanges;
  let judged = 0;
  for (const size of halvings(Math.ceil(part.length / 2))) {
    for (let start = 0; start < part.length && judged < patience; judged += 1) {
      const rest = [...part.slice(0, start), ...part.slice(start + size)];
      if (rest.length > 0 && shows(rest)) part = rest;
      else start += size;
    }
  }
  return part;
}

/** A size, half of it, rounded up, and so on down to 1. */
function halvings(size: number): readonly number[] {
  if (size <= 1) return size === 1 ? [1] : [];
  return [size, ...halvings(Math.ceil(size / 2))];
}
