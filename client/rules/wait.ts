import { headerOf } from '../../conformance/index.ts';
import type { RateLimitPolicy } from '../../contract/openapi/rate-limit.ts';
import {
  type Entry,
  type Evidence,
  entriesByKey,
  knowledgeOf,
  knows,
  nameRequest,
  nameSeconds,
} from './evidence.ts';
import { type RuleFinding, type RuleId, doubtful, failed, notTested } from './rule.ts';
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
    return yield* waitRules.map((rule) => notTested(rule, 'the clock of the sandbox is frozen'));
  for (const entries of entriesByKey(evidence))
    for (const [at, entry] of entries.entries()) {
      const demand = readDemand(entry, rateLimit);
      if (demand) yield* judgeWait(demand, readSequel(entry, entries.slice(at + 1), evidence));
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
  const isSpent = headerIn(entry, headers.remaining) === '0';
  const wait = isSpent ? readReset(entry, headers.reset) : undefined;
  return (
    wait && { rule: 'client/rate-limit.remaining', wait, announced: `${headers.remaining}: 0` }
  );
}

/** What a client sent after a response. */
interface Sequel {
  readonly from: Entry;
  /** The first request that it sent when it knew the response. */
  readonly next: Entry | undefined;
  /** What refusals said that it got before that, to requests that were on their way. */
  readonly newer: readonly Wait[];
  /** Requests before that of which nobody can say whether it knew the response. */
  readonly doubtful: readonly Entry[];
  /** It came to its end without a further request. */
  readonly isEnd: boolean;
}

/** Where the clock was set back before that request, the time that the client waited is unknown. */
function readSequel(from: Entry, later: readonly Entry[], { contract, facts }: Evidence): Sequel {
  const { status = 429, headers } = contract.rateLimit ?? {};
  const at = later.findIndex(
    (entry) => knows(entry, from) || entry.exchange.sentAt < from.exchange.sentAt,
  );
  const found = later[at];
  const next = found !== undefined && knows(found, from) ? found : undefined;
  const between = later.slice(0, at === -1 ? undefined : at);
  const newer = between
    .filter(
      (entry) => entry.response?.status === status && next !== undefined && knows(next, entry),
    )
    .flatMap((entry) => readRetryAfter(entry, headers?.retryAfter ?? '') ?? []);
  const doubtfulOnes = between.filter((entry) => knowledgeOf(entry, from) === 'doubtful');
  const end = facts.scenarios.find(({ id }) => id === from.intent.scenario)?.end;
  const isEnd = at === -1 && end !== undefined && end.kind !== 'aborted';
  return { from, next, newer, doubtful: doubtfulOnes, isEnd };
}

/**
 * A client that follows the last announcement is right, also where that is over sooner. One that
 * gives up has sent nothing before its time.
 */
function* judgeWait({ rule, wait, announced }: Demand, sequel: Sequel): Generator<RuleFinding> {
  const { from, next, newer } = sequel;
  const [early] = sequel.doubtful.filter((entry) => !isOver(wait, entry));
  if (early !== undefined) yield doubtful(rule, early.index, [from.index]);
  if (next === undefined) {
    if (sequel.isEnd) yield { kind: 'passed', rule, exchange: from.index };
    return;
  }
  if (isOver(wait, next)) return yield { kind: 'passed', rule, exchange: next.index };
  if (newer.some((other) => isOver(other, next)))
    return yield notTested(rule, 'the client respected a later, shorter wait');
  const { endedAt } = from.exchange;
  const expected = `no request with the key for ${nameSeconds(wait.until - endedAt)} after ${announced}`;
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

/** The wait until a reset in seconds since 1970; undefined if none is announced. */
function readReset(entry: Entry, name: string): Wait | undefined {
  const text = headerIn(entry, name);
  return waitUntil(/^\d+$/.test(text) ? Number(text) * 1000 : undefined, entry);
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
