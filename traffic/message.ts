import { isJsonMediaType, essence } from '../contract/openapi/media-type.ts';
import {
  createAllowance,
  readBody,
  undoCodings,
  UnreadableResponse,
} from '../conformance/index.ts';
import { noBody, type RecordedBody } from './recorded.ts';

/**
 * Header fields as Node's `rawHeaders`: names and values alternate, in their original order and
 * case.
 */
export type RawFields = readonly string[];

/** Hop-by-hop fields, which a proxy does not forward (RFC 9110 section 7.6.1). */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/** Fields that `Connection` cannot remove, because the message would change its meaning. */
const needed: ReadonlySet<string> = new Set(['host', 'content-length', 'content-type']);

/**
 * The fields that a proxy forwards: all except hop-by-hop fields and those that `Connection` lists.
 */
export function passOn(fields: RawFields): string[] {
  const options = valuesOf(fields, 'connection').join().toLowerCase();
  const listed = new Set(options.split(/[\s,]+/));
  const passed: string[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [name = '', value = ''] = [fields[at], fields[at + 1]];
    const known = name.toLowerCase();
    if (!hopByHop.has(known) && (needed.has(known) || !listed.has(known))) passed.push(name, value);
  }
  return passed;
}

/** The values of a field by its name in lower case. */
export function valuesOf(fields: RawFields, name: string): readonly string[] {
  const values: string[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2)
    if (isNamed(fields[at], name)) values.push(fields[at + 1] ?? '');
  return values;
}

/** Compare lengths first, which usually differ. */
function isNamed(field: string | undefined, name: string): boolean {
  return field?.length === name.length && field.toLowerCase() === name;
}

/** Replaces the value of `Host`; adds the field at the start if it is missing. */
export function withHost(fields: RawFields, host: string): string[] {
  const at = fields.findIndex((each, place) => place % 2 === 0 && isNamed(each, 'host'));
  return at < 0 ? ['Host', host, ...fields] : fields.with(at + 1, host);
}

/** Most bytes of a body that are copied for judging, and most bytes after decoding. */
export const copied = { bytes: 1024 * 1024, unpacked: 8 * 1024 * 1024 } as const;

/** A bounded copy of a body that is being forwarded. */
export class BodyCopy {
  /** Total number of bytes. */
  length = 0;
  /** The copied chunks; empty if the body exceeds the limit. */
  readonly chunks: Buffer[] = [];

  add(chunk: Buffer): void {
    this.length += chunk.length;
    if (this.length <= copied.bytes) this.chunks.push(chunk);
    else this.chunks.length = 0;
  }

  /** The decoded body; unknown if it exceeds the limit or cannot be decoded. */
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

/** Of bodies that are not text, only the media type is judged. */
function isText(fields: RawFields): boolean {
  const type = mediaTypeOf(fields);
  return type === '' || isJsonMediaType(type) || /^text\/|xml|urlencoded|html/.test(type);
}

/** The media type of a message, in lower case and without parameters; empty for none. */
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
    if (!(error instanceof UnreadableResponse)) throw error;
    const isBroken = error.reason === 'undecodable';
    return unknown(`${isBroken ? 'cannot be decoded' : 'is too large to judge'}: ${error.found}`);
  }
}

function unknown(reason: string): RecordedBody {
  return { kind: 'unknown', reason };
}
