import { headerOf } from '../conformance/index.ts';
import type { RateLimitPolicy } from '../contract/openapi/rate-limit.ts';
import {
  type Entry,
  type Evidence,
  entriesByKey,
  knowledgeOf,
  knows,
  nameRequest,
  nameSeconds,
} from './evidence.ts';
import {
  type RuleFinding,
  type RuleId,
  doubtful,
  failed,
  limits,
  notTested,
  passed,
} from './rule.ts';

const waitRules = [
  'client/rate-limit.retry-after-seconds',
  'client/rate-limit.retry-after-date',
  'client/rate-limit.remaining',
] as const;

/** The client waits as `Retry-After` says, and until Reset when nothing remains. */
export function* judgeWaits(evidence: Evidence): Generator<RuleFinding> {
  const { rateLimit } = evidence.contract;
  if (rateLimit === undefined) return;
  if (evidence.facts.isClockStill)
    return yield* waitRules.map((rule) => notTested(rule, 'the clock of the sandbox is frozen'));
  for (const entries of entriesByKey(evidence))
    for (const [at, entry] of entries.entries()) {
      const demand = readDemand(entry, rateLimit);
      if (demand) yield* judgeWait(demand, entry, entries.slice(at + 1), evidence);
    }
}

/** What a response has the client wait for. */
interface Demand {
  readonly rule: RuleId;
  readonly wait: Wait;
  /** The header that says so. */
  readonly announced: string;
}

function readDemand(entry: Entry, { status, headers }: RateLimitPolicy): Demand | undefined {
  if (entry.response?.status === status) {
    const wait = readRetryAfter(entry, headers.retryAfter);
    const announced = `${headers.retryAfter}: ${headerIn(entry, headers.retryAfter)}`;
    return wait && { rule: `client/rate-limit.retry-after-${wait.form}`, wait, announced };
  }
  if (headerIn(entry, headers.remaining) !== '0') return undefined;
  const reset = headerIn(entry, headers.reset);
  const wait = waitUntil(/^\d+$/.test(reset) ? Number(reset) * 1000 : undefined, entry);
  return (
    wait && { rule: 'client/rate-limit.remaining', wait, announced: `${headers.remaining}: 0` }
  );
}

/**
 * Judges what a client sent after a response. One that follows the last announcement is right, also
 * where that is over sooner; one that gives up has sent nothing before its time. Where the clock was set
 * back before its next request, the time that the client waited is unknown.
 */
function* judgeWait(
  { rule, wait, announced }: Demand,
  from: Entry,
  later: readonly Entry[],
  { contract: { rateLimit }, facts }: Evidence,
): Generator<RuleFinding> {
  const { sentAt, endedAt } = from.exchange;
  const at = later.findIndex((entry) => knows(entry, from) || entry.exchange.sentAt < sentAt);
  const found = later[at];
  const next = found !== undefined && knows(found, from) ? found : undefined;
  const between = later.slice(0, at === -1 ? undefined : at);
  const early = between.find(
    (entry) => knowledgeOf(entry, from) === 'doubtful' && !isOver(wait, entry),
  );
  if (early !== undefined) yield doubtful(rule, early.index, from.index);
  if (next === undefined) {
    const end = facts.scenarios.find(({ id }) => id === from.intent.scenario)?.end;
    if (at === -1 && end !== undefined && end.kind !== 'aborted') yield passed(rule, from.index);
    return;
  }
  if (isOver(wait, next)) return yield passed(rule, next.index);
  // What refusals said that it got before that, to requests that were on their way.
  const newer = between
    .filter((entry) => entry.response?.status === rateLimit?.status && knows(next, entry))
    .flatMap((entry) => readRetryAfter(entry, rateLimit?.headers.retryAfter ?? '') ?? []);
  if (newer.some((other) => isOver(other, next)))
    return yield notTested(rule, 'the client respected a later, shorter wait');
  const expected = `no request with the key for ${nameSeconds(wait.until - endedAt)} after ${announced}`;
  const received = `${nameRequest(next)} ${nameSeconds(next.exchange.sentAt - endedAt)} after it`;
  yield failed(rule, next.index, [from.index], expected, received);
}

