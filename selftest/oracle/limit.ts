import { type Contract, requirementId } from '../../contract/index.ts';
import type { Contradictions } from './response.ts';
import { type Shown, isServed } from './shown.ts';

/** What responses say of the limit, each against itself, and one against the one before it. */
export function* contradictLimit(contract: Contract, all: readonly Shown[]): Contradictions {
  for (const shown of all)
    if (shown.status !== undefined) yield* contradictArithmetic(contract, shown);
  yield* contradictCount(contract, all);
}

/** What one response says of the limit, against itself. */
function* contradictArithmetic({ rateLimit }: Contract, shown: Shown): Contradictions {
  if (rateLimit === undefined) return;
  const { headers, windows, plans } = rateLimit;
  const { index, header, status, endedAt, sentAt, credential } = shown;
  const { limit, remaining, reset } = readCount(shown, headers);
  if (limit !== undefined && remaining !== undefined && remaining > limit)
    yield [requirementId.rateLimit('remaining-within-limit'), index, `${remaining} of ${limit}`];
  const date = Date.parse(header('date') ?? '') / 1000;
  const longest = Math.max(...windows.map(({ seconds }) => seconds));
  const unsure = 5 + (endedAt - sentAt) / 1000;
  if (reset !== undefined && (reset < date - unsure || reset > date + longest + unsure))
    yield [requirementId.rateLimit('reset-plausible'), index, `${reset} at ${date}`];
  const told = plans.flatMap((plan) => [...(plan.limits?.values() ?? [])]);
  const isCustom = plans.some((plan) => plan.limits === undefined);
  if (credential === 'valid' && limit !== undefined && !isCustom && !told.includes(limit))
    yield [requirementId.rateLimit('plan'), index, `${limit}`];
  if (status === rateLimit.status && /^\s*$/.test(header(headers.retryAfter) ?? ''))
    yield [requirementId.rateLimit('retry-after'), index, 'no Retry-After'];
}

/** The whole numbers in the headers of the limit. */
function readCount(
  { header }: Shown,
  names: Readonly<Record<'limit' | 'remaining' | 'reset', string>>,
) {
  const read = (name: string): number | undefined => {
    const text = header(name);
    return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  };
  return { limit: read(names.limit), remaining: read(names.remaining), reset: read(names.reset) };
}

/** Requests with the key, one after another, as long as Limit and Reset are the same. */
function* contradictCount({ rateLimit }: Contract, all: readonly Shown[]): Contradictions {
  if (rateLimit === undefined) return;
  let before: ReturnType<typeof readCount> | undefined;
  let served = 0;
  let isLate = false;
  for (const shown of all) {
    if (shown.credential !== 'valid') continue;
    const { index, status = 0 } = shown;
    const count = readCount(shown, rateLimit.headers);
    const isSame =
      count.remaining !== undefined &&
      before?.remaining !== undefined &&
      shown.group === undefined &&
      before?.reset !== undefined &&
      before.limit !== undefined &&
      count.reset === before.reset &&
      count.limit === before.limit;
    const [was, is] = [before?.remaining ?? 0, count.remaining ?? 0];
    before = shown.group === undefined ? count : undefined;
    served = isSame && is === was && isServed(shown) ? served + 1 : 0;
    if (served >= 8)
      yield [requirementId.rateLimit('remaining-counts'), index, `${is} after ${served} more`];
    isLate ||= isServed(shown) && count.remaining !== undefined && is === count.limit;
    if (!isSame) continue;
    if (is > was) yield [requirementId.rateLimit('remaining-monotonic'), index, `${was} to ${is}`];
    if (was === 0 && is === 0 && isServed(shown) && isLate) isLate = false;
    else if (was === 0 && is === 0 && isServed(shown) && shown.endedAt < (count.reset ?? 0) * 1000)
      yield [requirementId.rateLimit('exceeded'), index, `a ${status} when nothing was left`];
    if (status === rateLimit.status && is > 0)
      yield [requirementId.rateLimit('exceeded'), index, `a ${status} when ${is} were left`];
  }
}
