import { lstat, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as codec from '../contract/json/codec.ts';
import type { Codec, TypeOf } from '../contract/json/codec.ts';
import { PetstoreError } from '../contract/error/petstore-error.ts';
import { type JsonValue, parseJson } from '../contract/json/value.ts';
import { inputLimits } from '../contract/limits/index.ts';
import { fieldOf, readBody } from '../conformance/index.ts';
import {
  noBody,
  type RecordedBody,
  type RecordedExchange,
  type RecordedHeaders,
} from './recorded.ts';

const { flag, list, number, openObject, optional, orUndefined, text } = codec;

/** A member that tools leave out, set to null, or give another form: undefined then. */
function loose<T>(wanted: Codec<T>): codec.OptionalCodec<T | undefined> {
  return optional({
    read(value, at) {
      try {
        return wanted.read(value, at);
      } catch (error) {
        if (error instanceof PetstoreError) return undefined;
        throw error;
      }
    },
    render: (value) => (value === undefined ? null : wanted.render(value)),
  });
}

const fields = optional(list(openObject({ name: text, value: loose(text) })));

/** `_file`, of Playwright: the file beside the archive that has the body. */
const content = { text: loose(text), encoding: loose(text), _file: loose(text) };

/** What is read of an entry: of the specification as little as it takes to judge. */
type HarEntry = TypeOf<typeof harEntry>;

const harEntry = openObject({
  startedDateTime: loose(text),
  time: loose(number),
  request: openObject({
    method: text,
    url: text,
    headers: fields,
    postData: loose(
      openObject({ ...content, mimeType: loose(text), params: loose(list(openObject({}))) }),
    ),
    bodySize: loose(number),
  }),
  /** Some tools write none where none came. */
  response: optional(
    orUndefined(
      openObject({
        /** Null where a browser never got one. */
        status: loose(number),
        headers: fields,
        content: loose(openObject({ ...content, size: loose(number) })),
        bodySize: loose(number),
        /** Chromium: why no response came. */
        _error: loose(text),
        /** Playwright: the same. */
        _failureText: loose(text),
      }),
    ),
  ),
  /** Chromium: `disk`, `memory`. */
  _fromCache: loose(text),
  _fetchedViaServiceWorker: loose(flag),
  /** Playwright: a route of the test answered. */
  _wasFulfilled: loose(flag),
});

const harFile = openObject({ log: openObject({ entries: list(harEntry) }) });

/** Bodies in files beside an archive, by the name that the archive has for them. */
export type AttachedBodies = ReadonlyMap<string, Uint8Array>;

/**
 * Reads the bodies that Playwright puts into files beside the archive (`_file`, with `content:
 * 'attach'`). Only files of the archive's own folder are read, as an archive may come from anybody;
 * those that are not there, and links, are missing.
 *
 * @param value the archive
 * @param file its path
 * @throws {PetstoreError} with code `shape` and its place, for what is not an archive
 */
export async function loadAttachedBodies(value: JsonValue, file: string): Promise<AttachedBodies> {
  const bodies = new Map<string, Uint8Array>();
  let left = inputLimits.recordingBytes;
  const names = harFile
    .read(value, '')
    .log.entries.flatMap(({ request, response }) =>
      [request.postData, response?.content].map(({ _file: name } = {}) => name),
    );
  for (const name of new Set(names)) {
    if (name === undefined || !/^[\w-]+(\.[\w-]+)*$/.test(name)) continue;
    const path = join(dirname(file), name);
    // A symbolic link is not a file here: it may lead out of the folder.
    const found = await lstat(path).catch(() => undefined);
    if (found?.isFile() !== true || found.size > left) continue;
    left -= found.size;
    bodies.set(name, await readFile(path));
  }
  return bodies;
}

/**
 * Reads an HTTP Archive 1.2 (HAR specification, "log"), as browsers, Playwright, k6, mitmproxy and
 * this package write it. Entries are put in the order of their times. What tools leave out is
 * missing in the result; only a method and an address must be there.
 *
 * @throws {JsonSyntaxError} for what is no JSON
 * @throws {PetstoreError} with code `shape` and its place, for what is not an archive
 */
export function readHar(archive: string): readonly RecordedExchange[] {
  // A byte order mark has to be ignored (HAR specification, "HAR Data Structure").
  return readHarValue(parseJson(archive.replace(/^\uFEFF/, '')));
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
  const { request, response } = entry;
  const sentAt = Math.max(0, Date.parse(entry.startedDateTime ?? '') || 0);
  const requestHeaders = readHeaders(request.headers);
  // The media type of a body may be with the body only.
  const { mimeType = '' } = request.postData ?? {};
  if (mimeType !== '' && fieldOf(requestHeaders, 'content-type') === undefined)
    requestHeaders.push(['content-type', mimeType]);
  const headers = readHeaders(response?.headers);
  const status = Math.trunc(response?.status ?? 0);
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
      ? { status, headers, body: readResponseBody(entry, status, attached) }
      : undefined,
    foreign: isAnswered ? readForeign(entry, headers) : explainMissing(entry),
    sentAt,
    endedAt: sentAt + Math.max(0, entry.time ?? 0),
  };
}

