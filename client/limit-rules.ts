import { headerOf } from '../conformance/index.ts';
import type { Contract } from '../contract/contract.ts';
import type { RateLimitPolicy } from '../contract/openapi/rate-limit.ts';
import {
  type Entry,
  type Evidence,
  entriesByKey,
  knowledgeOf,
  knows,
  limits,
  nameRequest,
  nameSeconds,
} from './evidence.ts';
import {
  type RuleDraft,
  type RuleFinding,
  doubtful,
  failed,
  findResponse,
  notTested,
  passed,
} from './rule.ts';

/** Rules about the rate limit. */
export function* rateLimitRules(contract: Contract): Generator<RuleDraft> {
  const { operations, rateLimit } = contract;
  if (rateLimit === undefined) return;
  const { status, headers, pointer, bans } = rateLimit;
  const of = { family: 'rate-limit', level: 'must' } as const;
  const refusal = findResponse(contract, `${status}`);
  const header = refusal?.headers.find(
    ({ name }) => name.toLowerCase() === headers.retryAfter.toLowerCase(),
  );
  const shown = operations
    .flatMap(({ responses }) => responses)
    .flatMap((response) => response.headers)
    .find(({ name }) => name.toLowerCase() === headers.remaining.toLowerCase());
  const wait = { ...of, pointer: header?.pointer ?? refusal?.pointer ?? pointer };
  const waiting = `send any request, for which scenarios return ${status}, and wait before the next or give up`;
  const early = `A request with that key, more than ${limits.early} ms before the wait is over, and sent in one of three ways: on the connection of the ${status}; on a connection opened after that one was closed, by a client without parallel requests; or more than ${limits.onTheWay} ms after the ${status} (${limits.onTheWayAgain} ms for the same request). The first request on a connection opened before the ${status} is allowed. A request that only the tolerance excuses is not tested. A client that gives up counts as waiting.`;
  yield {
    ...wait,
    id: 'client/rate-limit.retry-after-seconds',
    sentence: `After a ${status} with seconds in ${headers.retryAfter} the client sends nothing with that key until they have passed.`,
    measure: early,
    unreached: `no request followed a ${status} with seconds in ${headers.retryAfter}`,
    needs: waiting,
    judge: judgeWaits('seconds', rateLimit),
  };
  if (header?.schema === undefined || header.schema.shape().types.includes('string')) {
    yield {
      ...wait,
      id: 'client/rate-limit.retry-after-date',
      sentence: `After a ${status} with a date in ${headers.retryAfter} the client sends nothing with that key until then.`,
      measure: `As with seconds, but more than ${limits.earlyDate} ms too early. The client may take the time from the Date of the response.`,
      unreached: `no request followed a ${status} with a date in ${headers.retryAfter}`,
      needs: waiting,
      judge: judgeWaits('date', rateLimit),
    };
  }
  yield {
    ...of,
    id: 'client/rate-limit.back-off',
    level: 'should',
    pointer: refusal?.pointer ?? pointer,
    sentence: `A client that gets repeated ${status}s increases its waits exponentially.`,
    measure: `Series of ${limits.waits} or more waits, each after a ${status} and with no other response between, none with a wait ${limits.growth} times as long and ${limits.growthLeast} ms longer than one before it. Waits of a whole window (${rateLimit.windows[0]?.seconds ?? 60} s) need not grow. A recommendation, because a client only has to wait as long as ${headers.retryAfter} says.`,
    unreached: `no ${limits.waits} waits in a row followed a ${status} each`,
    needs: `try again after each of ${limits.waits} ${status}s in a row`,
    judge: (evidence) => judgeBackOff(evidence, rateLimit),
    exemption: {
      client: `a client that gives up at a ${status}`,
      scenario: 'repeated-429',
      isExempt: (evidence) => givesUp(evidence, status),
    },
  };
  if (bans)
    yield {
      ...of,
      id: 'client/rate-limit.ban',
      pointer: `${pointer}/ban`,
      sentence: `The client does not continue after a ${status} until its key is banned.`,
      measure: `A request that a ban refuses, sent before the end of the wait of a ${status} that the client knew. Any other ban is not the client's fault.`,
      unreached: `the client got no ${status}`,
      needs: `send any request, for which scenarios return ${status}`,
      judge: (evidence) => judgeBan(evidence, rateLimit),
    };
  yield {
    ...of,
    id: 'client/rate-limit.remaining',
    level: 'should',
    pointer: shown?.pointer ?? pointer,
    sentence: `When ${headers.remaining} is 0 the client sends nothing with that key until ${headers.reset}.`,
    measure: `A request after a response other than ${status} with 0, more than ${limits.earlyDate} ms before the time that it named. Excused as with ${headers.retryAfter}; the client may take the time from the Date of the response. A recommendation, because the document does not say what a client must do at 0.`,
    unreached: `no request followed a response with ${headers.remaining} 0`,
    needs: `send any request, for which \`nothing-remaining\` returns 0, and wait before the next or end`,
    judge: judgeWaits('remaining', rateLimit),
  };
}

