import { maxContentBytes, type RequestContent } from '../../http/message.ts';
import { createContentCollector } from '../in-process/content-collector.ts';

/**
 * Reads the body of a request. Rejects when aborted, and with `TypeError` for a broken body.
 *
 * @param isServed a server has made sure that the body has the length of its `Content-Length`
 */
export async function readRequestContent(
  request: Request,
  isServed = false,
): Promise<RequestContent> {
  if (request.bodyUsed) throw new TypeError('The body of the request was already read.');
  const { headers, method } = request;
  const declared = headers.get('content-length');
  if (declared !== null) {
    const length = Number(declared);
    if (length > maxContentBytes) return 'too-large';
    if (length > 0 && isServed) return await readWhole(request);
  } else if (isBodiless(method) && !headers.has('transfer-encoding')) return undefined;
  return await readParts(request);
}

/** A `Request` of the Fetch standard has no body then, and one of a server only where it says so. */
function isBodiless(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * At once: runtimes make a stream of a body only where one asks for it, and a signal likewise. Where
 * the client goes away the body breaks off.
 */
async function readWhole(request: Request): Promise<RequestContent> {
  const content = await request.arrayBuffer().catch((cause: unknown) => {
    throw brokenOff(cause);
  });
  if (content.byteLength > maxContentBytes) return 'too-large';
  return new Uint8Array(content);
}

async function readParts({ body, signal }: Request): Promise<RequestContent> {
  if (body === null) return undefined;
  const reader = body.getReader();
  const stop = (): void => cancel(reader, signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await collect(reader);
  } finally {
    signal.removeEventListener('abort', stop);
    signal.throwIfAborted();
  }
}

async function collect(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<RequestContent> {
  const collector = createContentCollector();
  for (let part = await read(reader); !part.done; part = await read(reader)) {
    if (collector.add(part.value)) continue;
    cancel(reader, 'too large');
    break;
  }
  return collector.content();
}

async function read(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): ReturnType<typeof reader.read> {
  try {
    return await reader.read();
  } catch (cause) {
    throw brokenOff(cause);
  }
}

function brokenOff(cause: unknown): TypeError {
  return new TypeError('The request body ended too early.', { cause });
}

/** What a source says to being cancelled is of no interest any more. */
function cancel(reader: ReadableStreamDefaultReader<Uint8Array>, reason: unknown): void {
  reader.cancel(reason).catch(() => undefined);
}
