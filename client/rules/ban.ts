import { type Entry, type Evidence, entriesByKey, nameSeconds } from './evidence.ts';
import { type RuleFinding, failed } from './rule.ts';
import { readRetryAfter } from './wait.ts';

export function* judgeBan(evidence: Evidence): Generator<RuleFinding> {
  const { rateLimit } = evidence.contract;
  if (rateLimit === undefined || !rateLimit.bans) return;
  const rule = 'client/rate-limit.ban';
  for (const entries of entriesByKey(evidence)) {
    const refused = entries.filter(({ response }) => response?.status === rateLimit.status);
    const last = refused.at(-1);
    if (last === undefined) continue;
    const [at, banned] =
      [...refused.entries()].find(
        ([index, entry]) =>
          isBanned(entry) && isProvoked(entry, refused[index - 1], rateLimit.headers.retryAfter),
      ) ?? [];
    if (at === undefined || banned === undefined) {
      yield { kind: 'passed', rule, exchange: last.index };
      continue;
    }
    const before = refused.slice(0, at).filter((entry) => !isBanned(entry));
    const others = before.slice(0, 1).map(({ index }) => index);
    const expected = `no request with the key after a ${rateLimit.status}, until it may`;
    const received = `${before.length} ${before.length === 1 ? 'request' : 'requests'} answered ${rateLimit.status} within ${nameSeconds(banned.exchange.sentAt - (before[0] ?? banned).exchange.sentAt)}, then a ban`;
    yield failed(rule, banned.index, others, { expected, received });
  }
}

function isBanned({ intent }: Entry): boolean {
  return intent.refusal?.reason === 'banned';
}

/** A ban is the client's doing where its request came before the wait of another refusal ended. */
function isProvoked(banned: Entry, before: Entry | undefined, retryAfter: string): boolean {
  if (before === undefined || isBanned(before)) return false;
  const wait = readRetryAfter(before, retryAfter);
  return wait === undefined || banned.exchange.sentAt < wait.until;
}
