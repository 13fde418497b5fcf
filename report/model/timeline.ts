import type { Contract } from '../../contract/contract.ts';
import { type Report, readRateLimit } from '../../conformance/index.ts';

/** True where a clock was moved instead of waiting. */
export function isClockMoved({ run }: Report): boolean {
  return (run.times?.clockMoved ?? 0) > 0;
}

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
  /** The clock was moved over the waits, so that they took no time. */
  readonly isMoved: boolean;
  readonly end: number;
}

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
    waits: placeWaits(report, begin),
    isMoved: isClockMoved(report),
    end: Math.max(report.run.milliseconds + (report.run.times?.clockMoved ?? 0), 1),
  };
}

/** The waits of a run, by the clock of the suite. */
function placeWaits({ run, exchanges }: Report, begin: number): Timeline['waits'] {
  return (run.times?.waits ?? []).map(({ before, milliseconds }) => {
    const to = (exchanges[before]?.sentAt ?? begin) - begin;
    return { from: to - milliseconds, to };
  });
}
