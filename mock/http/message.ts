/** A request as every integration of the mock hands it over, whatever carried it. */
export interface MockRequest {
  readonly method: string;
  /** As on the request line: path and query, or an absolute URL (RFC 9112 section 3.2). */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: RequestHeaders;
  readonly content: RequestContent;
  /** The same object for requests of one connection; undefined where nothing carries them. */
  readonly connection?: object | undefined;
  /** `https://api.example.com`, for when neither the connection nor `Host` says it. */
  readonly origin?: string | undefined;
}

export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Undefined for none; `too-large` when reading stopped at `maxContentBytes`. */
export type RequestContent = Uint8Array | 'too-large' | undefined;

/** The largest body that is read: 1 MiB. */
export const maxContentBytes = 1024 * 1024;

/** How a response is sent other than at once and whole. Every integration does all of it. */
export interface Delivery {
  /** Milliseconds to wait before the first byte. */
  readonly delay: number;
  /** As it should, with a reset connection, or not at all while the connection stays open. */
  readonly end: 'whole' | 'reset' | 'silence';
  /** Bytes of the body to send before it breaks; undefined: not even the response begins. */
  readonly bytes: number | undefined;
  /** The body in pieces of so many bytes, with so many milliseconds before each. */
  readonly drip: { readonly bytes: number; readonly milliseconds: number } | undefined;
  /** The bytes to send if the body is not text; `body` is then the closest UTF-8 text. */
  readonly content?: Uint8Array | undefined;
}

/** At once and whole. */
export const atOnce: Delivery = { delay: 0, bytes: undefined, end: 'whole', drip: undefined };

/** A response for the integration to send as it is. */
export interface MockResponse {
  readonly status: number;
  /** Name, value, name, value: the form that `node:http` sends without another pass. */
  readonly headers: readonly string[];
  /** Empty for none. Sent as UTF-8; a response to HEAD has only its length. */
  readonly body: string;
  /** Undefined: at once and whole. */
  readonly delivery?: Delivery | undefined;
}

/** The bytes of the body. */
export function contentOf({ body, delivery }: MockResponse): Uint8Array {
  return delivery?.content ?? new TextEncoder().encode(body);
}

/** A response whose body goes on, as texts, until there is no more or the signal is aborted. */
export interface StreamedResponse extends MockResponse {
  readonly stream?: ((signal: AbortSignal) => AsyncIterable<string>) | undefined;
}

/** The address of the client's end of a connection, such as a socket; undefined where it is not known. */
export function addressOf(connection: object | undefined): string | undefined {
  if (connection === undefined || !('remoteAddress' in connection)) return undefined;
  return typeof connection.remoteAddress === 'string' ? connection.remoteAddress : undefined;
}

/** The origin that a client knows the mock by, for addresses in responses. */
export function originOf({ origin, connection, headers }: MockRequest): string {
  if (origin !== undefined) return origin;
  const isEncrypted = connection !== undefined && 'encrypted' in connection;
  return `${isEncrypted ? 'https' : 'http'}://${headerText(headers, 'host') ?? 'localhost'}`;
}

/** The value of a header that a request has once; undefined where it is absent. */
export function headerText(headers: RequestHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
}

/** Name and text of each cookie of a request (RFC 6265 section 4.2). */
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

/** The value of the first header of a response with a name, in any case. */
export function responseHeader(
  { headers }: Pick<MockResponse, 'headers'>,
  name: string,
): string | undefined {
  const wanted = name.toLowerCase();
  const at = headers.findIndex((one, index) => index % 2 === 0 && one.toLowerCase() === wanted);
  return at < 0 ? undefined : headers[at + 1];
}

/** Characters of all names and values. */
export function measureHeaders(headers: RequestHeaders): number {
  let length = 0;
  for (const name in headers) length += name.length + measureField(headers[name]);
  return length;
}

/** A header that came several times is a list, and so is `set-cookie` each time. */
function measureField(field: RequestHeaders[string]): number {
  if (field === undefined || typeof field === 'string') return field?.length ?? 0;
  let length = 0;
  for (const value of field) length += value.length;
  return length;
}

/**
 * The page of another site loads it, as an image, a script, a frame, by a link or a form, where it
 * neither asks for leave nor reads the response (Fetch Metadata Request Headers).
 */
export function isForeignLoad(headers: RequestHeaders): boolean {
  return headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] !== 'cors';
}

/** With the lines that frame it (RFC 9112 section 6). `length`: bytes; `isLast`: it closes. */
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
