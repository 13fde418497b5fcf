import { headerOf } from '../../conformance/index.ts';
import { type Entry, type Evidence, entriesByKey, knows, nameRequest, nameSeconds } from '../evidence.ts';
import type { Finding } from '../finding.ts';
import { limits } from '../limits.ts';
import type { RuleId } from '../rule.ts';
import { type Wait, readReset, readRetryAfter } from '../wait.ts';

const waitRules = ['client/rate-limit.retry-after-seconds', 'client/rate-limit.retry-after-date', 'client/rate-limit.remaining'] as const;

/** The client waits as `Retry-After` says, and until Reset when nothing remains. */
export function* judgeWaits(evidence: Evidence): Generator<Finding> {
  const { rateLimit } = evidence.contract;
  if (rateLimit === undefined) return;
  const { status, headers } = rateLimit;
  if (evidence.facts.isClockStill) return yield* waitRules.map((rule): Finding => ({ kind: 'unproven', rule, reason: 'the clock of the sandbox stands still' }));
  for (const entries of entriesByKey(evidence)) {
    for (const [at, entry] of entries.entries()) {
      if (entry.answer?.status === status) {
        const wait = readRetryAfter(entry, headers.retryAfter);
        if (wait) yield* judgeWait(entry, entries.slice(at + 1), wait, `client/rate-limit.retry-after-${wait.form}`, `${headers.retryAfter}: ${headerOf(entry.answer, headers.retryAfter) ?? ''}`);
        continue;
      }
      const wait = entry.answer && headerOf(entry.answer, headers.remaining) === '0' ? readReset(entry, headers.reset) : undefined;
      if (wait) yield* judgeWait(entry, entries.slice(at + 1), wait, 'client/rate-limit.remaining', `${headers.remaining}: 0`);
    }
  }
}

/** Judged by the first request that the client sent when it knew the answer. Where the clock was set back before that, no time tells how long it waited. */
function* judgeWait(from: Entry, later: readonly Entry[], { form, until }: Wait, rule: RuleId, told: string): Generator<Finding> {
  const next = later.find((entry) => knows(entry, from) || entry.exchange.sentAt < from.exchange.sentAt);
  if (next === undefined || !knows(next, from)) return;
  const early = until - next.exchange.sentAt;
  if (early <= (form === 'seconds' ? limits.early : limits.earlyDate)) {
    yield { kind: 'held', rule, exchange: next.index };
    return;
  }
  const { endedAt } = from.exchange;
  yield {
    kind: 'violated',
    rule,
    exchange: next.index,
    others: [from.index],
    expected: `no request with the key for ${nameSeconds(until - endedAt)} after ${told}`,
    received: `${nameRequest(next)} ${nameSeconds(next.exchange.sentAt - endedAt)} after it`,
  };
}
