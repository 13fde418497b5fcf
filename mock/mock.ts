import type { Contract } from '../contract/contract.ts';
import {
  type OptionNames,
  refuseNoContract,
  refuseUnknownOptions,
} from '../contract/error/api-arguments.ts';
import { sleepBy, systemClock } from './sandbox/clock.ts';
import type { Control } from './control/control.ts';
import type { MockFetch } from './integrations/fetch/fetch.ts';
import { type MockResponse, type MockRequest, addressOf } from './http/message.ts';
import { MockRuntime } from './served-document/served-document.ts';
import { type MockOptions, mockOptionNames } from './served-document/options.ts';
import { type ListenOptions, type Listening, listen } from './integrations/node/server.ts';
import { type MockKey, listKeys } from './sandbox/keyring.ts';
import { type Pipeline, answerRequest } from './sandbox/pipeline.ts';
import { keylessSandbox, mainSandbox } from './control/declaration/sandbox-name.ts';
import { type Refusal, refuse } from './operation/response/refusal.ts';
import type { Reload } from './served-document/reload.ts';

/** A server that implements a contract. Stateful; mocks share no state. */
export interface Mock {
  /** The currently served document. */
  readonly contract: Contract;
  readonly keys: readonly MockKey[];
  /**
   * Responds to a request. Never throws. The common core of all integrations. If state is stored
   * outside of the process, it refuses, and `respond` responds.
   */
  handle(request: MockRequest): MockResponse;
  /**
   * Like `handle`, but stores changes first; undefined if state is only in memory. Never rejects.
   */
  readonly respond: ((request: MockRequest) => Promise<MockResponse>) | undefined;
  /** Like the global `fetch`, in process; ignores the origin of the URL. */
  readonly fetch: MockFetch;
  /**
   * The response to something that is not a request, such as malformed HTTP. `connection`: its
   * connection, such as a socket, for rate limits by address.
   */
  refuse(refusal: Refusal, connection?: object): MockResponse;
  /** Waits as delayed responses do, by the clock of the mock, or until the signal is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /**
   * The control interface: state, time, choices, faults, counts and journal of every sandbox.
   * Loaded on first use.
   */
  control(): Promise<Control>;
  /**
   * Serves another document and keeps every sandbox. Throws, and changes nothing, if the document
   * does not fit.
   */
  reload(contract: Contract): Promise<Reload>;
  /** Listens over `node:http`. Rejects with the system's error, such as `EADDRINUSE`. */
  listen(options?: ListenOptions): Promise<Listening>;
}

export const listenOptionNames = {
  port: true,
  host: true,
  tls: true,
  control: true,
} satisfies OptionNames<ListenOptions>;

/**
 * Creates a mock of a contract. Throws `PetstoreError` for options that are unknown or do not fit.
 */
export function createMock(contract: Contract, options: MockOptions = {}): Mock {
  refuseNoContract('createMock', contract);
  refuseUnknownOptions('createMock', options, mockOptionNames);
  const { clock = systemClock, onFault } = options;
  let made: MockRuntime | undefined;
  // Released after compilation, because a seed may be large.
  let pending = options;
  const runtime = (): MockRuntime => {
    if (made === undefined) {
      made = new MockRuntime(contract, pending, clock);
      pending = {};
    }
    return made;
  };
  if (isRefusable(contract, options)) runtime();
  // Malformed requests are not counted, and get the rate limit of callers without a key.
  const renderRefusal = (refusal: Refusal, connection?: object): MockResponse => {
    const { service, sandboxes } = runtime();
    const { meter, sandbox } = sandboxes
      .peek(service.contract.usualSecurity.length > 0 ? keylessSandbox : mainSandbox)
      .anonymousAt(addressOf(connection));
    const now = sandbox.clock.now();
    return sandbox.service.responseRenderer.render(undefined, refusal, {
      now,
      rate: meter.read(now),
      applied: '',
      target: '',
      sandbox: sandbox.name,
      index: sandbox.journal.count,
    });
  };
  const answer = (request: MockRequest, pipeline?: Pipeline): MockResponse => {
    try {
      return answerRequest(pipeline ?? runtime().pipeline, request);
    } catch (fault) {
      onFault?.(fault);
      return renderRefusal(refuse('internal_fault', 'The mock has a fault; its log says more.'));
    }
  };
  const { state: engine, onNotice: notify = () => {} } = options;
  // If state is only in memory, none of the storage code is loaded.
  const durable =
    engine &&
    import('./state/durable/durable-state.ts').then(
      ({ DurableState }) =>
        new DurableState({ engine, runtime: runtime(), answer, refuse: renderRefusal, notify }),
    );
  const mock: Mock = {
    get contract() {
      return made?.service.contract ?? contract;
    },
    get keys() {
      return listKeys(mock.contract, () => runtime().service);
    },
    refuse: renderRefusal,
    handle:
      durable === undefined
        ? (request) => answer(request)
        : () => renderRefusal(refuse('internal_fault', 'This mock keeps its state: `respond`.')),
    respond: durable && (async (request) => await (await durable).respond(request)),
    async fetch(input, init) {
      const { createFetch } = await import('./integrations/fetch/fetch.ts');
      return await createFetch(mock)(input, init);
    },
    sleep: (milliseconds, signal) => sleepBy(clock, milliseconds, signal),
    control: async () =>
      new (await import('./control/control.ts')).Control(runtime(), await durable),
    async reload(changed) {
      const { reloadRuntime } = await import('./served-document/reload.ts');
      const state = await durable;
      try {
        return reloadRuntime(runtime(), changed);
      } finally {
        // Pending writes belong to the previous document.
        state?.invalidate();
      }
    },
    async listen(listenOptions = {}) {
      refuseUnknownOptions('listen', listenOptions, listenOptionNames);
      return await listen(mock, listenOptions);
    },
  };
  return mock;
}

/**
 * Options, or the document's own choices, may not fit the document, so it is compiled when the mock
 * is made. Any other document is compiled for the first request, or for the control interface.
 */
function isRefusable(
  { openQuestions, rateLimit, inventory }: Contract,
  { seed = inventory, choices, limits, keys }: MockOptions,
): boolean {
  const isGiven = [seed, choices, limits, keys].some(
    (option) => Object.keys(option ?? {}).length > 0,
  );
  return isGiven || openQuestions.length > 0 || rateLimit !== undefined;
}
