import type { RateLimitPolicy } from '../../contract/openapi/rate-limit.ts';
import { type Entry, type Evidence, entriesByKey, knowledgeOf, nameSeconds } from './evidence.ts';
import { type RuleFinding, doubtful, failed } from './rule.ts';
import { readRetryAfter } from './wait.ts';

const rule = 'client/rate-limit.ban';

export function* judgeBan(evidence: Evidence): Generator<RuleFinding> {
  const { rateLimit } = evidence.contract;
  if (rateLimit === undefined || !rateLimit.bans) return;
  for (const entries of entriesByKey(evidence)) {
    const refused = entries.filter(({ response }) => response?.status === rateLimit.status);
    const last = refused.at(-1);
    if (last === undefined) continue;
    const bans = [...refused.entries()].filter(
      ([index, entry]) => isBanned(entry) && !isBanned(refused[index - 1]),
    );
    for (const [index, ban] of bans)
      yield* judgeOne(ban, listPending(ban, refused.slice(0, index), rateLimit), rateLimit);
    yield { kind: 'passed', rule, exchange: last.index };
  }
}

function isBanned(entry: Entry | undefined): boolean {
  return entry?.intent.refusal?.reason === 'banned';
}

/** Refusals whose wait was not over when the ban came; without a wait that can be read, too. */
function listPending(
  ban: Entry,
  refused: readonly Entry[],
  { headers }: RateLimitPolicy,
): readonly Entry[] {
  return refused.filter((entry) => {
    const wait = isBanned(entry) ? undefined : readRetryAfter(entry, headers.retryAfter);
    return !isBanned(entry) && (wait === undefined || ban.exchange.sentAt < wait.until);
  });
}

/** A ban is the client's doing where it went on though it knew that it had to wait. */
function* judgeOne(
  ban: Entry,
  pending: readonly Entry[],
  { status }: RateLimitPolicy,
): Generator<RuleFinding> {
  const knowledge = new Map(pending.map((entry) => [entry, knowledgeOf(ban, entry)]));
  const [first] = pending.filter((entry) => knowledge.get(entry) === 'known');
  const [unclear] = pending.filter((entry) => knowledge.get(entry) === 'doubtful');
  if (first !== undefined) {
    const expected = `no request with the key after a ${status} until the wait is over`;
    const received = `${pending.length} ${pending.length === 1 ? 'request' : 'requests'} that got ${status} within ${nameSeconds(ban.exchange.sentAt - first.exchange.sentAt)}, then a ban`;
    yield failed(rule, ban.index, [first.index], { expected, received });
  } else if (unclear !== undefined) yield doubtful(rule, ban.index, [unclear.index]);
}
