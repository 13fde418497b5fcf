import zlib from 'node:zlib';

/** Content codings of a response, one over the other. */
export const mostCodings = 4;

/** Frames of a response that is coded as zstd. */
export const mostFrames = 1000;

/** What a body is without its content codings. */
export type Plain =
  | { readonly kind: 'plain'; readonly bytes: Uint8Array }
  /** It is more than may be read, unpacked by this coding. */
  | { readonly kind: 'too-large'; readonly coding: string }
  /** More codings or frames than are undone; `found` says how many, after "it has". */
  | { readonly kind: 'too-many'; readonly found: string }
  /** It is not what this coding makes. */
  | { readonly kind: 'broken'; readonly coding: string }
  | { readonly kind: 'unknown'; readonly coding: string };

type Unpack = (bytes: Uint8Array, most: number) => Uint8Array;

/** Content codings (RFC 9110 section 8.4.1, RFC 7932, RFC 8878), which no package has to undo. */
const unpackers: ReadonlyMap<string, Unpack> = new Map<string, Unpack>([
  ['gzip', (bytes, most) => zlib.gunzipSync(bytes, { maxOutputLength: most })],
  ['x-gzip', (bytes, most) => zlib.gunzipSync(bytes, { maxOutputLength: most })],
  ['deflate', inflateAny],
  ['br', (bytes, most) => zlib.brotliDecompressSync(bytes, { maxOutputLength: most })],
  ['zstd', undoZstd],
  ['identity', (bytes) => bytes],
]);

/** Some servers send no zlib header (RFC 9110 section 8.4.1.2). */
function inflateAny(bytes: Uint8Array, most: number): Uint8Array {
  const unpack = (bytes.at(0) ?? 0) % 16 === 8 ? zlib.inflateSync : zlib.inflateRawSync;
  return unpack(bytes, { maxOutputLength: most });
}

/**
 * Undoes the content codings of a body, the last one first. `codings`: all values of its
 * `Content-Encoding`, between commas; `most`: bytes that it may unpack to, after each coding.
 */
export function undoCodings(bytes: Uint8Array, codings: string, most: number): Plain {
  const names = codings
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '');
  if (bytes.length === 0) return { kind: 'plain', bytes };
  if (names.length > mostCodings)
    return {
      kind: 'too-many',
      found: `${names.length.toLocaleString('en')} content codings; at most ${mostCodings} are decoded`,
    };
  let plain = bytes;
  for (const coding of names.toReversed()) {
    const unpack = unpackers.get(coding);
    if (unpack === undefined) return { kind: 'unknown', coding };
    try {
      plain = unpack(plain, most);
    } catch (error) {
      if (error instanceof TooManyFrames)
        return {
          kind: 'too-many',
          found: `more than ${mostFrames.toLocaleString('en')} zstd frames, which is the limit`,
        };
      // Beyond maxOutputLength zlib throws a RangeError, for broken bytes any other.
      return { kind: error instanceof RangeError ? 'too-large' : 'broken', coding };
    }
  }
  return { kind: 'plain', bytes: plain };
}

/** A body has more frames than are undone. */
class TooManyFrames extends Error {
  override readonly name = 'TooManyFrames';
}

/** A window of 8 MB is all that a coding of HTTP may ask for (RFC 9659 section 3). */
const window = { [zlib.constants.ZSTD_d_windowLogMax]: 23 };

/**
 * Undoes the coding `zstd`: one frame after the other (RFC 8878 section 3), of which Node's zlib
 * undoes no more than the first. `most`: bytes of all of them.
 * @throws {RangeError} where there are more bytes
 * @throws {TooManyFrames}
 * @throws {Error} where the bytes are not such frames
 */
function undoZstd(bytes: Uint8Array, most: number): Uint8Array {
  const plain: Uint8Array[] = [];
  let length = 0;
  for (let at = skipFrames(bytes, 0); at < bytes.length; at = skipFrames(bytes, at)) {
    if (plain.length >= mostFrames) throw new TooManyFrames();
    const frame = undoFrame(bytes.subarray(at), Math.max(1, most - length));
    plain.push(frame.plain);
    length += frame.plain.length;
    if (length > most) throw new RangeError('more bytes than allowed');
    at += frame.taken;
  }
  return Buffer.concat(plain);
}

/** The first frame, without its coding, and how many bytes it has with it. */
function undoFrame(
  bytes: Uint8Array,
  most: number,
): { readonly plain: Uint8Array; readonly taken: number } {
  const options = { maxOutputLength: most, info: true, params: window };
  const decoded: unknown = zlib.zstdDecompressSync(bytes, options);
  const [plain, engine] = [memberOf(decoded, 'buffer'), memberOf(decoded, 'engine')];
  const taken = memberOf(engine, 'bytesWritten');
  if (!(plain instanceof Uint8Array) || typeof taken !== 'number' || taken <= 0)
    throw new TypeError('zlib reported nothing about a frame');
  return { plain, taken };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** Where the next frame begins that is not to be skipped (RFC 8878 section 3.1.2). */
function skipFrames(bytes: Uint8Array, start: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = start;
  while (at + 8 <= bytes.length && view.getUint32(at, true) >>> 4 === 0x184d2a5)
    at += 8 + view.getUint32(at + 4, true);
  if (at > bytes.length) throw new Error('a truncated frame');
  return at;
}
