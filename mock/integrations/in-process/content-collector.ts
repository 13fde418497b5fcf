import { maxContentBytes, type RequestContent } from '../../http/message.ts';

/** Joins the chunks of a body, and keeps none of a body that is too large. */
export interface ContentCollector {
  /** False where the body is too large, and need not be read on. */
  add(chunk: Uint8Array): boolean;
  content(): RequestContent;
}

/** `most`: bytes of the largest body that is kept. */
export function createContentCollector(most = maxContentBytes): ContentCollector {
  let chunks: Uint8Array[] = [];
  let length = 0;
  return {
    add(chunk) {
      length += chunk.byteLength;
      if (length <= most) chunks.push(chunk);
      else chunks = [];
      return length <= most;
    },
    content() {
      if (length > most) return 'too-large';
      return chunks.length === 1 ? chunks[0] : join(chunks, length);
    },
  };
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