function judgeWaits(kind: Demand['kind'], policy: RateLimitPolicy): RuleDraft['judge'] {
  return function* (evidence) {
    if (evidence.facts.isClockStill) return yield clockStill;
    for (const entries of entriesByKey(evidence))
      for (const [at, entry] of entries.entries()) {
        const demand = readDemand(entry, policy);
        if (demand?.kind === kind)
          yield* judgeWait(demand, entry, entries.slice(at + 1), evidence, policy);
      }
  };
}

const clockStill = notTested('the clock of the sandbox is frozen');

/** How long a response asks the client to wait. */
interface Demand {
  readonly kind: Wait['form'] | 'remaining';
  readonly wait: Wait;
  /** The header that asks for it. */
  readonly announced: string;
}

function readDemand(entry: Entry, { status, headers }: RateLimitPolicy): Demand | undefined {
  if (entry.response?.status === status) {
    const wait = readRetryAfter(entry, headers.retryAfter);
    const announced = `${headers.retryAfter}: ${headerIn(entry, headers.retryAfter)}`;
    return wait && { kind: wait.form, wait, announced };
  }
  if (headerIn(entry, headers.remaining) !== '0') return undefined;
  const reset = headerIn(entry, headers.reset);
  const wait = waitUntil(/^\d+$/.test(reset) ? Number(reset) * 1000 : undefined, entry);
  return wait && { kind: 'remaining', wait, announced: `${headers.remaining}: 0` };
}

/**
 * Judges the next request after a response. It may follow the latest announcement, even if that
 * ends sooner; a client that gives up sends nothing too early. If the clock was set back before the
 * next request, the length of the wait is unknown.
 */
function* judgeWait(
  { wait, announced }: Demand,
  from: Entry,
  later: readonly Entry[],
  { facts }: Evidence,
  { status, headers }: RateLimitPolicy,
): Generator<RuleFinding> {
  const { sentAt, endedAt } = from.exchange;
  const at = later.findIndex((entry) => knows(entry, from) || entry.exchange.sentAt < sentAt);
  const found = later[at];
  const next = found !== undefined && knows(found, from) ? found : undefined;
  const between = later.slice(0, at === -1 ? undefined : at);
  const early = between.find(
    (entry) => knowledgeOf(entry, from) === 'doubtful' && !isOver(wait, entry),
  );
  if (early !== undefined) yield doubtful(early.index, from.index);
  if (next === undefined) {
    const end = facts.scenarios.find(({ id }) => id === from.intent.scenario)?.end;
    if (at === -1 && end !== undefined && end.kind !== 'aborted') yield passed(from.index);
    return;
  }
  if (isOver(wait, next)) return yield passed(next.index);
  // The waits that the client got before that, in refusals of concurrent requests.
  const newer = between
    .filter((entry) => entry.response?.status === status && knows(next, entry))
    .flatMap((entry) => readRetryAfter(entry, headers.retryAfter) ?? []);
  if (newer.some((other) => isOver(other, next)))
    return yield notTested('the client respected a later, shorter wait');
  const expected = `no request with the key for ${nameSeconds(wait.until - endedAt)} after ${announced}`;
  const received = `${nameRequest(next)} ${nameSeconds(next.exchange.sentAt - endedAt)} after it`;
  yield failed(next.index, [from.index], expected, received);
}

interface Wait {
  readonly form: 'seconds' | 'date';
  /** End of the wait, in milliseconds since 1970, by the clock of the sandbox. */
  readonly until: number;
}

function isOver({ form, until }: Wait, { exchange }: Entry): boolean {
  return until - exchange.sentAt <= (form === 'seconds' ? limits.early : limits.earlyDate);
}

/**
 * The wait of `Retry-After` (RFC 9110 section 10.2.3); undefined if it is neither seconds nor a
 * date.
 */
