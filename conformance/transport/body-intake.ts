import { isUtf8 } from 'node:buffer';
import zlib from 'node:zlib';
import { responseBytesLimit, maxResponseValues } from '../../contract/limits/index.ts';
import { headerOf, type ReceivedResponse, type TransportError } from './exchange.ts';

/** A body that exceeds the limit by this factor counts as endless. */
export const endlessFactor = 4;

/** Bytes of all bodies and headers of a run; each response adds to them more than most use. */
export const maxBytes = 40 * 1024 * 1024;
const addedBytes = 8 * 1024;

/** The same for JSON values; a header field counts as two. */
export const maxValues = 1_100_000;
const addedValues = 400;

/** Most levels of nesting in the JSON of a response. */
export const maxLevels = 200;

/** A response that cannot be judged: it exceeds a limit, does not end, or no client can read it. */
export class UnreadableResponse extends Error {
  override readonly name = 'UnreadableResponse';
  readonly reason: TransportError['reason'];
  /** What was found and the limit; the message adds the flag that raises it. */
  readonly found: string;
  constructor(reason: TransportError['reason'], found: string, flag?: string) {
    super(flag === undefined ? found : `${found} (${flag})`);
    this.reason = reason;
    this.found = found;
  }
}

/** A number with separators: `16,777,216`. */
export function tellCount(count: number): string {
  return count.toLocaleString('en');
}

function tooLarge(found: string): UnreadableResponse {
  return new UnreadableResponse('too-large', found, '--max-response-bytes');
}

/** A body over the limit in bytes; `size` says how large it is. */
function largeBody(size: string, most: number): UnreadableResponse {
  return tooLarge(`its body has ${size}; at most ${tellCount(most)} are read`);
}

/** A body as text: bytes that are not UTF-8 become U+FFFD, and `utf8` is false. */
export type BodyText = Pick<ReceivedResponse, 'body' | 'utf8'>;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The bytes of a body as text, and whether they are UTF-8. */
export function readBody(bytes: Uint8Array): BodyText {
  return { body: decoder.decode(bytes), utf8: isUtf8(bytes) };
}

/** What the body of a response may cost. */
export interface BodyLimits {
  /** Most bytes of one body, with its content codings and without. */
  readonly bytes: number;
  /** What all responses together may still cost. */
  readonly allowance: Allowance;
}

/** Receives the body of one response, within limits. */
export class BodyIntake {
  readonly #headers: ReceivedResponse['headers'];
  readonly #limits: BodyLimits;
  #chunks: Uint8Array[] = [];
  #length = 0;

  /**
   * @param isHead whether it answers a HEAD request, whose `Content-Length` is that of a GET
   * @throws {UnreadableResponse} `too-large`, if its `Content-Length` is over the limit
   */
  constructor(headers: ReceivedResponse['headers'], limits: BodyLimits, isHead = false) {
    this.#headers = headers;
    this.#limits = limits;
    const length = isHead ? '' : (headerOf({ headers }, 'content-length') ?? '');
    const declared = /^\d+$/.test(length) ? Number(length) : 0;
    if (declared > limits.bytes)
      throw largeBody(`${tellCount(declared)} bytes by its Content-Length`, limits.bytes);
  }

