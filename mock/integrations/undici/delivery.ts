import type { Dispatcher } from 'undici';
import type { MockAnswer } from '../../http/message.ts';
import { bodyOf, headersOf } from '../in-process/response-body.ts';
import { awaitStart, deliverBody } from '../in-process/delivery.ts';
import type { DoorCore } from '../in-process/integration.ts';

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseEnd']>>[1];

/**
 * Hands one answer to a handler of undici, in the order that undici promises, and waits while the
 * handler pauses. Once the handler aborts, `aborted` rejects with its reason and nothing more is
 * delivered but the error.
 */
export interface Delivery {
  readonly controller: Dispatcher.DispatchController;
  readonly aborted: Promise<never>;
  deliver(answer: MockAnswer, method: string): Promise<void>;
}

export function createDelivery(core: DoorCore, handler: Dispatcher.DispatchHandler): Delivery {
  const abortion = Promise.withResolvers<never>();
  abortion.promise.catch(() => undefined);
  const controller = createController(abortion.reject);
  return {
    controller,
    aborted: abortion.promise,
    async deliver(answer, method) {
      const headers = headersOf(answer);
      const next = async (parts: AsyncIterator<Buffer, void>) =>
        await Promise.race([parts.next(), abortion.promise]);
      await Promise.race([awaitStart(core, answer.delivery), abortion.promise]);
      controller.rawHeaders = headers.flat().map((text) => Buffer.from(text, 'latin1'));
      handler.onResponseStarted?.();
      handler.onResponseStart?.(controller, answer.status, groupHeaders(headers), '');
      const parts = partsOf(core, answer, method);
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
  core: DoorCore,
  answer: MockAnswer,
  method: string,
): AsyncGenerator<Buffer, void> {
  const body = bodyOf(answer, method);
  if (body === undefined) return;
  const bytes = Buffer.from(body);
  if (answer.delivery === undefined) yield bytes;
  else for await (const part of deliverBody(core, bytes, answer.delivery)) yield Buffer.from(part);
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
function groupHeaders(pairs: readonly (readonly [string, string])[]): Headers {
  const groups: Record<string, string | string[]> = {};
  for (const [name, value] of pairs) {
    const key = name.toLowerCase();
    const before = groups[key];
    groups[key] = before === undefined ? value : [before, value].flat();
  }
  return groups;
}
