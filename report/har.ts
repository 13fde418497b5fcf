import type { Contract } from '../contract/index.ts';
import {
  type ReceivedResponse,
  type Exchange,
  type SentRequest,
  type Report,
  headerOf,
  redactedKey,
  credentialHeader,
  operationOf,
} from '../conformance/index.ts';
import { describeOutcome } from './model/exchange-line.ts';

/** The exchanges of a report as an HTTP Archive 1.2, without keys. */
export function renderHar(report: Report, contract: Contract): string {
  const log = {
    version: '1.2',
    creator: { name: 'petstore-contract', version: report.format.split('/')[1] ?? '' },
    pages: [],
    entries: report.exchanges.map((exchange) =>
      renderEntry(exchange, report.target.baseUrl, contract),
    ),
  };
  return `${JSON.stringify({ log }, undefined, 2)}\n`;
}

function renderEntry(
  exchange: Exchange,
  baseUrl: string,
  contract: Contract,
): Record<string, unknown> {
  const { request, outcome, sentAt, endedAt, index, probe } = exchange;
  const time = endedAt - sentAt;
  const failed = outcome.kind === 'no-response' ? { _error: describeOutcome(outcome) } : {};
  return {
    startedDateTime: new Date(sentAt).toISOString(),
    time,
    request: renderRequest(request, baseUrl, contract),
    response: {
      ...renderResponse(outcome.kind === 'answered' ? outcome.response : unanswered),
      ...failed,
    },
    cache: {},
    timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: time, receive: 0 },
    comment: `exchange ${index} of probe ${probe}`,
  };
}

/** What stands in the archive where no response came: browsers write status 0. */
const unanswered: ReceivedResponse = { status: 0, headers: [], body: '', utf8: true };

function renderRequest(
  request: SentRequest,
  baseUrl: string,
  contract: Contract,
): Record<string, unknown> {
  const url = baseUrl + request.target;
  const operation = operationOf(contract, request.operation);
  const credential = operation
    ? credentialHeader(
        operation,
        redactedKey,
        request.credential === 'missing' ? 'missing' : 'valid',
      )
    : undefined;
  const scheme: readonly [string, string] | undefined =
    credential && request.credential === 'other-scheme'
      ? [credential[0], `Basic ${redactedKey}`]
      : credential;
  const mimeType = request.headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  return {
    method: request.method,
    url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: renderHeaders(scheme ? [...request.headers, scheme] : request.headers),
    queryString: URL.canParse(url)
      ? [...new URL(url).searchParams].map(([name, value]) => ({ name, value }))
      : [],
    ...(request.body === undefined
      ? {}
      : { postData: { mimeType, params: [], text: request.body } }),
    headersSize: -1,
    bodySize: sizeOf(request.body ?? ''),
  };
}

function renderResponse(response: ReceivedResponse): Record<string, unknown> {
  return {
    status: response.status,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: renderHeaders(response.headers),
    content: {
      size: sizeOf(response.body),
      mimeType: headerOf(response, 'content-type') ?? '',
      text: response.body,
    },
    redirectURL: headerOf(response, 'location') ?? '',
    headersSize: -1,
    bodySize: sizeOf(response.body),
  };
}

function renderHeaders(headers: ReceivedResponse['headers']): readonly unknown[] {
  return headers.map(([name, value]) => ({ name, value }));
}

/** Bytes of a text in UTF-8. */
function sizeOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
