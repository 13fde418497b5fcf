import {
  type Delivery,
  type MockResponse,
  type RequestContent,
  contentOf,
  maxContentBytes,
} from '../../http/message.ts';
import {
  type Address,
  ConnectionBroken,
  ContentCollector,
  type IntegrationCore,
  bodyOf,
  compileAddress,
  headersOf,
  piecesOf,
  targetOf,
} from '../in-process.ts';

/** As the global `fetch`. */
export type MockFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface FetchOptions {
  /** Its path replaces the base path of the document. Default: every URL is answered. */
  readonly baseUrl?: string | URL;
  /** A server has checked that bodies have the length of their `Content-Length`. */
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
    const { method, url } = request;
    const target = locate(address, url);
    if (!isServed) request.signal.throwIfAborted();
    const content = await readRequestContent(request, isServed);
    const headers = Object.fromEntries(request.headers);
    const asked = { method, target, headers, content, origin: new URL(url).origin };
    const response = (await core.respond?.(asked)) ?? core.handle(asked);
    if (response.delivery === undefined) return toWeb(response, bodyOf(response, method));
    return await untilAborted(request.signal, deliver(core, request, response, response.delivery));
  };
}

function toWeb(response: MockResponse, body: string | ReadableStream | undefined): Response {
  return new Response(body ?? null, { status: response.status, headers: headersOf(response) });
}

/** Rejects with `TypeError`, as `fetch` does, if the response does not begin. */
async function deliver(
  core: IntegrationCore,
  { method, signal }: Request,
  response: MockResponse,
  delivery: Delivery,
): Promise<Response> {
  const sleep = async (milliseconds: number): Promise<void> => core.sleep?.(milliseconds, signal);
  if (delivery.delay > 0) await sleep(delivery.delay);
  if (delivery.bytes === undefined) await breakOff(delivery, 'fetch failed');
  if (bodyOf(response, method) === undefined) return toWeb(response, undefined);
  const parts = piecesOf(contentOf(response), delivery, sleep);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const part = await untilAborted(signal, parts.next());
      if (part.done !== true) {
        controller.enqueue(part.value);
        return;
      }
      await untilAborted(signal, breakOff(delivery, 'terminated'));
      controller.close();
    },
  });
  return toWeb(response, body);
}

/** If the response is to be lost, never settles, or rejects as the `fetch` of Node does. */
async function breakOff({ end }: Delivery, message: string): Promise<void> {
  if (end === 'silence') await new Promise<never>(() => undefined);
  if (end === 'reset') throw new TypeError(message, { cause: new ConnectionBroken() });
}

/** Rejects as soon as the signal is aborted: a response may be delayed, or never come. */
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

/** True also for requests of another realm or library, which are used directly. */
function isRequest(input: string | URL | Request): input is Request {
  return typeof input === 'object' && 'headers' in input;
}

function locate(address: Address | undefined, url: string): string {
  const path = targetOf(url);
  if (address === undefined) return path;
  const target = address.locate(new URL(url).origin, path);
  if (target !== undefined) return target;
  throw new TypeError(
    `The mock responds only to requests to ${address.origin}, not to ${new URL(url).href}.`,
  );
}

/**
 * Reads the body of a request. Rejects when aborted, and with `TypeError` for a broken body.
 *
 * @param isServed a server has checked that the body has the length of its `Content-Length`
 */
export async function readRequestContent(
  request: Request,
  isServed = false,
): Promise<RequestContent> {
  if (request.bodyUsed) throw new TypeError('The body of the request was already read.');
  const { headers, method } = request;
  const declared = headers.get('content-length');
  const length = Number(declared);
  if (length > maxContentBytes) return 'too-large';
  if (isServed && length > 0) return await readWhole(request);
  // Then a `Request` of the Fetch standard has no body, and that of a server has one only if it says so.
  const isBodiless = method === 'GET' || method === 'HEAD';
  if (isBodiless && declared === null && !headers.has('transfer-encoding')) return undefined;
  return await readParts(request);
}

/** Fast: runtimes create the stream of a body, and the signal, only on access. */
async function readWhole(request: Request): Promise<RequestContent> {
  const content = await request.arrayBuffer().catch(failBody);
  return content.byteLength > maxContentBytes ? 'too-large' : new Uint8Array(content);
}

async function readParts({ body, signal }: Request): Promise<RequestContent> {
  if (body === null) return undefined;
  const reader = body.getReader();
  // Errors of a source that is cancelled do not matter.
  const cancel = (reason: unknown): void => void reader.cancel(reason).catch(() => undefined);
  const stop = (): void => cancel(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  const collector = new ContentCollector();
  try {
    for (;;) {
      const part = await reader.read().catch(failBody);
      if (part.done) break;
      if (collector.add(part.value)) continue;
      cancel('too large');
      break;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    signal.throwIfAborted();
  }
  return collector.content;
}

function failBody(cause: unknown): never {
  throw new TypeError('The request body ended too early.', { cause });
}
