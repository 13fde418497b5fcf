import { type JsonValue, parseJson } from '../../contract/json/value.ts';
import { fieldOf, type RecordedExchange, type RecordedHeaders } from '../recorded/recorded.ts';
import { readRequestBody, readResponseBody } from './body.ts';
import type { AttachedBodies } from './attached.ts';
import { type HarEntry, harFile } from './entry.ts';

/**
 * Reads an HTTP Archive 1.2 (HAR specification, "log"), as browsers, Playwright, k6, mitmproxy and
 * this package write it. Entries are put in the order of their times. What tools leave out is
 * missing in the result; only a method and an address must be there.
 *
 * @throws {JsonSyntaxError} for what is no JSON
 * @throws {PetstoreError} with code `shape` and its place, for what is not an archive
 */
export function readHar(content: string): readonly RecordedExchange[] {
  // A byte order mark has to be ignored (HAR specification, "HAR Data Structure").
  return readHarValue(parseJson(content.replace(/^\uFEFF/, '')));
}

/** As `readHar`, for a value that is parsed. `attached`: bodies in other files. */
export function readHarValue(
  value: JsonValue,
  attached: AttachedBodies = new Map(),
): readonly RecordedExchange[] {
  return harFile
    .read(value, '')
    .log.entries.map((entry, index) => readEntry(entry, `/log/entries/${index}`, attached))
    .toSorted((one, other) => one.sentAt - other.sentAt);
}

function readEntry(entry: HarEntry, place: string, attached: AttachedBodies): RecordedExchange {
  const { request, response = { status: 0 } } = entry;
  const sentAt = Math.max(0, Date.parse(entry.startedDateTime ?? '') || 0);
  const requestHeaders = readRequestHeaders(request);
  const responseHeaders = readHeaders(response.headers);
  const status = Math.trunc(response.status ?? 0);
  const isAnswered = status >= 100 && status <= 999;
  return {
    place,
    request: {
      method: request.method,
      url: request.url.split('#', 1)[0] ?? '',
      headers: requestHeaders,
      body: readRequestBody(request, requestHeaders, attached),
    },
    response: isAnswered
      ? {
          status,
          headers: responseHeaders,
          body: readResponseBody(request.method, response, attached),
        }
      : undefined,
    foreign: isAnswered ? readForeign(entry, responseHeaders) : explainMissing(entry),
    sentAt,
    endedAt: sentAt + Math.max(0, entry.time ?? 0),
  };
}

/** The media type of a body may be with the body only. */
function readRequestHeaders({ headers, postData }: HarEntry['request']): RecordedHeaders {
  const found = readHeaders(headers);
  const { mimeType = '' } = postData ?? {};
  return mimeType === '' || fieldOf(found, 'content-type') !== undefined
    ? found
    : [...found, ['content-type', mimeType]];
}

/** Chromium puts the fields of one name into one value, line by line. */
function readHeaders(found: HarEntry['request']['headers'] = []): RecordedHeaders {
  return found.flatMap(({ name, value = '' }) =>
    // Pseudo-headers of HTTP/2 are not fields (RFC 9113 section 8.3).
    name.startsWith(':') ? [] : value.split('\n').map((line) => [name, line.trim()] as const),
  );
}

/** Status 0: the browser gave up, and seldom says why. */
function explainMissing({ response = {} }: HarEntry): string {
  const { _error: error, _failureText: failure } = response;
  const reason = error ?? failure;
  return `no response is recorded${reason ? ` (${reason})` : ''}`;
}

/** Why a response is not what the server sent; undefined where it is, as far as is known. */
function readForeign(entry: HarEntry, headers: RecordedHeaders): string | undefined {
  const { response = {}, _fromCache: cache } = entry;
  const { _fetchedViaServiceWorker: isOfWorker, _wasFulfilled: isOfTest } = entry;
  if (cache) return `it came from the ${cache} cache of the browser`;
  if (isOfWorker === true) return 'a service worker responded to it';
  if (isOfTest === true) return 'the test responded to it';
  // Chromium's own redirect to https:, for one.
  const reason = fieldOf(headers, 'non-authoritative-reason');
  if (reason !== undefined) return `the browser responded to it itself (${reason})`;
  const isEmpty = response.bodySize === 0 && (response.content?.size ?? 0) > 0;
  return isEmpty && response.status !== 304 && entry.request.method !== 'HEAD'
    ? 'it came from a cache: according to the archive nothing was transferred'
    : undefined;
}
