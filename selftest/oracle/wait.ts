import { type Exchange, headerOf } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';

/**
 * The requests that were sent within the wait of a 429 that had come by then, each in a sentence. Those
 * that were under way with it are none: nobody knew of the wait when they were sent.
 */
export function findImpatient(
  { rateLimit }: Pick<Contract, 'rateLimit'>,
  exchanges: readonly Exchange[],
): readonly string[] {
  const found: string[] = [];
  for (const refusal of exchanges) {
    const { outcome, endedAt, group, index } = refusal;
    if (outcome.kind !== 'answered' || outcome.response.status !== (rateLimit?.status ?? 429))
      continue;
    const header = (name: string): string => headerOf(outcome.response, name) ?? '';
    const wait = readWait(
      header(rateLimit?.headers.retryAfter ?? 'Retry-After'),
      Date.parse(header('Date')) || endedAt,
    );
    for (const later of exchanges.slice(index + 1)) {
      const isTogether = group !== undefined && later.group === group;
      if (isTogether || later.sentAt < endedAt || later.sentAt >= endedAt + wait) continue;
      found.push(
        `exchange ${later.index} was sent ${endedAt + wait - later.sentAt} ms before the wait of exchange ${index} was over`,
      );
    }
  }
  return found;
}

/** Milliseconds; 0 where nothing readable is told. `now`: by the clock of the target. */
function readWait(text: string, now: number): number {
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (number < 1e9) return number * 1000;
  const until = Number.isNaN(number) ? Date.parse(text) : number * 1000;
  return Number.isNaN(until) ? 0 : Math.max(0, until - now);
}