/** Chromium puts the fields of one name into one value, line by line. */
function readHeaders(
  found: HarEntry['request']['headers'] = [],
): (readonly [name: string, value: string])[] {
  return found.flatMap(({ name, value = '' }) =>
    // Pseudo-headers of HTTP/2 are not fields (RFC 9113 section 8.3).
    name.startsWith(':') ? [] : value.split('\n').map((line) => [name, line.trim()] as const),
  );
}

/** Status 0: the browser gave up, and seldom says why. */
function explainMissing({ response }: HarEntry): string {
  const { _error: error, _failureText: failure } = response ?? {};
  const reason = error ?? failure;
  return `no response is recorded${reason ? ` (${reason})` : ''}`;
}

/** Why a response is not what the server sent; undefined where it is, as far as is known. */
function readForeign(entry: HarEntry, headers: RecordedHeaders): string | undefined {
  const { response, _fromCache: cache } = entry;
  const { _fetchedViaServiceWorker: isOfWorker, _wasFulfilled: isOfTest } = entry;
  if (cache) return `it came from the ${cache} cache of the browser`;
  if (isOfWorker === true) return 'a service worker responded to it';
  if (isOfTest === true) return 'the test responded to it';
  // Chromium's own redirect to https:, for one.
  const reason = fieldOf(headers, 'non-authoritative-reason');
  if (reason !== undefined) return `the browser responded to it itself (${reason})`;
  const isEmpty = response?.bodySize === 0 && (response.content?.size ?? 0) > 0;
  return isEmpty && response.status !== 304 && entry.request.method !== 'HEAD'
    ? 'it came from a cache: according to the archive nothing was transferred'
    : undefined;
}

const unknown = (reason: string): RecordedBody => ({ kind: 'unknown', reason });

/** The body of a request: `postData`. An archive may lack it, or have the parts of a form only. */
function readRequestBody(
  { method, postData, bodySize }: HarEntry['request'],
  headers: RecordedHeaders,
  attached: AttachedBodies,
): RecordedBody {
  const { params = [], _file: file } = postData ?? {};
  if (file !== undefined && !postData?.text) return readAttached(file, attached);
  // Playwright empties the text if asked to omit bodies.
  const isOmitted = postData?.text === '' && (params.length > 0 || Number(bodySize) > 0);
  if (postData?.text !== undefined && !isOmitted) {
    const isCoded = fieldOf(headers, 'content-encoding') !== undefined;
    return readText(postData.text, postData.encoding, isCoded ? undefined : bodySize);
  }
  if (postData !== undefined && (!isOmitted || params.length > 0))
    return unknown('is only partly recorded');
  const length = Number(fieldOf(headers, 'content-length') ?? bodySize ?? -1);
  const isNone = length === 0 || (length < 0 && /^(GET|HEAD|OPTIONS|DELETE|TRACE)$/.test(method));
  return isNone ? noBody : unknown('is not recorded');
}

/**
 * The body of a response: `content`, whose text has no content coding and is UTF-8 already (HAR
 * specification, "content"). `size` shows where a recorder cut it.
 */
function readResponseBody(
  { request: { method }, response }: HarEntry,
  status: number,
  attached: AttachedBodies,
): RecordedBody {
  const found = response?.content;
  if (found?.text !== undefined && (found.text !== '' || !found.size))
    return readText(found.text, found.encoding, found.size);
  // Statuses without a body (RFC 9110 section 6.4.1).
  if (method === 'HEAD' || [204, 205, 304].includes(status)) return noBody;
  const { _file: file } = found ?? {};
  if (file !== undefined) return readAttached(file, attached);
  return found?.size === 0 ? noBody : unknown('is not recorded');
}

/** Playwright writes what was received, without its content coding. */
function readAttached(name: string, attached: AttachedBodies): RecordedBody {
  const bytes = attached.get(name);
  return bytes === undefined
    ? unknown('is in another file that is not next to the archive')
    : wholeOf(bytes);
}

function wholeOf(bytes: Uint8Array): RecordedBody {
  const { body, utf8 } = readBody(bytes);
  return { kind: 'whole', text: body, utf8 };
}

/** `size` in bytes; undefined or negative where it is not known. Some write that of the Base64. */
function readText(found: string, encoding: string | undefined, size = -1): RecordedBody {
  const isBase64 = encoding?.toLowerCase() === 'base64';
  const bytes = Buffer.from(found, isBase64 ? 'base64' : 'utf8');
  if (bytes.length < size && !(isBase64 && size <= found.length))
    return unknown(`is truncated: ${bytes.length} of ${size} bytes are recorded`);
  return isBase64 ? wholeOf(bytes) : { kind: 'whole', text: found, utf8: true };
}
