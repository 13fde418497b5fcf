import { type ReceivedResponse, headerOf } from '../../conformance/index.ts';
import {
  type Entry,
  type Evidence,
  entriesByKey,
  knows,
  nameRequest,
  nameSeconds,
} from './evidence.ts';
import { type RuleFinding, type RuleId, failed } from './rule.ts';
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
  const { status, headers } = rateLimit;
  if (evidence.facts.isClockStill)
    return yield* waitRules.map((rule): RuleFinding => ({
      kind: 'not-tested',
      rule,
      reason: 'the clock of the sandbox stands still',
    }));
  const readRefusal = (entry: Entry): Wait | undefined =>
    entry.response?.status === status ? readRetryAfter(entry, headers.retryAfter) : undefined;
  for (const entries of entriesByKey(evidence)) {
    for (const [at, entry] of entries.entries()) {
      if (entry.response?.status === status) {
        const wait = readRefusal(entry);
        if (wait)
          yield* judgeWait(
            findNext(entry, entries.slice(at + 1), readRefusal),
            wait,
            `client/rate-limit.retry-after-${wait.form}`,
            `${headers.retryAfter}: ${headerOf(entry.response, headers.retryAfter) ?? ''}`,
          );
        continue;
      }
      const wait =
        entry.response && headerOf(entry.response, headers.remaining) === '0'
          ? readReset(entry, headers.reset)
          : undefined;
      if (wait)
        yield* judgeWait(
          findNext(entry, entries.slice(at + 1), readRefusal),
          wait,
          'client/rate-limit.remaining',
          `${headers.remaining}: 0`,
        );
    }
  }
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
  readRefusal: (entry: Entry) => Wait | undefined,
): Pair | undefined {
  const at = later.findIndex(
    (entry) => knows(entry, from) || entry.exchange.sentAt < from.exchange.sentAt,
  );
  const next = later[at];
  if (next === undefined || !knows(next, from)) return undefined;
  return {
    from,
    next,
    newer: later
      .slice(0, at)
      .flatMap((entry) => (knows(next, entry) ? (readRefusal(entry) ?? []) : [])),
  };
}

/** A client that keeps to what it was told last is right, also where that is over sooner. */
function* judgeWait(
  pair: Pair | undefined,
  wait: Wait,
  rule: RuleId,
  told: string,
): Generator<RuleFinding> {
  if (pair === undefined) return;
  const { from, next, newer } = pair;
  if (isOver(wait, next)) {
    yield { kind: 'passed', rule, exchange: next.index };
    return;
  }
  if (newer.some((other) => isOver(other, next))) {
    yield {
      kind: 'not-tested',
      rule,
      reason: 'the client kept to a wait that it was told later, and that was over sooner',
    };
    return;
  }
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
export function readRetryAfter({ response, exchange }: Entry, name: string): Wait | undefined {
  const text = response && headerOf(response, name);
  if (response === undefined || text === undefined) return undefined;
  if (/^\d+$/.test(text)) return { form: 'seconds', until: exchange.endedAt + Number(text) * 1000 };
  const date = readDate(text);
  return date === undefined
    ? undefined
    : { form: 'date', until: lawfulEnd(date, response, exchange.endedAt) };
}

/** The wait until a reset in seconds since 1970; undefined where none is told. */
function readReset({ response, exchange }: Entry, name: string): Wait | undefined {
  const text = response && headerOf(response, name);
  if (response === undefined || text === undefined || !/^\d+$/.test(text)) return undefined;
  return { form: 'date', until: lawfulEnd(Number(text) * 1000, response, exchange.endedAt) };
}

/** A client may go by the `Date` of responses or its own clock: the earlier end is lawful. */
function lawfulEnd(instant: number, response: ReceivedResponse, endedAt: number): number {
  const date = readDate(headerOf(response, 'date') ?? '');
  return date === undefined ? instant : Math.min(instant, endedAt + Math.max(0, instant - date));
}

/** An IMF-fixdate (RFC 9110 section 5.6.7). */
function readDate(text: string): number | undefined {
  const isDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(text);
  const instant = isDate ? Date.parse(text) : Number.NaN;
  return Number.isNaN(instant) ? undefined : instant;
}
