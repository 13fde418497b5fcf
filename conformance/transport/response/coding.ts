import zlib from 'node:zlib';
import { tellCount } from './excess.ts';
import { TooManyFrames, undoZstd } from './zstd.ts';
import { mostFrames } from './zstd.ts';

/** Content codings of a response, one over the other. */
export const mostCodings = 4;

/** What a body is without its content codings. */
export type Plain =
  | { readonly kind: 'plain'; readonly bytes: Uint8Array }
  /** It is more than may be read, unpacked by this coding. */
  | { readonly kind: 'too-large'; readonly coding: string }
  /** More codings or frames than are undone; `found` tells how many, after "it has". */
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
      found: `${tellCount(names.length)} content codings; at most ${mostCodings} are decoded`,
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
          found: `more than ${tellCount(mostFrames)} zstd frames, which is the limit`,
        };
      // Beyond maxOutputLength zlib throws a RangeError, for broken bytes any other.
      return { kind: error instanceof RangeError ? 'too-large' : 'broken', coding };
    }
  }
  return { kind: 'plain', bytes: plain };
}
