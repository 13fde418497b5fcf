/**
 * Length of the first HTTP/1.1 answer in a text of which each character is one byte; undefined
 * while the text does not tell it yet. Throws for a response that gives neither `Content-Length` nor
 * chunks (RFC 9112 section 6.3).
 */
export function responseLength(text: string): number | undefined {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = text.slice(0, headEnd);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return headEnd + 4 + Number(length);
  if (!/\r\ntransfer-encoding: *chunked/i.test(head))
    throw new Error(`A response has no length:\n${head}`);
  const end = text.indexOf('\r\n0\r\n\r\n', headEnd);
  return end < 0 ? undefined : end + 7;
}
