import type { Exchange } from '../../mock/control/client.ts';
import { type Html, html } from '../view/element.ts';
import { Select, textOf } from '../form/field-input.ts';
import type { LoggedRequest, LogSnapshot } from '../session/request-log.ts';
import type { RouteQuery } from '../session/route.ts';
import { useSession } from '../session/session.ts';

/** A filter for requests. Empty members match everything. */
export interface RequestFilter {
  readonly sandbox: string;
  /** Id of an operation; `noOperation` for requests that match none. */
  readonly operation: string;
  /** `404`, or a class such as `4xx`. */
  readonly status: string;
  /** Searched, ignoring case, in method, target, body, refusal and hints. */
  readonly text: string;
}

export const noOperation = '-';

/** The filter in a URL fragment: one sandbox if it says so, else all. */
export function readFilter(query: RouteQuery, sandbox: string): RequestFilter {
  const { only, operation = '', status = '', text = '' } = query;
  return {
    sandbox: only === undefined ? '' : sandbox,
    operation,
    status: /^[1-5](xx|\d\d)$/.test(status) ? status : '',
    text,
  };
}

/** The visible part of the log. */
export interface Selection {
  /** Matching requests, newest first. */
  readonly rows: readonly LoggedRequest[];
  /** Status codes of all requests. */
  readonly statuses: ReadonlySet<number>;
}

/** `hasText`: matches the filter's text. */
export function selectRequests(
  requests: readonly LoggedRequest[],
  { sandbox, operation, status }: RequestFilter,
  hasText: (exchange: Exchange) => boolean,
): Selection {
  const rows: LoggedRequest[] = [];
  const statuses = new Set<number>();
  for (const request of requests.toReversed()) {
    const { exchange } = request;
    statuses.add(exchange.status);
    if (sandbox !== '' && exchange.sandbox !== sandbox) continue;
    if (operation !== '' && (exchange.operation ?? noOperation) !== operation) continue;
    if (!hasText(exchange)) continue;
    if (['', statusClass(exchange), `${exchange.status}`].includes(status)) rows.push(request);
  }
  return { rows, statuses };
}

/** Searches exchanges for a text; results are memoised per exchange. */
export function compileSearch(text: string): (exchange: Exchange) => boolean {
  const sought = text.toLowerCase();
  const known = new WeakMap<Exchange, boolean>();
  return (exchange) => {
    if (sought === '') return true;
    const { method, target, body, refusal, hints = [] } = exchange;
    const texts = [body, refusal?.reason, refusal?.message, ...hints.map(({ message }) => message)];
    const found =
      known.get(exchange) ??
      [`${method} ${target}`, ...texts].some((one) => one?.toLowerCase().includes(sought) === true);
    known.set(exchange, found);
    return found;
  };
}

/** The class of a status: `4xx`. */
export function statusClass({ status }: Pick<Exchange, 'status'>): string {
  return `${Math.floor(status / 100)}xx`;
}

interface FilterProps {
  readonly filter: RequestFilter;
  readonly selection: Selection;
}

/** The filter controls. The filter is in the URL fragment, so that it can be shared. */
export function FilterBar({ filter, selection }: FilterProps): Html {
  const { go, query, mock, sandbox } = useSession();
  const change = (members: RouteQuery): void => go({ query: { ...query, ...members } });
  const statuses = new Set([
    '2xx',
    '3xx',
    '4xx',
    '5xx',
    ...[...selection.statuses].map(String).toSorted(),
    filter.status,
  ]);
  const operations = [
    ...mock.operations.map(({ id }) => [id, id]),
    [noOperation, 'Not in the document'],
  ];
  return html`<form class="controls" role="search" aria-label="Requests" onSubmit=${(event: Event) => event.preventDefault()}>
    <label class="inline">
      <input type="checkbox" checked=${filter.sandbox !== ''} onChange=${() => change({ only: filter.sandbox === '' ? '1' : '' })} />
      Only ${sandbox}
    </label>
    <${Select} label="Operation" value=${filter.operation} options=${[['', 'All'], ...operations]} onValue=${(operation: string) => change({ operation })} />
    <${Select} label="Status" value=${filter.status} options=${[['', 'All'], ...[...statuses].filter(Boolean).map((status) => [status, status])]} onValue=${(status: string) => change({ status })} />
    <label class="wide">Search
      <input type="search" value=${filter.text} placeholder="path, body or reason" onInput=${(event: Event) => change({ text: textOf(event) })} />
    </label>
  </form>`;
}

export function Counts({ rows, log }: { rows: Selection['rows']; log: LogSnapshot }): Html {
  const { requests, leftOut } = log;
  return html`<p class="counts">
    <span><b>${rows.length.toLocaleString('en')}</b> of ${requests.length.toLocaleString('en')}</span>
    ${leftOut > 0 && html`<span class="soft">${leftOut.toLocaleString('en')} older ones are not kept here</span>`}
  </p>`;
}
