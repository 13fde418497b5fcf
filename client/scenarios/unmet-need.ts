import type { Exchange } from '../../conformance/index.ts';
import type { Scenario } from './scenario.ts';

/** What a client would have had to send for a scenario to happen; undefined where it happened. */
export function explainUnmet(
  { needs: { operation, requests } }: Scenario,
  exchanges: readonly Exchange[],
): string | undefined {
  const sent = exchanges.filter(
    ({ request }) => operation === undefined || request.operation === operation,
  ).length;
  if (sent >= requests) return undefined;
  const wanted =
    operation === undefined
      ? countRequests(requests)
      : `${requests === 1 ? 'a request' : countRequests(requests)} to ${operation}`;
  return `it takes ${wanted}, and the client sent ${sent === 0 ? 'none' : sent}`;
}

function countRequests(count: number): string {
  return count === 1 ? '1 request' : `${count} requests`;
}
