import type { Dispatcher } from 'undici';
import type { MockAnswer } from '../exchange.ts';
import { bodyOf, headersOf } from './answer-body.ts';

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseEnd']>>[1];

/**
 * Hands one answer to a handler of undici, in the order that undici promises, and waits while the handler pauses.
 * Once the handler aborts, `aborted` rejects with its reason and nothing more is delivered but the error.
 */
export interface Delivery {
  readonly controller: Dispatcher.DispatchController;
  readonly aborted: Promise<never>;
  deliver(answer: MockAnswer, method: string): Promise<void>;
}

export function createDelivery(handler: Dispatcher.DispatchHandler): Delivery {
  const abortion = Promise.withResolvers<never>();
  abortion.promise.catch(() => undefined);
  const controller = createController(abortion.reject);
  return {
    controller,
    aborted: abortion.promise,
    async deliver(answer, method) {
      const headers = headersOf(answer);
      controller.rawHeaders = headers.flat().map((text) => Buffer.from(text, 'latin1'));
      handler.onResponseStarted?.();
      handler.onResponseStart?.(controller, answer.status, groupHeaders(headers), '');
      await Promise.race([controller.resumed(), abortion.promise]);
      const body = bodyOf(answer, method);
      if (body !== undefined) handler.onResponseData?.(controller, Buffer.from(body));
      await Promise.race([controller.resumed(), abortion.promise]);
      handler.onResponseEnd?.(controller, {});
    },
  };
}

interface Controller extends Dispatcher.DispatchController {
  /** Resolved while the handler is not paused. */
  resumed(): Promise<void>;
}

function createController(onAbort: (reason: Error) => void): Controller {
  let [reason, gate]: [Error | null, PromiseWithResolvers<void> | undefined] = [null, undefined];
  return {
    rawHeaders: null,
    get aborted() { return reason !== null; },
    get reason() { return reason; },
    get paused() { return gate !== undefined; },
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
