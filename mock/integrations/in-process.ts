import { trimEnd } from '../../contract/http/address.ts';
import {
  type Delivery,
  type MockRequest,
  type MockResponse,
  type RequestContent,
  contentOf,
  framedHeaders,
  isBodiless,
  maxContentBytes,
  pairsOf,
} from '../http/message.ts';

/** What an integration needs of a mock: any `Mock` has it. */
export interface IntegrationCore {
  readonly contract: { readonly basePath: string };
  handle(request: MockRequest): MockResponse;
  /** Replaces `handle` if state is stored outside of the process. */
  readonly respond?: ((request: MockRequest) => Promise<MockResponse>) | undefined;
  /** Waits as delayed responses do. A signal ends the wait. If absent, nothing is delayed. */
  sleep?(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The addresses that an integration responds to. */
export interface Address {
  /** Scheme, host and port: `https://api.example.com`. */
  readonly origin: string;
  /** Maps a path and query to a target of the mock; undefined for any other address. */
  locate(origin: string, path: string): string | undefined;
}

/**
 * Without a path (`https://api.example.com`), the whole origin; with one, what is below it. The path
 * takes the place of the base path of the document. Throws `TypeError` for anything but an http or
 * https URL.
 */
export function compileAddress(basePath: string, baseUrl: string | URL): Address {
  const url = URL.parse(String(baseUrl));
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new TypeError(
      `"${String(baseUrl)}" is not a base URL. Use an http or https URL without a query, such as https://api.example.com/v1.`,
    );
  const prefix = trimEnd(url.pathname, '/');
  return {
    origin: url.origin,
    locate(origin, path) {
      if (origin !== url.origin) return undefined;
      if (prefix === '') return path;
      const rest = path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
      return rest !== undefined && /^([/?]|$)/.test(rest) ? basePath + rest : undefined;
    },
  };
}

/** Path and query of a URL. */
export function targetOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** Joins the chunks of a body; keeps nothing of one that is too large. */
export class ContentCollector {
  readonly #most: number;
  /** The first chunk itself; with more, a growing copy of all: chunks may be as small as a byte. */
  #bytes: Uint8Array = new Uint8Array();
  #length = 0;

  /** `most`: size of the largest accepted body, in bytes. */
  constructor(most = maxContentBytes) {
    this.#most = most;
  }

  /** False if the body is too large, so that reading can stop. */
  add(chunk: Uint8Array): boolean {
    const start = this.#length;
    this.#length += chunk.byteLength;
    if (this.#length > this.#most) {
      [this.#bytes, this.#length] = [new Uint8Array(), this.#most + 1];
      return false;
    }
    if (start === 0) {
      this.#bytes = chunk;
      return true;
    }
    if (this.#length > this.#bytes.byteLength) {
      const size = Math.max(this.#length, 2 * this.#bytes.byteLength, 4096);
      const larger = new Uint8Array(Math.min(this.#most, size));
      larger.set(this.#bytes.subarray(0, start));
      this.#bytes = larger;
    }
    this.#bytes.set(chunk, start);
    return true;
  }

  get content(): RequestContent {
    return this.#length > this.#most ? 'too-large' : this.#bytes.subarray(0, this.#length);
  }
}

/** The body to deliver; undefined for none, as to HEAD (RFC 9110 section 9.3.2). */
export function bodyOf({ status, body }: MockResponse, method: string): string | undefined {
  return method === 'HEAD' || body === '' || isBodiless(status) ? undefined : body;
}

/** The headers of a response as pairs, with `Content-Length` as a server would send it. */
export function headersOf(response: MockResponse): [name: string, value: string][] {
  return pairsOf(framedHeaders(response, contentOf(response).length, false));
}

/** To a client, an error of the network, not of the service. */
export class ConnectionBroken extends Error {
  override readonly name = 'ConnectionBroken';
  readonly code = 'ECONNRESET';

  constructor() {
    super('The mock reset the connection.');
  }
}

/** Yields what is sent of a body, in the pieces and at the times of its delivery. */
export async function* piecesOf(
  body: Uint8Array,
  { bytes, drip }: Delivery,
  sleep: (milliseconds: number) => Promise<void>,
): AsyncGenerator<Uint8Array, void> {
  const sent = body.subarray(0, bytes);
  const size = drip?.bytes ?? (sent.length || 1);
  for (let at = 0; at < sent.length; at += size) {
    if (drip !== undefined && drip.milliseconds > 0) await sleep(drip.milliseconds);
    yield sent.subarray(at, at + size);
  }
}
