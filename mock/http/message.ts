/** A request in the form in which every integration passes it to the mock. */
export interface MockRequest {
  readonly method: string;
  /** As in the request line: path and query, or an absolute URL (RFC 9112 section 3.2). */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: RequestHeaders;
  readonly content: RequestContent;
  /** The same object for all requests of one connection; undefined without a connection. */
  readonly connection?: object | undefined;
  /** `https://api.example.com`, if neither the connection nor `Host` has it. */
  readonly origin?: string | undefined;
}

/** By name. Repeated headers may be a list. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Undefined for none; `too-large` if reading stopped at `maxContentBytes`. */
export type RequestContent = Uint8Array | 'too-large' | undefined;

/** The largest body that is read: 1 MiB. */
export const maxContentBytes = 1024 * 1024;

/** How a response is sent if not at once and in full. Every integration implements all of it. */
export interface Delivery {
  /** Milliseconds to wait before the first byte. */
  readonly delay: number;
  /** Normal, a connection reset, or no end while the connection stays open. */
  readonly end: 'whole' | 'reset' | 'silence';
  /**
   * Bytes of the body to send before the connection breaks; undefined: not even the head is sent.
   */
  readonly bytes: number | undefined;
  /** Size in bytes of the pieces of the body, and the pause in milliseconds before each. */
  readonly drip: { readonly bytes: number; readonly milliseconds: number } | undefined;
  /** The bytes to send if the body is not text; then `body` is the closest UTF-8 text. */
  readonly content?: Uint8Array | undefined;
}

export const atOnce: Delivery = { delay: 0, bytes: undefined, end: 'whole', drip: undefined };

/** A response that the integration sends unchanged. */
export interface MockResponse {
  readonly status: number;
  /** Names and values alternate, the form that `node:http` sends fastest. */
  readonly headers: readonly string[];
  /** Empty for none. Sent as UTF-8; a response to HEAD has only its length. */
  readonly body: string;
  /** Undefined: at once and in full. */
  readonly delivery?: Delivery | undefined;
}

/** The bytes of the body. */
export function contentOf({ body, delivery }: MockResponse): Uint8Array {
  return delivery?.content ?? new TextEncoder().encode(body);
}

/** A response with a stream of texts, which ends by itself or when the signal is aborted. */
export interface StreamedResponse extends MockResponse {
  readonly stream?: ((signal: AbortSignal) => AsyncIterable<string>) | undefined;
}

/** The address of the client of a connection, such as a socket; undefined if unknown. */
export function addressOf(connection: object | undefined): string | undefined {
  if (connection === undefined || !('remoteAddress' in connection)) return undefined;
  return typeof connection.remoteAddress === 'string' ? connection.remoteAddress : undefined;
}

/** The origin by which a client knows the mock, for URLs in responses. */
export function originOf({ origin, connection, headers }: MockRequest): string {
  if (origin !== undefined) return origin;
  const isEncrypted = connection !== undefined && 'encrypted' in connection;
  return `${isEncrypted ? 'https' : 'http'}://${headerText(headers, 'host') ?? 'localhost'}`;
}

/** The path and query of a request target in origin or absolute form (RFC 9112 section 3.2). */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const origin = target.startsWith('/')
    ? target
    : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  const mark = origin.indexOf('?');
  return mark < 0
    ? { path: origin, query: '' }
    : { path: origin.slice(0, mark), query: origin.slice(mark + 1) };
}

/** The value of a header, with commas between several; undefined if it is missing. */
export function headerText(headers: RequestHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
}

/** Name and value of each cookie of a request (RFC 6265 section 4.2). */
export function cookiePairs(
  headers: RequestHeaders,
): readonly { readonly name: string; readonly text: string }[] {
  return (headerText(headers, 'cookie') ?? '').split(';').flatMap((pair) => {
    const mark = pair.indexOf('=');
    return mark < 0
      ? []
      : [{ name: pair.slice(0, mark).trim(), text: pair.slice(mark + 1).trim() }];
  });
}

/** The value of the first response header with a name, ignoring case. */
export function responseHeader(
  { headers }: Pick<MockResponse, 'headers'>,
  name: string,
): string | undefined {
  const wanted = name.toLowerCase();
  const at = headers.findIndex((one, index) => index % 2 === 0 && one.toLowerCase() === wanted);
  return at < 0 ? undefined : headers[at + 1];
}

/** Header lines as pairs. */
export function pairsOf(lines: readonly string[]): [name: string, value: string][] {
  const pairs: [name: string, value: string][] = [];
  for (let at = 0; at < lines.length; at += 2) pairs.push([lines[at] ?? '', lines[at + 1] ?? '']);
  return pairs;
}

/** These end with their headers (RFC 9110 section 6.4.1); a reset has no content either. */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304 || status < 200;
}

/** Total characters of names and values; several values are one text. */
export function measureHeaders(headers: RequestHeaders): number {
  let length = 0;
  for (const name in headers) length += name.length + (headerText(headers, name)?.length ?? 0);
  return length;
}

/**
 * Whether the page of another site loads it as an image, script, frame, link or form, which needs
 * no CORS permission and cannot read the response (Fetch Metadata Request Headers).
 */
export function isForeignLoad(headers: RequestHeaders): boolean {
  return headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] !== 'cors';
}

/** Includes the framing (RFC 9112 section 6). `length`: bytes; `isLast`: closes the connection. */
export function framedHeaders(
  { status, headers }: MockResponse,
  length: number,
  isLast: boolean,
): string[] {
  const lines = [...headers];
  if (status !== 204) lines.push('Content-Length', `${length}`);
  if (isLast) lines.push('Connection', 'close');
  return lines;
}

/**
 * A text, or the beginning of one longer than so many UTF-16 code units: a copy, since an engine
 * may keep a whole text alive for a slice of it.
 */
export function excerpt(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${new TextDecoder().decode(new TextEncoder().encode(text.slice(0, most)))}...`;
}
