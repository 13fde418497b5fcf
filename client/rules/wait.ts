import { headerOf } from '../../conformance/index.ts';
import type { RateLimitPolicy } from '../../contract/index.ts';
import {
  type Entry,
  type Evidence,
  entriesByKey,
  knows,
  nameRequest,
  nameSeconds,
} from './evidence.ts';
import { type RuleFinding, type RuleId, failed, notTested } from './rule.ts';
import { limits } from './limits.ts';

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
    return yield* waitRules.map((rule) => notTested(rule, 'the clock of the sandbox stands still'));
  for (const entries of entriesByKey(evidence))
    for (const [at, entry] of entries.entries()) {
      const demand = readDemand(entry, rateLimit);
      if (demand) yield* judgeWait(demand, findNext(entry, entries.slice(at + 1), rateLimit));
    }
}

/** What a response has the client wait for. */
interface Demand {
  readonly rule: RuleId;
  readonly wait: Wait;
  /** The header that says so. */
  readonly told: string;
}

function readDemand(entry: Entry, { status, headers }: RateLimitPolicy): Demand | undefined {
  if (entry.response?.status === status) {
    const wait = readRetryAfter(entry, headers.retryAfter);
    const told = `${headers.retryAfter}: ${headerIn(entry, headers.retryAfter)}`;
    return wait && { rule: `client/rate-limit.retry-after-${wait.form}`, wait, told };
  }
  const isSpent = headerIn(entry, headers.remaining) === '0';
  const wait = isSpent ? readReset(entry, headers.reset) : undefined;
  return wait && { rule: 'client/rate-limit.remaining', wait, told: `${headers.remaining}: 0` };
}

/** A response, and the first request that the client sent when it knew it. */
interface Pair {
  readonly from: Entry;
  readonly next: Entry;
  /** What refusals said that the client got in between, to requests that were on their way. */
  readonly newer: readonly Wait[];
}

/** Where the clock was set back before that request, no time tells how long the client waited. */
function findNext(
  from: Entry,
  later: readonly Entry[],
  { status, headers }: RateLimitPolicy,
): Pair | undefined {
  const at = later.findIndex(
    (entry) => knows(entry, from) || entry.exchange.sentAt < from.exchange.sentAt,
  );
  const next = later[at];
  if (next === undefined || !knows(next, from)) return undefined;
  const newer = later
    .slice(0, at)
    .filter((entry) => entry.response?.status === status && knows(next, entry))
    .flatMap((entry) => readRetryAfter(entry, headers.retryAfter) ?? []);
  return { from, next, newer };
}

/** A client that keeps to what it was told last is right, also where that is over sooner. */
function* judgeWait({ rule, wait, told }: Demand, pair: Pair | undefined): Generator<RuleFinding> {
  if (pair === undefined) return;
  const { from, next, newer } = pair;
  if (isOver(wait, next)) return yield { kind: 'passed', rule, exchange: next.index };
  if (newer.some((other) => isOver(other, next)))
    return yield notTested(
      rule,
      'the client kept to a wait that it was told later, and that was over sooner',
    );
  const { endedAt } = from.exchange;
  const expected = `no request with the key for ${nameSeconds(wait.until - endedAt)} after ${told}`;
  const received = `${nameRequest(next)} ${nameSeconds(next.exchange.sentAt - endedAt)} after it`;
  yield failed(rule, next.index, [from.index], { expected, received });
}

function isOver({ form, until }: Wait, { exchange }: Entry): boolean {
  return until - exchange.sentAt <= (form === 'seconds' ? limits.early : limits.earlyDate);
}

interface Wait {
  readonly form: 'seconds' | 'date';
  /** The instant at which it is over, milliseconds since 1970, by the clock of the sandbox. */
  readonly until: number;
}

/** The wait of `Retry-After` (RFC 9110 section 10.2.3); undefined if neither seconds nor date. */
export function readRetryAfter(entry: Entry, name: string): Wait | undefined {
  const text = headerIn(entry, name);
  if (!/^\d+$/.test(text)) return waitUntil(readDate(text), entry);
  return { form: 'seconds', until: entry.exchange.endedAt + Number(text) * 1000 };
}

/** The wait until a reset in seconds since 1970; undefined where none is told. */
function readReset(entry: Entry, name: string): Wait | undefined {
  const text = headerIn(entry, name);
  return waitUntil(/^\d+$/.test(text) ? Number(text) * 1000 : undefined, entry);
}

/** A client may go by the `Date` of responses or its own clock: the earlier end is lawful. */
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
