import {
  type Delivery,
  type MockResponse,
  type RequestHeaders,
  contentOf,
} from '../../http/message.ts';
import { type Address, compileAddress } from '../in-process/address.ts';
import { bodyOf, headersOf } from '../in-process/response-body.ts';
import { ConnectionBroken, awaitStart, deliverBody } from '../in-process/delivery.ts';
import type { IntegrationCore } from '../in-process/integration.ts';
import { targetOf } from '../in-process/target.ts';
import { readRequestContent } from './request-content.ts';

/** As the global `fetch`. */
export type MockFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface FetchOptions {
  /** Its path takes the place of the base path of the document. By default every URL is answered. */
  readonly baseUrl?: string | URL;
  /** A server has made sure that bodies have the length of their `Content-Length`. */
  readonly isServed?: boolean;
}

/**
 * A `fetch` that a mock answers in process. Rejects with the reason of an aborted signal, and with
 * `TypeError` for a URL outside the base URL or a broken connection.
 */
export function createFetch(
  core: IntegrationCore,
  { baseUrl, isServed = false }: FetchOptions = {},
): MockFetch {
  const address =
    baseUrl === undefined ? undefined : compileAddress(core.contract.basePath, baseUrl);
  return async (input, init) => {
    const request = init === undefined && isRequest(input) ? input : new Request(input, init);
    const target = locate(address, request.url);
    if (!isServed) request.signal.throwIfAborted();
    await core.ready;
    const content = await readRequestContent(request, isServed);
    const { method, url } = request;
    const headers = headersIn(request.headers);
    const asked = { method, target, headers, content, origin: new URL(url).origin };
    const response = (await core.respond?.(asked)) ?? core.handle(asked);
    if (response.delivery === undefined) return toWeb(response, bodyOf(response, request.method));
    return await untilAborted(request.signal, deliver(core, request, response, response.delivery));
  };
}

function toWeb(response: MockResponse, body: string | ReadableStream | undefined): Response {
  return new Response(body ?? null, { status: response.status, headers: headersOf(response) });
}

/** Rejects with `TypeError`, as `fetch` does, where the response does not even begin. */
async function deliver(
  core: IntegrationCore,
  { method, signal }: Request,
  response: MockResponse,
  delivery: Delivery,
): Promise<Response> {
  const body = bodyOf(response, method);
  await awaitStart(core, delivery, signal).catch((error: unknown) => fail('fetch failed', error));
  if (body === undefined) return toWeb(response, undefined);
  const parts = deliverBody(core, contentOf(response), delivery, signal);
  return toWeb(response, streamOf(parts, signal));
}

function streamOf(
  parts: AsyncGenerator<Uint8Array, void>,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const part = await untilAborted(signal, parts.next()).catch((error: unknown) =>
        fail('terminated', error),
      );
      if (part.done === true) controller.close();
      else controller.enqueue(part.value);
    },
  });
}

/** Throws what the `fetch` of Node does where the network fails, and any other error as it is. */
function fail(message: string, cause: unknown): never {
  throw cause instanceof ConnectionBroken ? new TypeError(message, { cause }) : cause;
}

/** A response may be delayed, or never come; the caller need not wait for it. */
async function untilAborted<Value>(signal: AbortSignal, value: Promise<Value>): Promise<Value> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([value, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** A request of another realm or library is taken as well, and as it is. */
function isRequest(input: string | URL | Request): input is Request {
  return typeof input === 'object' && 'headers' in input;
}

function locate(address: Address | undefined, url: string): string {
  const path = targetOf(url);
  const target = address === undefined ? path : address.locate(new URL(url).origin, path);
  if (target === undefined)
    throw new TypeError(
      `The mock responds only to requests to ${address?.origin}, not to ${new URL(url).href}.`,
    );
  return target;
}

/** Names in lower case, as `Headers` gives them. */
function headersIn(headers: Headers): RequestHeaders {
  return Object.fromEntries(headers);
}
