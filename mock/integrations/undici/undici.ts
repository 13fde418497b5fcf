import { Agent, Client, type Dispatcher, errors } from 'undici';
import { type Address, compileAddress } from '../in-process.ts';
import { type ServedMock, serveInProcess } from '../node/server.ts';

export interface DispatcherOptions {
  /** Gets the requests to other addresses. By default they fail, so that no test reaches the network. */
  readonly fallback?: Dispatcher;
}

/**
 * A dispatcher of undici 8 that a mock answers in process. `baseUrl` without a path is the whole
 * origin. Throws `TypeError` for anything but an http or https URL. Closing it does not close the mock.
 */
export function createDispatcher(
  core: ServedMock,
  baseUrl: string | URL,
  options: DispatcherOptions = {},
): Dispatcher {
  const address = compileAddress(core.contract.basePath, baseUrl);
  return new MockDispatcher(core, address, options.fallback);
}

/** An agent of undici whose connections end in the mock. */
class MockDispatcher extends Agent {
  readonly #address: Address;
  readonly #fallback: Dispatcher | undefined;

  constructor(core: ServedMock, address: Address, fallback: Dispatcher | undefined) {
    const { origin } = address;
    const { respond } = core;
    const open = serveInProcess({
      contract: core.contract,
      handle: (request) => core.handle({ ...request, origin }),
      respond: respond && (async (request) => await respond({ ...request, origin })),
      refuse: (refusal) => core.refuse(refusal),
      sleep: (milliseconds, signal) => core.sleep(milliseconds, signal),
      control: () => core.control(),
    });
    super({
      // A delayed response waits by the clock of the mock.
      headersTimeout: 0,
      bodyTimeout: 0,
      // Not at once: undici calls this before it waits. Any stream will do, although the types ask for a socket.
      connect: (_, done) =>
        queueMicrotask(() => void Reflect.apply(done, undefined, [null, open()])),
    });
    this.#address = address;
    this.#fallback = fallback;
  }

  override dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    const { origin } = new URL(options.origin ?? this.#address.origin);
    const path = this.#address.locate(origin, options.path);
    if (path !== undefined) return super.dispatch({ ...options, origin, path }, handler);
    if (this.#fallback !== undefined) return this.#fallback.dispatch(options, handler);
    const error = new errors.NotSupportedError(
      `The mock responds only to requests to ${this.#address.origin}, not to ${origin}${options.path}.`,
    );
    const nowhere = new Client(origin, {
      connect: (_, done) => queueMicrotask(() => done(error, null)),
    });
    return nowhere.dispatch(options, handler);
  }
}
