import { isUtf8 } from 'node:buffer';
import type { Allowance, Received } from './allowance.ts';
import { tooLarge } from './body-intake.ts';
import { undoCodings } from './coding.ts';
import { Excess, tellCount } from './excess.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** A body as text: bytes that are no UTF-8 became U+FFFD, and `utf8` is false. */
export interface BodyText {
  readonly body: string;
  readonly utf8: boolean;
}

/** The bytes of a body as text, and whether they are UTF-8. */
export function readBody(bytes: Uint8Array): BodyText {
  return { body: decoder.decode(bytes), utf8: isUtf8(bytes) };
}

/** All values of the two fields that tell how a body is coded; undefined where there is none. */
interface BodyCodings {
  readonly content: string | undefined;
  readonly transfer: string | undefined;
}

/** The body of a response is not what its fields say: no client can read it. */
export class BrokenCoding extends Error {
  override readonly name = 'BrokenCoding';
}

/**
 * The body of a response as checks look at it: without content codings, as text. A coding that
 * nobody knows is left as it is.
 * @throws {Excess} where it costs more than the suite takes
 * @throws {BrokenCoding} where a coding cannot be undone
 */
export function receiveBody(
  { headers, ...codings }: BodyCodings & Pick<Received, 'headers'>,
  bytes: Uint8Array,
  most: number,
  allowance: Allowance,
): BodyText {
  const plain = unpack(codings, bytes, most);
  const text = readBody(plain);
  allowance.take({ headers, body: text.body, length: plain.length });
  return text;
}

function unpack(
  { content: codings, transfer = 'chunked' }: BodyCodings,
  bytes: Uint8Array,
  most: number,
): Uint8Array {
  // No request says that it takes another transfer coding (RFC 9112 section 7).
  if (!/^chunked$/i.test(transfer))
    throw new BrokenCoding('it has a Transfer-Encoding that was not requested');
  if (codings === undefined) return bytes;
  const plain = undoCodings(bytes, codings, most);
  switch (plain.kind) {
    case 'plain':
      return plain.bytes;
    case 'unknown':
      return bytes;
    case 'too-large': {
      const unpacked = `more than ${tellCount(most)} bytes, unpacked from ${tellCount(bytes.length)} of ${plain.coding}`;
      throw tooLarge(unpacked, most);
    }
    case 'too-many':
      throw new Excess('too-large', `it has ${plain.found}`);
    case 'broken':
      throw new BrokenCoding(`its body does not match its Content-Encoding ${plain.coding}`);
  }
}
