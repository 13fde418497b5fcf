import type { Dispatcher } from 'undici';
import { type MockResponse, contentOf } from '../../http/message.ts';
import { bodyOf, headersOf } from '../in-process/response-body.ts';
import { awaitStart, deliverBody } from '../in-process/delivery.ts';
import type { IntegrationCore } from '../in-process/integration.ts';

type HandlerHeaders = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseEnd']>>[1];

/**
 * Hands one response to a handler of undici, and waits while it pauses. Once it aborts, `aborted`
 * rejects with its reason and only the error is delivered.
 */
export interface HandlerDelivery {
  readonly controller: Dispatcher.DispatchController;
  readonly aborted: Promise<never>;
  deliver(response: MockResponse, method: string): Promise<void>;
}

export function createDelivery(
  core: IntegrationCore,
  handler: Dispatcher.DispatchHandler,
): HandlerDelivery {
  const abortion = Promise.withResolvers<never>();
  abortion.promise.catch(() => undefined);
  const end = new AbortController();
  const controller = createController((reason) => {
    abortion.reject(reason);
    end.abort(reason);
  });
  return {
    controller,
    aborted: abortion.promise,
    async deliver(response, method) {
      const headers = headersOf(response);
      const next = async (parts: AsyncIterator<Buffer, void>) =>
        await Promise.race([parts.next(), abortion.promise]);
      await Promise.race([awaitStart(core, response.delivery, end.signal), abortion.promise]);
      controller.rawHeaders = headers.flat().map((text) => Buffer.from(text, 'latin1'));
      handler.onResponseStarted?.();
      handler.onResponseStart?.(controller, response.status, groupHeaders(headers), '');
      const parts = partsOf(core, response, method, end.signal);
      await Promise.race([controller.resumed(), abortion.promise]);
      for (let part = await next(parts); part.done !== true; part = await next(parts)) {
        handler.onResponseData?.(controller, part.value);
        await Promise.race([controller.resumed(), abortion.promise]);
      }
      handler.onResponseEnd?.(controller, {});
    },
  };
}

async function* partsOf(
  core: IntegrationCore,
  response: MockResponse,
  method: string,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void> {
  const body = bodyOf(response, method);
  if (body === undefined) return;
  if (response.delivery === undefined) yield Buffer.from(body);
  else
    for await (const part of deliverBody(core, contentOf(response), response.delivery, signal))
      yield Buffer.from(part);
}

interface Controller extends Dispatcher.DispatchController {
  /** Resolved while the handler is not paused. */
  resumed(): Promise<void>;
}

function createController(onAbort: (reason: Error) => void): Controller {
  let [reason, gate]: [Error | null, PromiseWithResolvers<void> | undefined] = [null, undefined];
  return {
    rawHeaders: null,
    get aborted() {
      return reason !== null;
    },
    get reason() {
      return reason;
    },
    get paused() {
      return gate !== undefined;
    },
    abort(why) {
      reason ??= why;
      onAbort(reason);
    },
    pause() {
      gate ??= Promise.withResolvers<void>();
    },
    resume() {
      gate?.resolve();
      gate = undefined;
    },
    async resumed() {
      await gate?.promise;
      if (reason !== null) throw reason;
    },
  };
}

/** Values by name in lower case; a name that occurs again has a list. */
function groupHeaders(pairs: readonly (readonly [string, string])[]): HandlerHeaders {
  const groups: Record<string, string | string[]> = {};
  for (const [name, value] of pairs) {
    const key = name.toLowerCase();
    const before = groups[key];
    groups[key] = before === undefined ? value : [before, value].flat();
  }
  return groups;
}
