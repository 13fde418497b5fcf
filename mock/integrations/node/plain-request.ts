import type { MockRequest } from '../../http/message.ts';

/** Longer chunks are left to `node:http`, and longer heads: the journal keeps what is around a field. */
const mostBytes = 16_384;
const mostHeadBytes = 4096;

/** More fields are left to `node:http`, which limits their number. */
const mostFields = 100;

/** Origin form (RFC 9112 section 3.2.1) without a fragment. */
const requestLine = /^(GET|HEAD|POST|PUT|PATCH|DELETE) (\/[!"$-~]*) HTTP\/1\.1\r\n/;

/** Fields that say how a message is framed or what becomes of its connection, and `Set-Cookie`, of which `node:http` makes a list. */
const specialFields = new Set([
  'expect',
  'keep-alive',
  'proxy-connection',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Names as most clients write them: looked up faster than put in lower case. */
const usualNames = new Map([
  ['Accept', 'accept'],
  ['accept', 'accept'],
  ['Accept-Encoding', 'accept-encoding'],
  ['Accept-Language', 'accept-language'],
  ['Authorization', 'authorization'],
  ['authorization', 'authorization'],
  ['Cache-Control', 'cache-control'],
  ['Connection', 'connection'],
  ['connection', 'connection'],
  ['Content-Length', 'content-length'],
  ['content-length', 'content-length'],
  ['Content-Type', 'content-type'],
  ['content-type', 'content-type'],
  ['Cookie', 'cookie'],
  ['Host', 'host'],
  ['host', 'host'],
  ['If-Match', 'if-match'],
  ['If-None-Match', 'if-none-match'],
  ['Origin', 'origin'],
  ['Prefer', 'prefer'],
  ['Referer', 'referer'],
  ['User-Agent', 'user-agent'],
  ['user-agent', 'user-agent'],
  ['X-API-Key', 'x-api-key'],
]);

const colon = 0x3a;
const space = 0x20;
const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/**
 * The one request that a chunk of a connection consists of, as `node:http` would read it. Undefined
 * wherever there is any doubt: part of a request, several, an old version, a field twice or in
 * characters that are seldom seen, a body that is chunked or has no meaning. Such a chunk is for
 * `node:http` to read or to refuse.
 */
export function readPlainRequest(chunk: Buffer, connection?: object): MockRequest | undefined {
  if (chunk.length > mostBytes) return undefined;
  const text = chunk.toString('latin1');
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0 || headEnd > mostHeadBytes) return undefined;
  const start = requestLine.exec(text);
  if (start === null) return undefined;
  const [line, method = '', target = ''] = start;
  const headers: Record<string, string> = {};
  const bodyAt = readFields(text, line.length, headers);
  if (bodyAt === undefined || !/^[\w.[\]:-]+$/.test(headers['host'] ?? '')) return undefined;
  const length = chunk.length - bodyAt;
  if (readLength(headers['content-length']) !== length) return undefined;
  if (length === 0) return { method, target, headers, content: undefined, connection };
  if (method === 'GET' || method === 'HEAD') return undefined;
  return { method, target, headers, content: chunk.subarray(bodyAt), connection };
}

/** Digits without a zero before them; undefined for another text. No length: no body. */
function readLength(text = '0'): number | undefined {
  return /^(?:0|[1-9]\d{0,4})$/.test(text) ? Number(text) : undefined;
}

/** Adds the fields from a place on, and gives the place after them; undefined in case of doubt. */
function readFields(
  text: string,
  from: number,
  headers: Record<string, string>,
): number | undefined {
  let at = from;
  for (let count = 0; count <= mostFields; count += 1) {
    if (isLineEnd(text, at)) return at + 2;
    const nameEnd = endOfName(text, at);
    const valueAt = nameEnd + 2;
    const end = endOfValue(text, valueAt);
    const isPlain =
      nameEnd > at &&
      text.charCodeAt(nameEnd) === colon &&
      text.charCodeAt(nameEnd + 1) === space &&
      end > valueAt &&
      text.charCodeAt(valueAt) !== space &&
      text.charCodeAt(end - 1) !== space &&
      isLineEnd(text, end);
    if (!isPlain) return undefined;
    const sent = text.slice(at, nameEnd);
    const name = usualNames.get(sent) ?? sent.toLowerCase();
    const value = text.slice(valueAt, end);
    if (name in headers || specialFields.has(name)) return undefined;
    if (name === 'connection' && value !== 'keep-alive') return undefined;
    headers[name] = value;
    at = end + 2;
  }
  return undefined;
}

/** Names of letters, digits and hyphens. */
function endOfName(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    const letter = code | 0x20;
    const isPart =
      (letter >= 0x61 && letter <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x2d;
    if (!isPart) return at;
    at += 1;
  }
}

/** Values of visible characters of ASCII and spaces. */
function endOfValue(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (!(code >= 0x20 && code <= 0x7e)) return at;
    at += 1;
  }
}

function isLineEnd(text: string, at: number): boolean {
  return text.charCodeAt(at) === carriageReturn && text.charCodeAt(at + 1) === lineFeed;
}