interface Wait {
  readonly form: 'seconds' | 'date';
  /** The instant at which it is over, milliseconds since 1970, by the clock of the sandbox. */
  readonly until: number;
}

function isOver({ form, until }: Wait, { exchange }: Entry): boolean {
  return until - exchange.sentAt <= (form === 'seconds' ? limits.early : limits.earlyDate);
}

/** The wait of `Retry-After` (RFC 9110 section 10.2.3); undefined if neither seconds nor date. */
function readRetryAfter(entry: Entry, name: string): Wait | undefined {
  const text = headerIn(entry, name);
  if (!/^\d+$/.test(text)) return waitUntil(readDate(text), entry);
  return { form: 'seconds', until: entry.exchange.endedAt + Number(text) * 1000 };
}

/** A client may go by the `Date` of responses or its own clock: the earlier end is valid. */
function waitUntil(instant: number | undefined, entry: Entry): Wait | undefined {
  if (instant === undefined) return undefined;
  const date = readDate(headerIn(entry, 'date')) ?? entry.exchange.endedAt;
  const until = Math.min(instant, entry.exchange.endedAt + Math.max(0, instant - date));
  return { form: 'date', until };
}

/** The text of a header; empty where there is none. */
function headerIn({ response }: Entry, name: string): string {
  return (response && headerOf(response, name)) ?? '';
}

/** An IMF-fixdate (RFC 9110 section 5.6.7). */
function readDate(text: string): number | undefined {
  const isDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(text);
  const instant = isDate ? Date.parse(text) : Number.NaN;
  return Number.isNaN(instant) ? undefined : instant;
}

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
  for (const { exchanges } of grown) yield passed(rule, exchanges.at(-1) ?? 0);
  if (grown.length > 0) return;
  for (const { waits, exchanges } of series) {
    const expected = `waits that grow from one ${rateLimit.status} to the next`;
    const received = `waits of ${waits.map(nameSeconds).join(', ')}`;
    yield failed(rule, exchanges.at(-1) ?? 0, exchanges.slice(0, -1), expected, received);
  }
}

function listSeries(entries: readonly Entry[], status: number): readonly Series[] {
  const all: Series[] = [];
  let last: Entry | undefined;
  let [waits, exchanges]: [number[], number[]] = [[], []];
  for (const entry of entries) {
    const isNext = last !== undefined && knows(entry, last);
    if (last !== undefined && isNext) {
      waits.push(entry.exchange.sentAt - last.exchange.endedAt);
      exchanges.push(last.index);
    }
    if (entry.response?.status === status) last = entry;
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

/** A ban is the client's doing where it went on though it knew that it had to wait. */
export function* judgeBan(evidence: Evidence): Generator<RuleFinding> {
  const rule = 'client/rate-limit.ban';
  const { rateLimit } = evidence.contract;
  if (rateLimit === undefined || !rateLimit.bans) return;
  for (const entries of entriesByKey(evidence)) {
    const refused = entries.filter(({ response }) => response?.status === rateLimit.status);
    const last = refused.at(-1);
    if (last === undefined) continue;
    for (const [index, ban] of refused.entries()) {
      if (!isBanned(ban) || isBanned(refused[index - 1])) continue;
      // Refusals whose wait was not over when the ban came; without a wait that can be read, too.
      const pending = refused.slice(0, index).filter((entry) => {
        const wait = readRetryAfter(entry, rateLimit.headers.retryAfter);
        return !isBanned(entry) && (wait === undefined || ban.exchange.sentAt < wait.until);
      });
      const first = pending.find((entry) => knows(ban, entry));
      const unclear = pending.find((entry) => knowledgeOf(ban, entry) === 'doubtful');
      if (first !== undefined) {
        const expected = `no request with the key after a ${rateLimit.status} until the wait is over`;
        const received = `${pending.length} ${pending.length === 1 ? 'request' : 'requests'} that got ${rateLimit.status} within ${nameSeconds(ban.exchange.sentAt - first.exchange.sentAt)}, then a ban`;
        yield failed(rule, ban.index, [first.index], expected, received);
      } else if (unclear !== undefined) yield doubtful(rule, ban.index, unclear.index);
    }
    yield passed(rule, last.index);
  }
}

function isBanned(entry: Entry | undefined): boolean {
  return entry?.intent.refusal?.reason === 'banned';
}
