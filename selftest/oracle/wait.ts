import { type Exchange, type Report, headerOf } from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import { largest } from '../../contract/list/list.ts';

/**
 * The requests that were sent within the wait of an earlier 429 or 503, each in a sentence. Those sent
 * concurrently with it do not count: the wait was unknown when they were sent.
 */
export function findImpatient(
  { rateLimit }: Pick<Contract, 'rateLimit'>,
  exchanges: readonly Exchange[],
): readonly string[] {
  const found: string[] = [];
  for (const refusal of exchanges) {
    const { endedAt, group, index } = refusal;
    const wait = waitOf(refusal, rateLimit);
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

/** When the waits end that the responses of a log asked for; or 0. */
export function endOfWaits(
  { rateLimit }: Pick<Contract, 'rateLimit'>,
  exchanges: readonly Exchange[],
): number {
  return largest(
    exchanges.map((each) => each.endedAt + waitOf(each, rateLimit)),
    0,
  );
}

/** Milliseconds that the response of an exchange asks to wait; 0 for none. */
function waitOf({ outcome, endedAt }: Exchange, rateLimit: Contract['rateLimit']): number {
  if (outcome.kind !== 'answered') return 0;
  const { response } = outcome;
  const { status, headers } = rateLimit ?? {};
  const names = { 503: 'Retry-After', [status ?? 429]: headers?.retryAfter ?? 'Retry-After' };
  const name = Object.entries(names).find(([each]) => each === String(response.status))?.[1];
  if (name === undefined) return 0;
  const now = Date.parse(headerOf(response, 'Date') ?? '') || endedAt;
  return readWait(headerOf(response, name) ?? '', now);
}

/** Milliseconds; 0 without a readable value. `now`: by the clock of the target. */
function readWait(text: string, now: number): number {
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (number < 1e9) return number * 1000;
  const until = Number.isNaN(number) ? Date.parse(text) : number * 1000;
  return Number.isNaN(until) ? 0 : Math.max(0, until - now);
}

/** Longer than a suite takes between two requests, in milliseconds. */
const pause = 1000;

/** The times of a report that its log contradicts, each in a sentence: no wait may be missing. */
export function findUntrueTimes({
  run,
  exchanges,
}: Pick<Report, 'run' | 'exchanges'>): readonly string[] {
  if (run.times === undefined) return [];
  const { waits, waited, clockMoved } = run.times;
  const gaps = new Map<number, number>();
  let ended = exchanges[0]?.sentAt ?? 0;
  for (const { index, sentAt, endedAt } of exchanges) {
    gaps.set(index, sentAt - ended);
    ended = Math.max(ended, endedAt);
  }
  const reported = new Map(waits.map(({ before, milliseconds }) => [before, milliseconds]));
  const wrong = [...gaps].filter(([index, gap]) =>
    reported.has(index) ? reported.get(index) !== gap : gap >= pause,
  );
  const sum = waits.reduce((all, { milliseconds }) => all + milliseconds, 0);
  const isSummed = clockMoved === 0 ? waited === sum : waited === 0 && clockMoved <= sum;
  return [
    ...wrong.map(
      ([index, gap]) =>
        `${gap} ms before exchange ${index}, of which the report says ${reported.get(index)}`,
    ),
    ...(isSummed ? [] : [`waits of ${sum} ms, ${waited} waited, ${clockMoved} moved`]),
  ];
}
