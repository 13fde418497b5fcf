import { requirementId } from '../../judge/trace/requirement.ts';
import { failed, passed, unclear, type Finding } from '../../judge/trace/finding.ts';
import { isBeforeEnd, isServed, isSliding, refillOf, refillWithin, type Step } from './step.ts';

interface Count extends Step {
  readonly limit: number;
  readonly remaining: number;
}

/** Judges what Remaining says from one response to the key to the next, by its Limit and Reset. */
export function* judgeCounts(own: readonly Step[]): Generator<Finding> {
  const counts = listCounts(own);
  if (isSliding(counts)) yield* judgeStanding(counts);
  else
    for (const series of listSeries(counts)) {
      yield* judgeCounting(series, own);
      yield* judgeFalling(series, own);
    }
}

/** The responses that tell a whole quota, none beside another. */
function listCounts(own: readonly Step[]): readonly Count[] {
  return own.flatMap((step): readonly Count[] => {
    const { limit, remaining, reset, reading } = step;
    const isUnsure = limit === undefined || remaining === undefined || reset === undefined;
    return isUnsure || !reading.isAlone ? [] : [{ ...step, limit, remaining }];
  });
}

function listSeries(counts: readonly Count[]): readonly (readonly Count[])[] {
  return [...Map.groupBy(counts, ({ limit, reset }) => `${limit} ${reset}`).values()];
}

/** Whatever moves Reset: so many requests in so short a time lower Remaining once at least. */
function* judgeStanding(all: readonly Count[]): Generator<Finding> {
  for (const counts of Map.groupBy(all, ({ limit }) => limit).values()) {
    const served = counts.filter(isServed);
    const [first, last] = [served[0], served.at(-1)];
    if (hasDrop(counts) || !first || !last || served.length < 10) continue;
    const { exchange: begun } = first.reading;
    const { exchange: ended } = last.reading;
    const seconds = (ended.endedAt - begun.sentAt) / 1000;
    if (refillOf(seconds, first) + 1 >= served.length - 1) continue;
    const expected = `${first.policy.headers.remaining} below ${first.remaining} after ${served.length} served requests in ${seconds} seconds`;
    const id = requirementId.rateLimit('remaining-counts');
    yield failed(id, ended.index, expected, String(last.remaining), [begun.index]);
  }
}

/** Whether Remaining fell from one response to the next. */
function hasDrop(counts: readonly Count[]): boolean {
  return counts.some(
    (count, index) => index > 0 && count.remaining < (counts[index - 1]?.remaining ?? 0),
  );
}

/** Served requests lower Remaining, once there are more of them than any refill could explain. */
function* judgeCounting(series: readonly Count[], own: readonly Step[]): Generator<Finding> {
  const served = series.filter(isServed);
  const [first, last] = [served[0], served.at(-1)];
  if (first === undefined || last === undefined || served.length < 5) return;
  const id = requirementId.rateLimit('remaining-counts');
  const drops = hasDrop(served);
  const stretches = drops ? listStretches(series) : [served];
  const least = drops ? certainStanding : 0;
  const fault = stretches.find(
    (stretch) =>
      stretch.length >= least &&
      // What is served though nothing is left fails `exceeded`.
      !(drops && stretch[0]?.remaining === 0) &&
      refillWithin(stretch, own) < stretch.length - 1,
  );
  const [begun, ended] = [fault?.[0], fault?.at(-1)];
  if (fault !== undefined && begun !== undefined && ended !== undefined) {
    const expected = `${begun.policy.headers.remaining} below ${begun.remaining} after ${fault.length} served requests in one window`;
    const { index } = ended.reading.exchange;
    const others = [begun.reading.index];
    yield failed(id, index, expected, String(ended.remaining), others);
    return;
  }
  if (!drops) return;
  const again = stretches.find(({ length }) => length > longestStanding)?.[longestStanding];
  if (again === undefined) return yield passed(id, last.reading.index);
  const reason = `Remaining ${again.remaining} again, after ${longestStanding} served requests`;
  yield unclear(id, again.reading.index, reason);
}

