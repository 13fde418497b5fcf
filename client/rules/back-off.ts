import { type Entry, type Evidence, entriesByKey, knows, nameSeconds } from './evidence.ts';
import { type RuleFinding, failed, notTested } from './rule.ts';
import { limits } from './limits.ts';

/** Waits after one refusal for the limit and another, with no other response in between. */
interface Series {
  readonly waits: readonly number[];
  /** The refusals, and the request after the last of them. */
  readonly exchanges: readonly number[];
}

/** Repeated refusals make waits grow: in one series at least, as jitter may hide it in another. */
export function* judgeBackOff(evidence: Evidence): Generator<RuleFinding> {
  const { rateLimit } = evidence.contract;
  if (rateLimit === undefined) return;
  const rule = 'client/rate-limit.back-off';
  if (evidence.facts.isClockStill)
    return yield notTested(rule, 'the clock of the sandbox is frozen');
  const longest = (rateLimit.windows[0]?.seconds ?? 60) * 1000;
  const series = entriesByKey(evidence)
    .flatMap((entries) => listSeries(entries, rateLimit.status))
    .filter(({ waits }) => waits.length >= limits.waits);
  const grown = series.filter(
    ({ waits }) => isGrowing(waits) || waits.every((wait) => wait >= longest),
  );
  for (const { exchanges } of grown)
    yield { kind: 'passed', rule, exchange: exchanges.at(-1) ?? 0 };
  if (grown.length > 0) return;
  for (const { waits, exchanges } of series) {
    const expected = `waits that grow from one ${rateLimit.status} to the next`;
    const received = `waits of ${waits.map(nameSeconds).join(', ')}`;
    yield failed(rule, exchanges.at(-1) ?? 0, exchanges.slice(0, -1), { expected, received });
  }
}

function listSeries(entries: readonly Entry[], status: number): readonly Series[] {
  const all: Series[] = [];
  let last: Entry | undefined;
  let [waits, exchanges]: [number[], number[]] = [[], []];
  for (const entry of entries) {
    const isRefused = entry.response?.status === status;
    const isNext = last !== undefined && knows(entry, last);
    if (last !== undefined && isNext) {
      waits.push(entry.exchange.sentAt - last.exchange.endedAt);
      exchanges.push(last.index);
    }
    if (isRefused) last = entry;
    else if (isNext) {
      all.push({ waits, exchanges: [...exchanges, entry.index] });
      [last, waits, exchanges] = [undefined, [], []];
    }
  }
  return last === undefined ? all : [...all, { waits, exchanges: [...exchanges, last.index] }];
}

/** Whether some wait is clearly longer than one before it. */
function isGrowing(waits: readonly number[]): boolean {
  return waits.some((wait, at) =>
    waits
      .slice(0, at)
      .some((before) => wait >= before * limits.growth && wait - before >= limits.growthLeast),
  );
}
