import { Body } from './body.ts';
import { countOf } from './count.ts';
import { type Html, html } from './element.ts';

export interface ExchangeProps {
  readonly request: ShownRequest;
  /** Undefined until it arrives. */
  readonly response: ShownResponse | ShownFailure | undefined;
  readonly marks?: ExchangeMarks | undefined;
  /** Whether the response comes first. Default false. */
  readonly startsWithResponse?: boolean | undefined;
}

/** Header fields in their original order and case, with repetitions. */
export type ShownHeaders = readonly (readonly [name: string, value: string])[];

interface ShownRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: ShownHeaders;
  /** Undefined if it has none. */
  readonly body: string | undefined;
  /** A short note: `without a key`. */
  readonly note?: string | undefined;
}

export interface ShownResponse {
  readonly status: number;
  readonly headers: ShownHeaders;
  /** Empty for none. */
  readonly body: string;
  /** A short note: `5 ms`. */
  readonly note?: string | undefined;
}

export interface ShownFailure {
  readonly reason: string;
  readonly message: string;
}

export interface ExchangeMarks {
  /** JSON pointers into the body of the request. */
  readonly requestBody?: readonly string[] | undefined;
  readonly status?: boolean | undefined;
  /** Names of response headers. Those that are absent are shown as missing. */
  readonly headers?: readonly string[] | undefined;
  /** JSON pointers into the body of the response. */
  readonly body?: readonly string[] | undefined;
}

/**
 * A request and its response, side by side if there is room. Headers are collapsed unless one is
 * marked.
 */
export function Exchange({
  request,
  response,
  marks = {},
  startsWithResponse = false,
}: ExchangeProps): Html {
  const messages = [renderRequest(request, marks), renderResponse(response, marks)];
  return html`<div class="exchange">${startsWithResponse ? messages.toReversed() : messages}</div>`;
}

function renderRequest(
  { method, target, headers, body, note }: ShownRequest,
  marks: ExchangeMarks,
): Html {
  return html`<div class="message">
    <p class="label">${label('Request', note)}</p>
    <p class="start-line"><b>${method}</b>${' '}${target}</p>
    ${renderHeaders(headers, [])}
    ${body === undefined ? null : Body({ text: body, marks: marks.requestBody, what: 'the request body' })}
  </div>`;
}

function renderResponse(response: ExchangeProps['response'], marks: ExchangeMarks): Html {
  if (response === undefined) return null;
  if ('reason' in response)
    return html`<div class="message">
      <p class="label">Response</p>
      <p class="start-line"><b>${response.reason}</b></p>
      <p class="note">${response.message}</p>
    </div>`;
  const { status, headers, body, note } = response;
  return html`<div class="message">
    <p class="label">${label('Response', note)}</p>
    <p class="start-line"><b>${marks.status === true ? html`<mark>${status}</mark>` : status}</b></p>
    ${renderHeaders(headers, marks.headers ?? [])}
    ${Body({ text: body, marks: marks.body, what: 'the response body' })}
  </div>`;
}

function label(name: string, note: string | undefined): string {
  return note === undefined || note === '' ? name : `${name}, ${note}`;
}

function renderHeaders(headers: ShownHeaders, marks: readonly string[]): Html {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const missing = marks.filter((name) => !names.has(name.toLowerCase()));
  const marked = new Set(marks.map((name) => name.toLowerCase()));
  if (headers.length === 0 && missing.length === 0) return null;
  const lines = headers.map(([name, value]) => {
    const line = `${name}: ${value}`;
    return html`<li>${marked.has(name.toLowerCase()) ? html`<mark>${line}</mark>` : line}</li>`;
  });
  return html`<details class="headers" open=${marks.length > 0}>
    <summary>${countOf(headers.length, 'header')}</summary>
    <ul>
      ${missing.map((name) => html`<li><mark class="missing">${name} is missing</mark></li>`)}
      ${lines}
    </ul>
  </details>`;
}
