import type { Control } from '../../control/control.ts';
import type { ControlOptions } from '../../control/access.ts';
import { type StreamedResponse, pairsOf } from '../../http/message.ts';
import { readRequestContent } from '../fetch/fetch.ts';
import { bodyOf, headersOf } from '../in-process.ts';

/** Answers a request to the control interface. */
export type ControlFetch = (request: Request, context: unknown) => Promise<Response>;

/**
 * Opens the control interface of a mock; undefined if there is none.
 *
 * @param startedAt milliseconds since 1970
 */
export async function openControl(
  mock: { control(): Promise<Control> },
  options: ControlOptions,
  startedAt: number,
): Promise<ControlFetch | undefined> {
  const { openInterface } = await import('../../control/interface.ts');
  const opened = await openInterface(await mock.control(), options, startedAt);
  return async (request, context) => {
    const { method, signal, url, headers } = request;
    const { pathname, search, protocol } = new URL(url);
    const content = await readRequestContent(request);
    const response = await opened.response(
      { method, target: pathname + search, headers: Object.fromEntries(headers), content },
      { address: addressIn(context, request), isEncrypted: protocol === 'https:', signal },
    );
    return toWeb(response, request);
  };
}

function toWeb(response: StreamedResponse, { method, signal }: Request): Response {
  const { status, headers, stream, body } = response;
  if (stream === undefined || method === 'HEAD')
    return new Response(bodyOf(response, method) ?? null, { status, headers: headersOf(response) });
  const left = new AbortController();
  const texts = stream(AbortSignal.any([signal, left.signal]))[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const content = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(body)),
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: () => left.abort(),
  });
  return new Response(content, { status, headers: pairsOf(headers) });
}

/** `remoteAddr.hostname` of the context of Deno, or `requestIP` of the server of Bun. */
function addressIn(context: unknown, request: Request): string | undefined {
  if (typeof context !== 'object' || context === null) return undefined;
  if ('requestIP' in context && typeof context.requestIP === 'function')
    return textIn(context.requestIP(request), 'address');
  return 'remoteAddr' in context ? textIn(context.remoteAddr, 'hostname') : undefined;
}

function textIn(value: unknown, name: string): string | undefined {
  const text: unknown = Object(value)[name];
  return typeof text === 'string' ? text : undefined;
}
