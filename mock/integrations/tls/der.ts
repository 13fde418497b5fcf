/** Values of a certificate in DER (ITU-T X.690), each with its tag and length. */

/** A value with any tag. */
export function encodeDer(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), encodeLength(content.length), content]);
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => encodeDer(0x30, ...parts);

export const setOf = (...parts: readonly Uint8Array[]): Buffer => encodeDer(0x31, ...parts);

export const octets = (content: Uint8Array): Buffer => encodeDer(0x04, content);

export const utf8 = (text: string): Buffer => encodeDer(0x0c, Buffer.from(text));

export const boolean = (value: boolean): Buffer => encodeDer(0x01, Buffer.from([value ? 0xff : 0]));

/** Whole bytes of bits, of which the last so many are unused. */
export const bits = (content: Uint8Array, unused = 0): Buffer =>
  encodeDer(0x03, Buffer.from([unused]), content);

/** A number that is not negative, from its bytes, the highest first. */
export function unsigned(bytes: Uint8Array): Buffer {
  const start = bytes.findIndex((byte) => byte !== 0);
  const short = start === -1 ? Buffer.from([0]) : bytes.subarray(start);
  return encodeDer(0x02, Buffer.from((short[0] ?? 0) > 0x7f ? [0] : []), short);
}

/** An object identifier from its dotted form: `2.5.4.3`. */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return encodeDer(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(encodeBase128)]));
}

/** UTCTime before 2050, GeneralizedTime from then on (RFC 5280 section 4.1.2.5). */
export function instant(at: Date): Buffer {
  const digits = at.toISOString().replace(/\.\d+|[-:T]/g, '');
  return at.getUTCFullYear() < 2050
    ? encodeDer(0x17, Buffer.from(digits.slice(2)))
    : encodeDer(0x18, Buffer.from(digits));
}

function encodeLength(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = bytesOf(length, 256);
  return Buffer.from([0x80 + bytes.length, ...bytes]);
}

function encodeBase128(value: number): readonly number[] {
  const digits = bytesOf(value, 128);
  return digits.map((digit, at) => (at < digits.length - 1 ? digit + 0x80 : digit));
}

/** The digits of a number, the highest first. */
function bytesOf(value: number, base: number): readonly number[] {
  return value < base ? [value] : [...bytesOf(Math.floor(value / base), base), value % base];
}
