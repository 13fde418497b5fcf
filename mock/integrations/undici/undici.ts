import { Dispatcher, errors } from 'undici';
import { type RequestContent, type RequestHeaders, contentOf } from '../../http/message.ts';
import {
  type Address,
  ContentCollector,
  type IntegrationCore,
  awaitStart,
  bodyOf,
  compileAddress,
  deliverBody,
  headersOf,
} from '../in-process.ts';

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
  readonly #underWay = new Map<Promise<void>, Controller>();
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
    const controller = new Controller();
    const call = this.#respond(target ?? '', options, handler, controller, refusal)
      .catch((error: unknown) =>
        handler.onResponseError?.(
          controller,
          error instanceof Error ? error : new errors.UndiciError(String(error)),
        ),
      )
      .finally(() => this.#underWay.delete(call));
    this.#underWay.set(call, controller);
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

  /** Calls nothing before `dispatch` has returned: callers count on it. */
  async #respond(
    target: string,
    { method, headers, body }: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
    controller: Controller,
    refusal: Error | undefined,
  ): Promise<void> {
    const core = this.#core;
    await core.ready;
    const refused = this.#destroyed ?? refusal;
    if (refused !== undefined) throw refused;
    handler.onRequestStart?.(controller, {});
    const content = await controller.race(readBody(body, (part) => handler.onBodySent?.(part)));
    handler.onRequestSent?.();
    const { origin } = this.#address;
    const asked = { method, target, headers: headersIn(headers), content, origin };
    const response = (await core.respond?.(asked)) ?? core.handle(asked);
    const { delivery, status } = response;
    await controller.race(awaitStart(core, delivery, controller.signal));
    const fields = headersOf(response);
    controller.rawHeaders = fields.flat().map((text) => Buffer.from(text, 'latin1'));
    handler.onResponseStarted?.();
    handler.onResponseStart?.(controller, status, groupHeaders(fields), '');
    await controller.resumed();
    const text = bodyOf(response, method);
    if (text !== undefined && delivery === undefined) {
      handler.onResponseData?.(controller, Buffer.from(text));
      await controller.resumed();
    } else if (text !== undefined && delivery !== undefined) {
      const parts = deliverBody(core, contentOf(response), delivery, controller.signal);
      for (;;) {
        const part = await controller.race(parts.next());
        if (part.done === true) break;
        handler.onResponseData?.(controller, Buffer.from(part.value));
        await controller.resumed();
      }
    }
    handler.onResponseEnd?.(controller, {});
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
    for (const controller of this.#underWay.values()) controller.abort(reason);
    return this.#settle(typeof error === 'function' ? error : callback);
  }

  #settle(callback: (() => void) | undefined): Promise<void> | undefined {
    const done = Promise.all(this.#underWay.keys()).then(() => callback?.());
    return callback === undefined ? done : undefined;
  }
}

/** What a handler of undici pauses, resumes and aborts its response with. */
class Controller implements Dispatcher.DispatchController {
  rawHeaders: Buffer[] | null = null;
  reason: Error | null = null;
  readonly #stop = new AbortController();
  readonly #aborted = Promise.withResolvers<never>();
  #gate: PromiseWithResolvers<void> | undefined;

  constructor() {
    this.#aborted.promise.catch(() => undefined);
  }

  get aborted(): boolean {
    return this.reason !== null;
  }

  get paused(): boolean {
    return this.#gate !== undefined;
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  abort(reason: Error): void {
    this.reason ??= reason;
    this.#aborted.reject(this.reason);
    this.#stop.abort(this.reason);
  }

  pause(): void {
    this.#gate ??= Promise.withResolvers<void>();
  }

  resume(): void {
    this.#gate?.resolve();
    this.#gate = undefined;
  }

  /** Resolved while the handler is not paused. */
  async resumed(): Promise<void> {
    await this.race(this.#gate?.promise);
  }

  /** What comes first: the value, or an abort, which rejects with its reason. */
  async race<Value>(value: Value | Promise<Value>): Promise<Value> {
    if (this.reason !== null) throw this.reason;
    return await Promise.race([value, this.#aborted.promise]);
  }
}

type HandlerHeaders = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseEnd']>>[1];

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

/** The path of a request with what `query` adds to it. */
function pathOf({ path, query }: Dispatcher.DispatchOptions): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries<unknown>(query ?? {}))
    for (const one of listOf(value)) search.append(name, textOf(one));
  return search.size === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${search.toString()}`;
}

/** Headers in any of undici's forms, by name in lower case; values of one name are joined. */
function headersIn(headers: Dispatcher.DispatchOptions['headers']): RequestHeaders {
  const given: object = headers ?? {};
  const listed: readonly unknown[] =
    Symbol.iterator in given ? [...Object(given)] : Object.entries(given);
  const flat = listed.every(Array.isArray) ? listed.flatMap((pair) => pair.slice(0, 2)) : listed;
  const joined = new Map<string, string>();
  for (let at = 0; at < flat.length; at += 2) {
    const name = textOf(flat[at]).toLowerCase();
    for (const value of listOf(flat[at + 1]).map(textOf))
      joined.set(name, joined.has(name) ? `${joined.get(name)}, ${value}` : value);
  }
  return Object.fromEntries(joined);
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** Bytes of a header are Latin-1 (RFC 9110 section 5.5). */
function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Reads a body in any of undici's forms. `onChunk` sees what was taken. */
async function readBody(body: unknown, onChunk: (chunk: Buffer) => void): Promise<RequestContent> {
  if (body === undefined || body === null) return undefined;
  const collector = new ContentCollector();
  for await (const part of partsOf(body)) {
    const chunk = bytesOf(part);
    onChunk(chunk);
    if (!collector.add(chunk)) break;
  }
  return collector.content;
}

function partsOf(body: unknown): Iterable<unknown> | AsyncIterable<unknown> {
  if (typeof body === 'string' || ArrayBuffer.isView(body) || body instanceof ArrayBuffer)
    return [body];
  if (body instanceof Blob) return body.stream();
  const isForm = Object.prototype.toString.call(body) === '[object FormData]';
  if (typeof body === 'object' && body !== null && isIterable(body) && !isForm) return body;
  throw new TypeError(
    'The body must be text, bytes, a blob, a stream or an iterable of bytes. To send a form, use fetch.',
  );
}

function isIterable(body: object): body is Iterable<unknown> | AsyncIterable<unknown> {
  return Symbol.asyncIterator in body || Symbol.iterator in body;
}

function bytesOf(part: unknown): Buffer {
  if (typeof part === 'string') return Buffer.from(part);
  if (part instanceof ArrayBuffer) return Buffer.from(part);
  if (ArrayBuffer.isView(part)) return Buffer.from(part.buffer, part.byteOffset, part.byteLength);
  throw new TypeError('Every part of the body must be text or bytes.');
}