/** Requests by which a count may lag behind, as one that several servers share, or a cache. */
const longestStanding = 8;

/**
 * Served requests in a row after which an unchanged Remaining is none that lags. Which requests count
 * is open, but some of so many do that keep the contract and were served.
 */
const certainStanding = 20;

/** Served requests in a row that show the same Remaining. */
function listStretches(series: readonly Count[]): readonly (readonly Count[])[] {
  const stretches: Count[][] = [];
  let remaining: number | undefined;
  for (const count of series) {
    if (count.remaining !== remaining) stretches.push([]);
    remaining = count.remaining;
    if (isServed(count)) stretches.at(-1)?.push(count);
  }
  return stretches;
}

/**
 * One small rise may be a count that several servers share; many are a count that goes up, and a
 * large one that lasts is a count that was lost.
 */
function* judgeFalling(series: readonly Count[], own: readonly Step[]): Generator<Finding> {
  const rises = listRises(series);
  const last = series.at(-1);
  const id = requirementId.rateLimit('remaining-monotonic');
  const [first] = rises;
  if (first === undefined) {
    if (last !== undefined && series.length > 1) yield passed(id, last.reading.index);
    return;
  }
  const sum = rises.reduce((all, { by }) => all + by, 0);
  const isFrequent = rises.length * 4 >= series.length - 1;
  const isMany = rises.length >= 3 && (isFrequent || sum > refillWithin(series, own) + 1);
  const { before, rise } = (isMany ? first : rises.find((each) => isLost(each, own))) ?? {};
  if (rise !== undefined && before !== undefined) {
    const expected = `at most ${before.remaining}, as before in the same window`;
    const earlier = before.reading.index;
    yield failed(id, rise.reading.index, expected, String(rise.remaining), [earlier]);
    return;
  }
  const seen = `Remaining rose from ${first.before.remaining} in request ${first.before.reading.index + 1} to ${first.rise.remaining} in the same window`;
  const reason = `${seen}; too few increases to prove that the count goes up`;
  yield unclear(id, first.rise.reading.index, reason);
}

interface Rise {
  readonly before: Count;
  readonly rise: Count;
  /** The response that follows in the same window; undefined where none does. */
  readonly next: Count | undefined;
  readonly by: number;
}

function listRises(series: readonly Count[]): readonly Rise[] {
  return series.flatMap((rise, place) => {
    const before = series[place - 1];
    const by = before === undefined ? 0 : rise.remaining - before.remaining;
    return before === undefined || by <= 0 ? [] : [{ before, rise, by, next: series[place + 1] }];
  });
}

/** More came back at once than a count lags behind or gives back, and the next response has it, too. */
function isLost({ before, rise, next, by }: Rise, own: readonly Step[]): boolean {
  if (next === undefined || !isBeforeEnd(rise) || !isBeforeEnd(next)) return false;
  const most = refillWithin([before, rise], own) + longestStanding;
  return by > most && next.remaining - before.remaining > most;
}

/**
 * The exchanges whose repetition settles what too few of them leave unclear: those around a rise, or
 * one that was served where Remaining did not move.
 */
export function listUnsettled(own: readonly Step[]): readonly number[] {
  const counts = listCounts(own);
  if (isSliding(counts)) return [];
  for (const series of listSeries(counts)) {
    const [rise] = listRises(series);
    if (
      rise &&
      isUnclear(requirementId.rateLimit('remaining-monotonic'), judgeFalling(series, own))
    )
      return [rise.before.reading.index, rise.rise.reading.index];
    const counting = judgeCounting(series, own);
    const last = series.findLast(isServed)?.reading.index;
    if (last !== undefined && isUnclear(requirementId.rateLimit('remaining-counts'), counting))
      return [last];
  }
  return [];
}

function isUnclear(id: string, findings: Iterable<Finding>): boolean {
  return [...findings].some((each) => each.kind === 'unclear' && each.requirement === id);
}