function readRetryAfter(entry: Entry, name: string): Wait | undefined {
  const text = headerIn(entry, name);
  if (!/^\d+$/.test(text)) return waitUntil(readDate(text), entry);
  return { form: 'seconds', until: entry.exchange.endedAt + Number(text) * 1000 };
}

/** A client may use the `Date` of responses or its own clock: the earlier end is valid. */
function waitUntil(instant: number | undefined, entry: Entry): Wait | undefined {
  if (instant === undefined) return undefined;
  const date = readDate(headerIn(entry, 'date')) ?? entry.exchange.endedAt;
  const until = Math.min(instant, entry.exchange.endedAt + Math.max(0, instant - date));
  return { form: 'date', until };
}

function headerIn({ response }: Entry, name: string): string {
  return (response && headerOf(response, name)) ?? '';
}

/** An IMF-fixdate (RFC 9110 section 5.6.7). */
function readDate(text: string): number | undefined {
  const isDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(text);
  const instant = isDate ? Date.parse(text) : Number.NaN;
  return Number.isNaN(instant) ? undefined : instant;
}

/** Waits between consecutive refusals by the limit, with no other response in between. */
interface Series {
  readonly waits: readonly number[];
  /** The refusals, and the request after the last of them. */
  readonly exchanges: readonly number[];
}

/** Waits must grow in at least one series, because jitter may hide it in another. */
function* judgeBackOff(
  evidence: Evidence,
  { status, windows }: RateLimitPolicy,
): Generator<RuleFinding> {
  if (evidence.facts.isClockStill) return yield clockStill;
  const longest = (windows[0]?.seconds ?? 60) * 1000;
  const series = entriesByKey(evidence)
    .flatMap((entries) => listSeries(entries, status))
    .filter(({ waits }) => waits.length >= limits.waits);
  const grown = series.filter(
    ({ waits }) => isGrowing(waits) || waits.every((wait) => wait >= longest),
  );
  for (const { exchanges } of grown) yield passed(exchanges.at(-1) ?? 0);
  if (grown.length > 0) return;
  for (const { waits, exchanges } of series) {
    const expected = `waits that grow from one ${status} to the next`;
    const received = `waits of ${waits.map(nameSeconds).join(', ')}`;
    yield failed(exchanges.at(-1) ?? 0, exchanges.slice(0, -1), expected, received);
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

function isGrowing(waits: readonly number[]): boolean {
  return waits.some((wait, at) =>
    waits
      .slice(0, at)
      .some((before) => wait >= before * limits.growth && wait - before >= limits.growthLeast),
  );
}

/** Whether the client sends nothing more with the key after a refusal. */
function givesUp(evidence: Evidence, status: number): boolean {
  return entriesByKey(evidence).every((entries) =>
    entries.every(
      (entry, at) =>
        entry.response?.status !== status ||
        entries.slice(at + 1).every((later) => !knows(later, entry)),
    ),
  );
}

/** A ban is the client's fault if it continued although it knew that it had to wait. */
function* judgeBan(
  evidence: Evidence,
  { status, headers }: RateLimitPolicy,
): Generator<RuleFinding> {
  for (const entries of entriesByKey(evidence)) {
    const refused = entries.filter(({ response }) => response?.status === status);
    const last = refused.at(-1);
    if (last === undefined) continue;
    for (const [index, ban] of refused.entries()) {
      if (!isBanned(ban) || isBanned(refused[index - 1])) continue;
      // Refusals whose wait had not ended when the ban came; also if the wait cannot be read.
      const pending = refused.slice(0, index).filter((entry) => {
        const wait = readRetryAfter(entry, headers.retryAfter);
        return !isBanned(entry) && (wait === undefined || ban.exchange.sentAt < wait.until);
      });
      const first = pending.find((entry) => knows(ban, entry));
      const unclear = pending.find((entry) => knowledgeOf(ban, entry) === 'doubtful');
      if (first !== undefined) {
        const expected = `no request with the key after a ${status} until the wait is over`;
        const received = `${pending.length} ${pending.length === 1 ? 'request' : 'requests'} that got ${status} within ${nameSeconds(ban.exchange.sentAt - first.exchange.sentAt)}, then a ban`;
        yield failed(ban.index, [first.index], expected, received);
      } else if (unclear !== undefined) yield doubtful(ban.index, unclear.index);
    }
    yield passed(last.index);
  }
}

function isBanned(entry: Entry | undefined): boolean {
  return entry?.intent.refusal?.reason === 'banned';
}
