import { maxContentBytes, type RequestContent } from '../../http/message.ts';
import { createContentCollector } from '../in-process/content-collector.ts';

/** Reads the body of a request. Rejects when aborted, and with `TypeError` for a broken body. */
export async function readRequestContent(request: Request): Promise<RequestContent> {
  const { body, signal } = request;
  if (request.bodyUsed) throw new TypeError('The body of the request was already read.');
  if (body === null) return undefined;
  if (Number(request.headers.get('content-length')) > maxContentBytes) return 'too-large';
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
    throw new TypeError('The body of the request broke off.', { cause });
  }
}

/** What a source says to being cancelled is of no interest any more. */
function cancel(reader: ReadableStreamDefaultReader<Uint8Array>, reason: unknown): void {
  reader.cancel(reason).catch(() => undefined);
}
