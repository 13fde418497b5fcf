import type { Contract } from '../contract/contract.ts';
import {
  type ReceivedResponse,
  type Exchange,
  type SentRequest,
  type Report,
  headerOf,
  redactedKey,
  alterKey,
  withCredential,
  operationOf,
  resolveTarget,
} from '../conformance/index.ts';
import { renderPieces } from './pieces.ts';
import { describeOutcome } from './model/exchange-line.ts';

/** The exchanges of a report as an HTTP Archive 1.2, without keys. */
export function renderHar(report: Report, contract: Contract): string {
  return [...listHarPieces(report, contract)].join('');
}

export function listHarPieces(report: Report, contract: Contract): Iterable<string> {
  const log = {
    version: '1.2',
    creator: { name: 'petstore-contract', version: report.format.split('/')[1] ?? '' },
    pages: [],
    entries: [],
  };
  const movedAt = placeMoves(report);
  let moved = 0;
  const entries = Iterator.from(report.exchanges).map((exchange) => {
    moved += movedAt.get(exchange.index) ?? 0;
    return renderEntry(exchange, moved, report, contract);
  });
  return renderPieces({ log }, 2, entries);
}

/** Milliseconds by which a clock was moved, by the index of the next exchange. */
function placeMoves(report: Report): ReadonlyMap<number, number> {
  const waits = (report.run.times?.clockMoved ?? 0) > 0 ? (report.run.times?.waits ?? []) : [];
  return new Map(waits.map(({ before, milliseconds }) => [before, milliseconds]));
}

/** `moved`: total milliseconds by which the clock was moved so far, which did not really pass. */
function renderEntry(
  exchange: Exchange,
  moved: number,
  { target }: Report,
  contract: Contract,
): object {
  const { request, outcome, sentAt, endedAt, index, probe } = exchange;
  const time = endedAt - sentAt;
  return {
    startedDateTime: new Date(sentAt - moved).toISOString(),
    time,
    request: renderRequest(request, target, contract),
    response:
      outcome.kind === 'answered'
        ? renderResponse(outcome.response)
        : { ...renderResponse(unanswered), _error: describeOutcome(outcome) },
    cache: {},
    timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: time, receive: 0 },
    comment: `request ${index + 1}, probe ${probe}`,
  };
}

/** The entry for a missing response: browsers write status 0. */
const unanswered: ReceivedResponse = { status: 0, headers: [], body: '', utf8: true };

function renderRequest(request: SentRequest, target: Report['target'], contract: Contract): object {
  const { method, body } = request;
  const { target: path, headers } = keyed(request, target, contract);
  const url = resolveTarget(target.baseUrl, path) ?? path;
  const mimeType = request.headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  return {
    method,
    url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: renderPairs(headers),
    queryString: renderPairs(URL.parse(url)?.searchParams ?? []),
    ...(body === undefined ? {} : { postData: { mimeType, params: [], text: body } }),
    headersSize: -1,
    bodySize: Buffer.byteLength(body ?? ''),
  };
}

/** A request with its credential, in which a placeholder replaces the key. */
function keyed(
  request: SentRequest,
  { isKeyless = false }: Report['target'],
  contract: Contract,
): Pick<SentRequest, 'target' | 'headers'> {
  const operation = operationOf(contract, request.operation);
  // Judged traffic shows keys in queries and cookies, redacted.
  const isShown = [request.target, ...request.headers.flat()].some(
    (text) => text.includes(redactedKey) || text.includes(encodeURIComponent(redactedKey)),
  );
  if (operation === undefined || isKeyless || isShown) return request;
  const isAltered = alterKey(redactedKey, request.credential) !== redactedKey;
  const credential = isAltered ? 'valid' : request.credential;
  return withCredential(operation, { ...request, credential }, redactedKey);
}

function renderResponse(response: ReceivedResponse): object {
  return {
    status: response.status,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: renderPairs(response.headers),
    content: {
      size: Buffer.byteLength(response.body),
      mimeType: headerOf(response, 'content-type') ?? '',
      text: response.body,
    },
    redirectURL: headerOf(response, 'location') ?? '',
    headersSize: -1,
    bodySize: Buffer.byteLength(response.body),
  };
}

type Pairs = Iterable<readonly [name: string, value: string]>;

function renderPairs(pairs: Pairs): readonly object[] {
  return Array.from(pairs, ([name, value]) => ({ name, value }));
}
