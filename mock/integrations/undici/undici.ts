import { Dispatcher, errors } from 'undici';
import { type Address, compileAddress } from '../in-process/address.ts';
import type { IntegrationCore } from '../in-process/integration.ts';
import { type HandlerDelivery, createDelivery } from './delivery.ts';
import { headersIn, pathOf, readBody } from './request.ts';

export interface DispatcherOptions {
  /** Takes the requests for other addresses. By default they fail: no test reaches the network. */
  readonly fallback?: Dispatcher;
}

/**
 * A dispatcher of undici 8 that a mock answers in process. `baseUrl` without a path is the whole
 * origin. Throws `TypeError` for what is not an http or https URL. Closing it closes it alone.
 */
export function createDispatcher(
  core: IntegrationCore,
  baseUrl: string | URL,
  options: DispatcherOptions = {},
): Dispatcher {
  const address = compileAddress(core.contract.basePath, baseUrl);
  return new MockDispatcher(core, address, options.fallback);
}

class MockDispatcher extends Dispatcher {
  readonly #core: IntegrationCore;
  readonly #address: Address;
  readonly #fallback: Dispatcher | undefined;
  readonly #underWay = new Map<Promise<void>, HandlerDelivery>();
  #isClosed = false;
  #destroyed: Error | undefined;

  constructor(core: IntegrationCore, address: Address, fallback: Dispatcher | undefined) {
    super();
    this.#core = core;
    this.#address = address;
    this.#fallback = fallback;
  }

  override dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    const origin = new URL(options.origin ?? this.#address.origin).origin;
    const path = pathOf(options);
    const target = this.#address.locate(origin, path);
    if (target === undefined && this.#fallback !== undefined)
      return this.#fallback.dispatch(options, handler);
    const refusal = this.#isClosed
      ? new errors.ClientClosedError()
      : this.#refusalOf(target, options, origin + path);
    const delivery = createDelivery(this.#core, handler);
    const call = this.#response(target ?? '', options, handler, delivery, refusal).finally(() =>
      this.#underWay.delete(call),
    );
    this.#underWay.set(call, delivery);
    return true;
  }

  #refusalOf(
    target: string | undefined,
    { method, upgrade }: Dispatcher.DispatchOptions,
    href: string,
  ): Error | undefined {
    if (target === undefined)
      return new errors.NotSupportedError(
        `The mock responds only to requests to ${this.#address.origin}, not to ${href}.`,
      );
    const isTunnel = method === 'CONNECT' || Boolean(upgrade);
    return isTunnel
      ? new errors.NotSupportedError('The mock does not support CONNECT and protocol upgrades.')
      : undefined;
  }

  /** Never before `dispatch` has returned: callers count on it. */
  async #response(
    target: string,
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
    delivery: HandlerDelivery,
    refusal: Error | undefined,
  ): Promise<void> {
    const { controller, aborted } = delivery;
    try {
      await this.#core.ready;
      if (this.#destroyed !== undefined) throw this.#destroyed;
      if (refusal !== undefined) throw refusal;
      handler.onRequestStart?.(controller, {});
      if (controller.reason !== null) throw controller.reason;
      const content = await Promise.race([
        readBody(options.body, (chunk) => handler.onBodySent?.(chunk)),
        aborted,
      ]);
      handler.onRequestSent?.();
      const { method } = options;
      const headers = headersIn(options.headers);
      const asked = { method, target, headers, content, origin: this.#address.origin };
      const response = (await this.#core.respond?.(asked)) ?? this.#core.handle(asked);
      await delivery.deliver(response, method);
    } catch (error) {
      handler.onResponseError?.(
        controller,
        error instanceof Error ? error : new errors.UndiciError(String(error)),
      );
    }
  }

  /** Takes no more requests, and lets those under way finish. */
  override close(): Promise<void>;
  override close(callback: () => void): void;
  override close(callback?: () => void): Promise<void> | undefined {
    this.#isClosed = true;
    return this.#settle(callback);
  }

  /** Takes no more requests, and ends those under way with the error. */
  override destroy(error: Error | null, callback: () => void): void;
  override destroy(callback: () => void): void;
  override destroy(error?: Error | null): Promise<void>;
  override destroy(
    error?: Error | null | (() => void),
    callback?: () => void,
  ): Promise<void> | undefined {
    this.#isClosed = true;
    const reason = error instanceof Error ? error : new errors.ClientDestroyedError();
    this.#destroyed = reason;
    for (const { controller } of this.#underWay.values()) controller.abort(reason);
    return this.#settle(typeof error === 'function' ? error : callback);
  }

  #settle(callback: (() => void) | undefined): Promise<void> | undefined {
    const done = Promise.all(this.#underWay.keys()).then(() => callback?.());
    return callback === undefined ? done : undefined;
  }
}
