import type { Contract } from '../../contract/contract.ts';
import { type Report, readRateLimit } from '../../conformance/index.ts';
import { describeSeconds } from './summary.ts';

/** True where a clock was moved instead of waiting. */
export function isClockMoved({ run }: Report): boolean {
  return (run.times?.clockMoved ?? 0) > 0;
}

/** What responses to the key say while the remaining requests only fall. Times in milliseconds. */
interface LimitWindow {
  readonly from: number;
  to: number;
  responses: number;
  /** Remaining requests in its first and its last response. */
  readonly first: number;
  last: number;
  refused: number;
  /** Time that the suite waited before it. */
  readonly waited: number;
}

/**
 * The rate limit during a run, as the responses to the key say, as rows of texts. A window begins where
 * more requests are left than before. Only responses to the key itself are in it: other callers are
 * counted apart.
 */
export function listWindows(report: Report, contract: Contract): readonly (readonly string[])[] {
  const limit = contract.rateLimit;
  if (limit === undefined) return [];
  const { run, exchanges } = report;
  const begin = Date.parse(run.startedAt);
  const waits = Map.groupBy(run.times?.waits ?? [], ({ before }) => before);
  const windows: LimitWindow[] = [];
  let waited = 0;
  for (const { index, request, outcome, endedAt } of exchanges) {
    for (const wait of waits.get(index) ?? []) waited += wait.milliseconds;
    if (request.credential !== 'valid' || outcome.kind !== 'answered') continue;
    const { response } = outcome;
    const to = endedAt - begin;
    const known = windows.at(-1);
    const { remaining = known?.last } = readRateLimit(response, limit.headers);
    if (remaining === undefined) continue;
    const refused = response.status === limit.status ? 1 : 0;
    if (known === undefined || remaining > known.last) {
      const [first, last] = [remaining, remaining];
      windows.push({ from: to, to, responses: 1, first, last, refused, waited });
      waited = 0;
    } else {
      known.to = to;
      known.responses += 1;
      known.last = remaining;
      known.refused += refused;
    }
  }
  return windows.map(({ from, to, responses, first, last, refused, waited: before }, index) => [
    `${index + 1}`,
    describeSeconds(before),
    describeSeconds(from),
    describeSeconds(to),
    `${responses}`,
    `${refused}`,
    `${first}`,
    `${last}`,
  ]);
}
