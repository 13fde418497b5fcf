import { hasResponded, statusOf, type Exchange } from './exchange.ts';
import { SessionEnd } from './pacing.ts';

/** Milliseconds before each further try to reach a target that went away: half a minute in all. */
export const outagePauses = [250, 500, 1000, 2000, 4000, 8000, 15_000] as const;

/** Whether a request reached nobody, and so says nothing about itself: it may be sent again. */
export function isUnreached({ outcome }: Exchange): boolean {
  return (
    outcome.kind === 'no-response' && ['unreachable', 'name', 'tls'].includes(outcome.error.reason)
  );
}

/** Whether the service itself may not have seen a request: it hung, or a gateway answered. */
function isUnserved(exchange: Exchange): boolean {
  if (exchange.outcome.kind === 'no-response') return exchange.outcome.error.reason === 'timeout';
  return [502, 503, 504].includes(statusOf(exchange) ?? 0);
}

/** Requests without service, one after another, after which the target is asked how it is. */
const patience = 3;

/** Whether so many requests in a row had no service that the target may be down as a whole. */
export function isDoubtful(exchanges: readonly Exchange[]): boolean {
  const latest = exchanges.slice(-patience);
  return latest.length === patience && latest.every(isUnserved);
}

/** Whether the target ever answered. Before that, nobody can say that it went away. */
export function wasThere(exchanges: readonly Exchange[]): boolean {
  return exchanges.some(hasResponded);
}

/** The end of a session whose target does not come back. */
export function endOfTarget(exchanges: readonly Exchange[]): SessionEnd {
  const last = exchanges.findLastIndex((each) => !isUnreached(each) && !isUnserved(each));
  const seconds = outagePauses.reduce((sum, pause) => sum + pause, 0) / 1000;
  return new SessionEnd(
    'gone',
    `target: it became unreachable after ${last + 1} requests and did not recover within ${Math.round(seconds)} seconds`,
  );
}
