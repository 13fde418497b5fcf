import type { LoggedRequest } from '../session/request-log.ts';
import type { RouteQuery } from '../session/route.ts';
import type { Exchange } from '../session/types.ts';

/** Which requests are shown: those that fit every member that is not empty. */
export interface RequestFilter {
  readonly sandbox: string;
  /** Id of an operation; `noOperation` for requests that the document has none for. */
  readonly operation: string;
  /** `404`, or a class such as `4xx`. */
  readonly status: string;
  /** Stands in method, target, body, refusal or hints, in any case. */
  readonly text: string;
}

export const noOperation = '-';

/** The filter that a fragment names: one sandbox where it says so, else all. */
export function readFilter(query: RouteQuery, sandbox: string): RequestFilter {
  const { only, operation = '', status = '', text = '' } = query;
  return {
    sandbox: only === undefined ? '' : sandbox,
    operation,
    status: /^[1-5](xx|\d\d)$/.test(status) ? status : '',
    text,
  };
}

/** Tests of requests. */
export interface CompiledFilter {
  readonly fitsStatus: (exchange: Exchange) => boolean;
  /** Fits all but the status. */
  readonly fitsOthers: (exchange: Exchange) => boolean;
}

export function compileFilter({ sandbox, operation, status, text }: RequestFilter): CompiledFilter {
  const hasText = text === '' ? undefined : compileSearch(text);
  return {
    fitsStatus: (exchange) => status === '' || hasStatus(exchange, status),
    fitsOthers: (exchange) =>
      (sandbox === '' || exchange.sandbox === sandbox) &&
      (operation === '' || (exchange.operation ?? noOperation) === operation) &&
      (hasText === undefined || hasText(exchange)),
  };
}

/** Each exchange is searched once. */
function compileSearch(text: string): (exchange: Exchange) => boolean {
  const sought = new RegExp(escapePattern(text), 'i');
  const known = new WeakMap<Exchange, boolean>();
  return (exchange) => {
    const found = known.get(exchange) ?? textsOf(exchange).some((one) => sought.test(one));
    known.set(exchange, found);
    return found;
  };
}

/** Its class: `4xx`. */
export function statusClass({ status }: Pick<Exchange, 'status'>): string {
  return `${Math.floor(status / 100)}xx`;
}

function hasStatus(exchange: Exchange, status: string): boolean {
  return status.endsWith('xx') ? statusClass(exchange) === status : `${exchange.status}` === status;
}

function textsOf({ method, target, body = '', refusal, hints = [] }: Exchange): readonly string[] {
  return [
    `${method} ${target}`,
    body,
    refusal === undefined ? '' : `${refusal.reason} ${refusal.message}`,
    ...hints.map(({ message }) => message),
  ];
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

/** What of the log is shown, and numbers of it. */
export interface Selection {
  /** Those that fit, oldest first. */
  readonly rows: readonly LoggedRequest[];
  /** Number of requests by class of status, of those that fit all but the status. */
  readonly classes: ReadonlyMap<string, number>;
  /** Statuses of all requests. */
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
  const statuses = new Set<number>();
  for (const request of requests) {
    const { exchange } = request;
    statuses.add(exchange.status);
    if (request.number > upTo || !fitsOthers(exchange)) continue;
    const name = statusClass(exchange);
    classes.set(name, (classes.get(name) ?? 0) + 1);
    if (fitsStatus(exchange)) rows.push(request);
  }
  return { rows, classes, statuses };
}
