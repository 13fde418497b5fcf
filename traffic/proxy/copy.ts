import {
  brotliDecompressSync,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib';
import { isJsonMediaType } from '../../contract/index.ts';
import { readBody } from '../../conformance/index.ts';
import type { RecordedBody } from '../recorded/recorded.ts';
import { type RawFields, valuesOf } from './fields.ts';

/** Bytes of a body, as it is on its way, that are copied to be judged; and those it may unpack to. */
export const copied = { bytes: 1024 * 1024, unpacked: 8 * 1024 * 1024 } as const;

/** A copy of a body on its way, up to a bound. */
export interface BodyCopy {
  readonly add: (chunk: Buffer) => void;
  /** Bytes that were seen. */
  readonly length: () => number;
  /** The body, decoded; unknown where it is larger than the bound, or cannot be decoded. */
  readonly read: (fields: RawFields) => RecordedBody;
  /** What was seen, where it is within the bound. */
  readonly chunks: () => readonly Buffer[];
}

export function createBodyCopy(): BodyCopy {
  const chunks: Buffer[] = [];
  let length = 0;
  return {
    add: (chunk) => {
      length += chunk.length;
      if (length <= copied.bytes) chunks.push(chunk);
      else chunks.length = 0;
    },
    length: () => length,
    chunks: () => chunks,
    read: (fields) => {
      if (!isText(fields)) return { kind: 'whole', text: describe(length), utf8: true };
      if (length > copied.bytes)
        return { kind: 'unknown', reason: `is too large to be judged: ${length} bytes` };
      return decode(Buffer.concat(chunks), valuesOf(fields, 'content-encoding').join(','));
    },
  };
}

/** Of bodies that are no text, nothing but the media type is judged. */
function isText(fields: RawFields): boolean {
  const type = mediaTypeOf(fields);
  return type === '' || isJsonMediaType(type) || /^text\/|xml|urlencoded|html/.test(type);
}

/** The media type of a message, lower case, without parameters; empty for none. */
export function mediaTypeOf(fields: RawFields): string {
  return valuesOf(fields, 'content-type')[0]?.split(';')[0]?.trim().toLowerCase() ?? '';
}

function describe(length: number): string {
  return length === 0 ? '' : `[not kept: ${length} bytes]`;
}

type Unpack = (bytes: Buffer) => Buffer;

const limits = { maxOutputLength: copied.unpacked };

/** Content codings (RFC 9110 section 8.4.1, RFC 7932, RFC 8878). */
const unpackers: ReadonlyMap<string, Unpack> = new Map<string, Unpack>([
  ['gzip', (bytes) => gunzipSync(bytes, limits)],
  ['x-gzip', (bytes) => gunzipSync(bytes, limits)],
  ['deflate', inflateAny],
  ['br', (bytes) => brotliDecompressSync(bytes, limits)],
  ['zstd', (bytes) => zstdDecompressSync(bytes, limits)],
  ['identity', (bytes) => bytes],
]);

/** Some servers send no zlib header (RFC 9110 section 8.4.1.2). */
function inflateAny(bytes: Buffer): Buffer {
  return (bytes.at(0) ?? 0) % 16 === 8 ? inflateSync(bytes, limits) : inflateRawSync(bytes, limits);
}

function decode(bytes: Buffer, codings: string): RecordedBody {
  let plain = bytes;
  const names = codings
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '');
  for (const name of bytes.length === 0 ? [] : names.toReversed()) {
    const unpack = unpackers.get(name);
    if (unpack === undefined) return { kind: 'unknown', reason: `has the content coding ${name}` };
    try {
      plain = unpack(plain);
    } catch (error) {
      const isLarge = error instanceof RangeError;
      const reason = isLarge
        ? `is too large to be judged: more than ${copied.unpacked} bytes, unpacked`
        : `is not what its content coding ${name} says`;
      return { kind: 'unknown', reason };
    }
  }
  const { body: text, utf8 } = readBody(plain);
  return { kind: 'whole', text, utf8 };
}
