import type { Contract } from '../../contract/index.ts';
import { type Exchange, type Report, readRateLimit } from '../../conformance/index.ts';

/** The rate limit as the responses to the key say. Times in milliseconds since the run began. */
export interface Timeline {
  readonly points: readonly {
    readonly at: number;
    readonly remaining: number;
    readonly exchange: number;
  }[];
  /** When the target turned a request with the key away. */
  readonly refusals: readonly { readonly at: number; readonly exchange: number }[];
  readonly waits: readonly { readonly from: number; readonly to: number }[];
  readonly end: number;
}

/** Shortest stretch without a request under way that counts as a wait, milliseconds. */
const shortestWait = 1000;

/** Only responses to the key itself are in it: other callers are counted apart. */
export function readTimeline(report: Report, contract: Contract): Timeline {
  const begin = Date.parse(report.run.startedAt);
  const names = contract.rateLimit?.headers;
  const limited = contract.rateLimit?.status ?? 429;
  const own = report.exchanges.flatMap(({ index, request, outcome, endedAt }) =>
    request.credential === 'valid' && outcome.kind === 'answered'
      ? [{ exchange: index, at: endedAt - begin, response: outcome.response }]
      : [],
  );
  return {
    points: own.flatMap(({ exchange, at, response }) => {
      const remaining = names === undefined ? undefined : readRateLimit(response, names).remaining;
      return remaining === undefined ? [] : [{ at, remaining, exchange }];
    }),
    refusals: own.flatMap(({ exchange, at, response }) =>
      response.status === limited ? [{ at, exchange }] : [],
    ),
    waits: findWaits(report, begin, contract),
    end: Math.max(report.run.milliseconds, 1),
  };
}

/** The stretches between requests in which none was under way, and for which there was a reason. */
function findWaits({ exchanges }: Report, begin: number, contract: Contract): Timeline['waits'] {
  const waits: { from: number; to: number }[] = [];
  let busy = exchanges[0]?.sentAt ?? begin;
  let asks = false;
  for (const exchange of exchanges.toSorted((a, b) => a.sentAt - b.sentAt)) {
    const { sentAt, endedAt } = exchange;
    if (asks && sentAt - busy >= shortestWait)
      waits.push({ from: busy - begin, to: sentAt - begin });
    busy = Math.max(busy, endedAt);
    asks = asksForWait(exchange, contract);
  }
  return waits;
}

/** Most requests that are sent at the same time, for which a window has to have room. */
const together = 4;

/** Nothing is left of the limit, or so little that no group has room, or nobody was there. */
function asksForWait({ outcome }: Exchange, { rateLimit }: Contract): boolean {
  if (outcome.kind === 'no-response') return true;
  if (outcome.response.status === (rateLimit?.status ?? 429)) return true;
  const { remaining } = rateLimit ? readRateLimit(outcome.response, rateLimit.headers) : {};
  return remaining !== undefined && remaining < together;
}

/** Milliseconds that a run spent waiting. */
export function sumWaits(waits: Timeline['waits']): number {
  return waits.reduce((sum, { from, to }) => sum + to - from, 0);
}
