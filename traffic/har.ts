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

/** A member that tools omit, set to null or write in another form: then undefined. */
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

/** Playwright: the file next to the archive that contains the body. */
const content = { text: loose(text), encoding: loose(text), _file: loose(text) };

/** The part of an entry that judging needs. */
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
  /** Some tools omit it if there was none. */
  response: optional(
    orUndefined(
      openObject({
        /** Null if a browser never received one. */
        status: loose(number),
        headers: fields,
        content: loose(openObject({ ...content, size: loose(number) })),
        bodySize: loose(number),
        /** Chromium: why no response arrived. */
        _error: loose(text),
        /** The same of Playwright. */
        _failureText: loose(text),
      }),
    ),
  ),
  /** Chromium: `disk`, `memory`. */
  _fromCache: loose(text),
  _fetchedViaServiceWorker: loose(flag),
  /** Playwright: a route of the test responded. */
  _wasFulfilled: loose(flag),
});

const harFile = openObject({ log: openObject({ entries: list(harEntry) }) });

/** Bodies in files beside an archive, by the name that the archive has for them. */
export type AttachedBodies = ReadonlyMap<string, Uint8Array>;

/**
 * Reads bodies that Playwright stores in files next to the archive (`_file`, with `content:
 * 'attach'`). Reads only files in the archive's own folder, because archives may be foreign.
 * Missing files and links count as missing bodies.
 *
 * @param value the archive
 * @param file its path
 * @throws {PetstoreError} with code `shape` and its location, if it is not an archive
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
    // Symbolic links are ignored, because they may lead out of the folder.
    const found = await lstat(path).catch(() => undefined);
    if (found?.isFile() !== true || found.size > left) continue;
    left -= found.size;
    bodies.set(name, await readFile(path));
  }
  return bodies;
}

/**
 * Reads an HTTP Archive 1.2 (HAR specification, "log") of browsers, Playwright, k6, mitmproxy or
 * this package. Sorts entries by time. Only the method and the URL are required.
 *
 * @throws {JsonSyntaxError} if it is not JSON
 * @throws {PetstoreError} with code `shape` and its location, if it is not an archive
 */
export function readHar(archive: string): readonly RecordedExchange[] {
  // A byte order mark must be ignored (HAR specification, "HAR Data Structure").
  return readHarValue(parseJson(archive.replace(/^\uFEFF/, '')));
}

/** Like `readHar`, for a parsed value. `attached`: bodies in other files. */
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
  // The media type may be given only with the body.
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

/** Chromium joins the values of one name with line feeds. */
function readHeaders(
  found: HarEntry['request']['headers'] = [],
): (readonly [name: string, value: string])[] {
  return found.flatMap(({ name, value = '' }) =>
    // Pseudo-headers of HTTP/2 are not header fields (RFC 9113 section 8.3).
    name.startsWith(':') ? [] : value.split('\n').map((line) => [name, line.trim()] as const),
  );
}

/** Status 0: the browser gave up, usually without a reason. */
function explainMissing({ response }: HarEntry): string {
  const { _error: error, _failureText: failure } = response ?? {};
  const reason = error ?? failure;
  return `no response is recorded${reason ? ` (${reason})` : ''}`;
}

/** Why a response does not come from the server; undefined if it probably does. */
function readForeign(entry: HarEntry, headers: RecordedHeaders): string | undefined {
  const { response, _fromCache: cache } = entry;
  const { _fetchedViaServiceWorker: isOfWorker, _wasFulfilled: isOfTest } = entry;
  if (cache) return `it came from the ${cache} cache of the browser`;
  if (isOfWorker === true) return 'a service worker responded to it';
  if (isOfTest === true) return 'the test responded to it';
  // Such as Chromium's own redirect to https:.
  const reason = fieldOf(headers, 'non-authoritative-reason');
  if (reason !== undefined) return `the browser responded to it itself (${reason})`;
  const isEmpty = response?.bodySize === 0 && (response.content?.size ?? 0) > 0;
  return isEmpty && response.status !== 304 && entry.request.method !== 'HEAD'
    ? 'it came from a cache: according to the archive nothing was transferred'
    : undefined;
}

const unknown = (reason: string): RecordedBody => ({ kind: 'unknown', reason });

/** The body of a request: `postData`. May be missing, or only have the parts of a form. */
function readRequestBody(
  { method, postData, bodySize }: HarEntry['request'],
  headers: RecordedHeaders,
  attached: AttachedBodies,
): RecordedBody {
  const { params = [], _file: file } = postData ?? {};
  if (file !== undefined && !postData?.text) return readAttached(file, attached);
  // With bodies omitted, Playwright writes an empty text.
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
 * The body of a response: `content`, whose text is decoded and in UTF-8 (HAR specification,
 * "content"). `size` shows whether the recorder truncated it.
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

/** Playwright writes the body without its content coding. */
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

/**
 * `size` in bytes; undefined or negative if unknown. Some tools write the size of the Base64 text.
 */
function readText(found: string, encoding: string | undefined, size = -1): RecordedBody {
  const isBase64 = encoding?.toLowerCase() === 'base64';
  const bytes = Buffer.from(found, isBase64 ? 'base64' : 'utf8');
  if (bytes.length < size && !(isBase64 && size <= found.length))
    return unknown(`is truncated: ${bytes.length} of ${size} bytes are recorded`);
  return isBase64 ? wholeOf(bytes) : { kind: 'whole', text: found, utf8: true };
}
