import { isUtf8 } from 'node:buffer';
import { responseLimits } from '../../../limits/index.ts';
import { headerOf, type ReceivedResponse } from '../exchange.ts';
import type { Allowance } from './allowance.ts';
import { tooLarge } from './body-intake.ts';
import { undoCodings } from './coding.ts';
import { Excess, tellCount } from './excess.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The bytes of a body as text, and whether they are UTF-8. */
export function readBody(bytes: Uint8Array): Pick<ReceivedResponse, 'body' | 'utf8'> {
  return { body: decoder.decode(bytes), utf8: isUtf8(bytes) };
}

/** Status and fields of a response, before its body. */
export type ResponseHead = Pick<ReceivedResponse, 'status' | 'headers'>;

/** The body of a response is not what its `Content-Encoding` says: no client can read it. */
export class BrokenCoding extends Error {
  override readonly name = 'BrokenCoding';
}

/**
 * A response as checks look at it: its body without content codings, as text. A coding that nobody
 * knows is left as it is.
 * @throws {Excess} where it costs more than the suite takes
 * @throws {BrokenCoding} where a content coding cannot be undone
 */
export function receiveResponse(
  head: ResponseHead,
  bytes: Uint8Array,
  most: number,
  allowance: Allowance,
): ReceivedResponse {
  const plain = unpack(head, bytes, most);
  const text = readBody(plain);
  allowance.take(text.body, plain.length);
  return { ...head, ...text };
}

function unpack(head: ResponseHead, bytes: Uint8Array, most: number): Uint8Array {
  const codings = headerOf(head, 'content-encoding');
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
      throw new Excess(
        'too-large',
        `it has ${tellCount(plain.codings)} content codings, and at most ${responseLimits.codings.most} are undone`,
      );
    case 'broken':
      throw new BrokenCoding(`its body is not what its Content-Encoding ${plain.coding} says`);
  }
}