  /**
   * Adds a chunk. Bytes over the limit are counted but not kept.
   * @throws {UnreadableResponse} `endless`, if the body continues after a multiple of the limit
   */
  add(chunk: Uint8Array): void {
    const most = this.#limits.bytes;
    this.#length += chunk.length;
    if (this.#length <= most) this.#chunks.push(chunk);
    else this.#chunks = [];
    if (this.#length > most * endlessFactor)
      throw new UnreadableResponse(
        'endless',
        `its body went on after ${tellCount(most * endlessFactor)} bytes; at most ${tellCount(most)} are read`,
        '--max-response-bytes',
      );
  }

  /**
   * The whole body as text, without its content codings; an unknown coding is left as it is.
   * @throws {UnreadableResponse} `too-large`, if it, or all responses together, exceed a limit;
   *   `undecodable`, if a coding cannot be decoded
   */
  text(): BodyText {
    const { bytes: most, allowance } = this.#limits;
    if (this.#length > most) throw largeBody(`${tellCount(this.#length)} bytes`, most);
    const headers = this.#headers;
    // No request accepts another transfer coding (RFC 9112 section 7).
    if (!/^chunked$/i.test(headerOf({ headers }, 'transfer-encoding') ?? 'chunked'))
      throw new UnreadableResponse(
        'undecodable',
        'it has a Transfer-Encoding that was not requested',
      );
    const bytes = Buffer.concat(this.#chunks);
    const plain =
      undoCodings(bytes, headerOf({ headers }, 'content-encoding') ?? '', most) ?? bytes;
    const text = readBody(plain);
    allowance.take({ headers, body: text.body, length: plain.length });
    return text;
  }
}

/** Most content codings of a response, one on top of the other. */
export const maxCodings = 4;

type Unpack = (bytes: Uint8Array, bounds: { readonly maxOutputLength: number }) => Uint8Array;

/** Content codings (RFC 9110 section 8.4.1, RFC 7932, RFC 8878). */
const unpackers: ReadonlyMap<string, Unpack> = new Map<string, Unpack>([
  ['gzip', (bytes, bounds) => zlib.gunzipSync(bytes, bounds)],
  ['x-gzip', (bytes, bounds) => zlib.gunzipSync(bytes, bounds)],
  ['deflate', inflateAny],
  ['br', (bytes, bounds) => zlib.brotliDecompressSync(bytes, bounds)],
  ['zstd', undoZstd],
  ['identity', (bytes) => bytes],
]);

/** Some servers send no zlib header (RFC 9110 section 8.4.1.2). */
function inflateAny(...[bytes, bounds]: Parameters<Unpack>): Uint8Array {
  const inflate = (bytes.at(0) ?? 0) % 16 === 8 ? zlib.inflateSync : zlib.inflateRawSync;
  return inflate(bytes, bounds);
}

/** A window of 8 MB is all that a coding of HTTP may ask for (RFC 9659 section 3). */
const window = { [zlib.constants.ZSTD_d_windowLogMax]: 23 };

/** Most frames of a zstd body; zlib creates a context for each. */
export const maxFrames = 1000;

/**
 * Decodes one frame after the other (RFC 8878 section 3), because zlib ignores all but the first.
 */
function undoZstd(...[bytes, { maxOutputLength: most }]: Parameters<Unpack>): Uint8Array {
  const plain: Uint8Array[] = [];
  let length = 0;
  for (let at = 0; at < bytes.length;) {
    if (plain.length === maxFrames)
      throw new UnreadableResponse(
        'too-large',
        `it has more than ${tellCount(maxFrames)} zstd frames`,
      );
    const options = { maxOutputLength: Math.max(1, most - length), info: true, params: window };
    const decoded: unknown = zlib.zstdDecompressSync(bytes.subarray(at), options);
    const [frame, engine] = [memberOf(decoded, 'buffer'), memberOf(decoded, 'engine')];
    const taken = memberOf(engine, 'bytesWritten');
    if (!(frame instanceof Uint8Array) || typeof taken !== 'number' || taken === 0)
      throw new TypeError('zlib decoded nothing');
    plain.push(frame);
    length += frame.length;
    at += taken;
  }
  if (length > most) throw new RangeError('more bytes than allowed');
  return Buffer.concat(plain);
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/**
 * Decodes the content codings of a body, the last one first; undefined if one is unknown.
 * `codings`: all values of `Content-Encoding`, separated by commas. `most`: bytes allowed after
 * each coding.
 * @throws {UnreadableResponse} `too-large` for too many bytes, codings or frames; `undecodable` if
 *   the body does not have a coding
 */
export function undoCodings(
  bytes: Uint8Array,
  codings: string,
  most: number,
): Uint8Array | undefined {
  const names = codings
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '');
  if (bytes.length === 0) return bytes;
  if (names.length > maxCodings) {
    const count = tellCount(names.length);
    const found = `it has ${count} content codings; at most ${maxCodings} are decoded`;
    throw new UnreadableResponse('too-large', found);
  }
  let plain = bytes;
  for (const coding of names.toReversed()) {
    const undo = unpackers.get(coding);
    if (undo === undefined) return undefined;
    try {
      plain = undo(plain, { maxOutputLength: most });
    } catch (error) {
      if (error instanceof UnreadableResponse) throw error;
      // Beyond maxOutputLength zlib throws a RangeError, for broken bytes any other.
      if (!(error instanceof RangeError))
        throw new UnreadableResponse(
          'undecodable',
          `its body does not match its Content-Encoding ${coding}`,
        );
      const packed = `${tellCount(bytes.length)} of ${coding}`;
      throw largeBody(`more than ${tellCount(most)} bytes, unpacked from ${packed}`, most);
    }
  }
  return plain;
}

/** What the responses of one run may still cost. */
export interface Allowance {
  /**
   * Counts a response, whose body without codings has `length` bytes.
   * @throws {UnreadableResponse} if its JSON, or all responses together, exceed a limit
   */
  readonly take: (
    response: Pick<ReceivedResponse, 'headers' | 'body'> & { readonly length: number },
  ) => void;
}

/**
 * Creates the allowance of a run. `most`: bytes of one body; above the default, everything else
 * grows with it.
 */
export function createAllowance(most: number): Allowance {
  const growth = Math.max(1, most / responseBytesLimit);
  const used = { bytes: 0, values: 0 };
  const left = { bytes: Math.floor(maxBytes * growth), values: Math.floor(maxValues * growth) };
  const spend = (unit: keyof typeof used, size: number): void => {
    if (size > left[unit])
      throw tooLarge(
        `it has ${tellCount(size)} ${unit}, after ${tellCount(used[unit])} in the responses before it; of one run at most ${tellCount(used[unit] + left[unit])} are kept`,
      );
    used[unit] += size;
    left[unit] -= size;
  };
  return {
    take: ({ headers, body, length }) => {
      left.bytes += addedBytes;
      left.values += addedValues;
      const { levels, values } = measureJson(body);
      if (levels > maxLevels)
        throw new UnreadableResponse(
          'too-large',
          `its JSON is nested ${tellCount(levels)} levels deep; at most ${maxLevels} are read`,
        );
      const limit = Math.floor(maxResponseValues * growth);
      if (values > limit)
        throw tooLarge(
          `its JSON has ${tellCount(values)} values; at most ${tellCount(limit)} are read`,
        );
      const fields = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
      spend('bytes', fields + length);
      spend('values', 2 * headers.length + values);
    },
  };
}

/** The size of a JSON text. */
export interface JsonSize {
  /** Number of values, arrays and objects included: 4 for `{"a":[1,2]}`. */
  readonly values: number;
  /** Deepest nesting of arrays and objects: 2 for `{"a":[1,2]}`. */
  readonly levels: number;
}

const quoteMark = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/**
 * Measures a JSON text in one pass, without parsing it into values. A text that does not begin like
 * an array or object counts as one value; for other texts that are not JSON, the figures mean
 * nothing.
 */
export function measureJson(text: string): JsonSize {
  if (!/^\uFEFF?\s*[[{]/.test(text)) return { values: 1, levels: 0 };
  let [values, levels, depth] = [1, 0, 0];
  let isFirst = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 0x20) continue;
    // `[` and `]`, `{` and `}` differ from each other in one bit.
    const bracket = code | 0x20;
    if (bracket === 0x7b) {
      if (isFirst) values += 1;
      depth += 1;
      levels = Math.max(levels, depth);
      isFirst = true;
      continue;
    }
    if (bracket === 0x7d) depth -= 1;
    else if (isFirst) values += 1;
    isFirst = false;
    if (code === comma) values += 1;
    else if (code === quoteMark) at = endOfString(text, at);
  }
  return { values, levels };
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === backslash) at += 1;
    else if (code === quoteMark) break;
  }
  return at;
}
