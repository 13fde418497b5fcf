import type { LoggedRequest } from '../../session/request-log.ts';
import { type CompiledFilter, statusClass } from './filter.ts';

/** What of the log is shown, and numbers of it. */
export interface Selection {
  /** Those that fit, oldest first. */
  readonly rows: readonly LoggedRequest[];
  /** Number of requests by class of status, of those that fit all but the status. */
  readonly classes: ReadonlyMap<string, number>;
  /** Sandboxes and statuses of all requests. */
  readonly sandboxes: ReadonlySet<string>;
  readonly statuses: ReadonlySet<number>;
}

/** Looks at the requests up to a number; at all of them where it is undefined. */
export function selectRequests(
  requests: readonly LoggedRequest[],
  { fitsStatus, fitsOthers }: CompiledFilter,
  upTo = Infinity,
): Selection {
  const rows: LoggedRequest[] = [];
  const classes = new Map<string, number>();
  const sandboxes = new Set<string>();
  const statuses = new Set<number>();
  for (const request of requests) {
    const { exchange } = request;
    sandboxes.add(exchange.sandbox);
    statuses.add(exchange.status);
    if (request.number > upTo || !fitsOthers(exchange)) continue;
    const name = statusClass(exchange);
    classes.set(name, (classes.get(name) ?? 0) + 1);
    if (fitsStatus(exchange)) rows.push(request);
  }
  return { rows, classes, sandboxes, statuses };
}
