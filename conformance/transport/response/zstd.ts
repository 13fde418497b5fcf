import zlib from 'node:zlib';

/** Frames of a response that is coded as zstd. */
export const mostFrames = 1000;

/** A body has more frames than are undone. */
export class TooManyFrames extends Error {
  override readonly name = 'TooManyFrames';
}

/** A window of 8 MB is all that a coding of HTTP may ask for (RFC 9659 section 3). */
const window = { [zlib.constants.ZSTD_d_windowLogMax]: 23 };

/**
 * Undoes the coding `zstd`: one frame after the other (RFC 8878 section 3), of which Node's zlib
 * undoes no more than the first. `most`: bytes of all of them.
 * @throws {RangeError} where there are more bytes
 * @throws {TooManyFrames}
 * @throws {Error} where the bytes are no such frames
 */
export function undoZstd(bytes: Uint8Array, most: number): Uint8Array {
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
  const told: unknown = zlib.zstdDecompressSync(bytes, options);
  const [plain, engine] = [memberOf(told, 'buffer'), memberOf(told, 'engine')];
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
