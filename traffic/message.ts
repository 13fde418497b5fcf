import { isJsonMediaType, essence } from '../contract/openapi/media-type.ts';
import {
  BrokenCoding,
  createAllowance,
  Excess,
  readBody,
  undoCodings,
} from '../conformance/index.ts';
import { noBody, type RecordedBody } from './recorded.ts';

/** Header fields as Node has them raw: names and values in turn, in order and case as they came. */
export type RawFields = readonly string[];

/** Fields of one connection alone, which no proxy passes on (RFC 9110 section 7.6.1). */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/** Fields that `Connection` cannot take out: without them the message would be another one. */
const needed: ReadonlySet<string> = new Set(['host', 'content-length', 'content-type']);

/** The fields that a proxy passes on: all but those of the connection, and what `Connection` lists. */
export function passOn(fields: RawFields): string[] {
  const options = valuesOf(fields, 'connection').join().toLowerCase();
  const listed = new Set(options.split(/[\s,]+/));
  return pairsOf(fields)
    .filter(([name]) => {
      const known = name.toLowerCase();
      return !hopByHop.has(known) && (needed.has(known) || !listed.has(known));
    })
    .flat();
}

/** The values of a field by its name in lower case. */
export function valuesOf(fields: RawFields, name: string): readonly string[] {
  const values: string[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2)
    if (isNamed(fields[at], name)) values.push(fields[at + 1] ?? '');
  return values;
}

/** Most names differ in length already. */
function isNamed(field: string | undefined, name: string): boolean {
  return field?.length === name.length && field.toLowerCase() === name;
}

/** The same fields as pairs. */
export function pairsOf(fields: RawFields): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < fields.length; at += 2)
    pairs.push([fields[at] ?? '', fields[at + 1] ?? '']);
  return pairs;
}

/** With the value of `Host` replaced in its place; added first where there is none. */
export function withHost(fields: RawFields, host: string): string[] {
  const at = fields.findIndex((each, place) => place % 2 === 0 && isNamed(each, 'host'));
  return at < 0 ? ['Host', host, ...fields] : fields.with(at + 1, host);
}

/** Bytes of a body, as it is on its way, that are copied to be judged; and those it may unpack to. */
export const copied = { bytes: 1024 * 1024, unpacked: 8 * 1024 * 1024 } as const;

/** A copy of a body on its way, up to a bound. */
export class BodyCopy {
  /** Bytes that were seen. */
  length = 0;
  /** What was seen; nothing where that is more than the bound. */
  readonly chunks: Buffer[] = [];

  add(chunk: Buffer): void {
    this.length += chunk.length;
    if (this.length <= copied.bytes) this.chunks.push(chunk);
    else this.chunks.length = 0;
  }

  /** The body, decoded; unknown where it is larger than the bound, or cannot be decoded. */
  read(fields: RawFields): RecordedBody {
    const { length, chunks } = this;
    if (length === 0) return noBody;
    if (!isText(fields))
      return { kind: 'whole', text: `[not stored: ${length} bytes]`, utf8: true };
    if (length > copied.bytes) return unknown(`is too large to judge: ${length} bytes`);
    const [first, ...more] = chunks;
    const bytes = first !== undefined && more.length === 0 ? first : Buffer.concat(chunks);
    return decode(bytes, valuesOf(fields, 'content-encoding').join(','));
  }
}

/** Of bodies that are not text, nothing but the media type is judged. */
function isText(fields: RawFields): boolean {
  const type = mediaTypeOf(fields);
  return type === '' || isJsonMediaType(type) || /^text\/|xml|urlencoded|html/.test(type);
}

/** The media type of a message, lower case, without parameters; empty for none. */
export function mediaTypeOf(fields: RawFields): string {
  return essence(valuesOf(fields, 'content-type')[0] ?? '');
}

function decode(bytes: Buffer, codings: string): RecordedBody {
  try {
    const plain = undoCodings(bytes, codings, copied.unpacked);
    if (plain === undefined) return unknown(`has the unsupported content coding ${codings}`);
    const { body: text, utf8 } = readBody(plain);
    createAllowance(copied.unpacked).take({ headers: [], body: text, length: plain.length });
    return { kind: 'whole', text, utf8 };
  } catch (error) {
    if (error instanceof BrokenCoding) return unknown(`cannot be decoded: ${error.message}`);
    if (!(error instanceof Excess)) throw error;
    return unknown(`is too large to judge: ${error.found}`);
  }
}

function unknown(reason: string): RecordedBody {
  return { kind: 'unknown', reason };
}
