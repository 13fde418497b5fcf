import { maxContentBytes, type RequestContent } from '../../http/message.ts';

/** Joins the chunks of a body, and keeps none of a body that is too large. */
export interface ContentCollector {
  /** False where the body is too large, and need not be read on. */
  add(chunk: Uint8Array): boolean;
  content(): RequestContent;
}

/** `most`: bytes of the largest body that is kept. */
export function createContentCollector(most = maxContentBytes): ContentCollector {
  let only: Uint8Array | undefined;
  // Chunks may be as small as a byte, and are not kept one by one.
  let joined = new Uint8Array();
  let length = 0;
  const join = (chunk: Uint8Array): void => {
    const end = length + chunk.byteLength;
    if (end > joined.byteLength) {
      const larger = new Uint8Array(Math.min(most, Math.max(end, 2 * joined.byteLength, 4096)));
      larger.set(joined.subarray(0, length));
      joined = larger;
    }
    joined.set(chunk, length);
    length = end;
  };
  return {
    add(chunk) {
      if (length + chunk.byteLength > most) {
        [only, joined, length] = [undefined, new Uint8Array(), most + 1];
        return false;
      }
      if (length === 0) {
        only = chunk;
        length = chunk.byteLength;
        return true;
      }
      if (only !== undefined) {
        const first = only;
        [only, length] = [undefined, 0];
        join(first);
      }
      join(chunk);
      return true;
    },
    content: () => (length > most ? 'too-large' : (only ?? joined.subarray(0, length))),
  };
}
