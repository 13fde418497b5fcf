import type { Contract, Credential } from '../contract/index.ts';
import { assemblePipeline } from './assembly.ts';
import { type Clock, systemClock } from './clock.ts';
import { corsHeaders } from './cors.ts';
import type { MockFetch } from './doors/fetch.ts';
import { standIn } from './endpoint.ts';
import type { MockAnswer, MockRequest } from './exchange.ts';
import { createGaps } from './gaps.ts';
import type { Exchange } from './journal.ts';
import { keysOf } from './keyring.ts';
import { type ListenOptions, type Listening, listen } from './node-server.ts';
import { type Pipeline, answerRequest } from './pipeline.ts';
import { type BanOptions, type LimitOptions, compileLimits } from './plan-limits.ts';
import type { Limits } from './rate-limit.ts';
import { type Refusal, refuse } from './refusal.ts';
import { openSampling } from './sampler.ts';
import type { Seed } from './seed.ts';

export interface MockOptions extends BanOptions {
  /** Items to start with; by default those of the document's list examples, `{}` for none. */
  readonly seed?: Seed;
  readonly clock?: Clock;
  /** Choices for what the document leaves open: question id to choice id. */
  readonly gaps?: Readonly<Record<string, string>>;
  /** Requests a window by plan, in place of the document's. */
  readonly limits?: LimitOptions;
  /** Called after each request. */
  readonly onExchange?: (exchange: Exchange) => void;
  /** Called with a fault of the mock itself; the request is answered 500. */
  readonly onFault?: (fault: unknown) => void;
}

/** A server that keeps the contract. It has state; two of them share none. */
export interface Mock {
  readonly contract: Contract;
  readonly keys: readonly MockKey[];
  /** Answers a request. Never throws. The one core of all doors. */
  handle(request: MockRequest): MockAnswer;
  /** As the global `fetch`, answered in process; only the path of a URL matters. `petstore-contract/fetch` has one for a base URL. */
  readonly fetch: MockFetch;
  /** The answer to something that is no request, such as malformed HTTP. */
  refuse(refusal: Refusal): MockAnswer;
  /** Resolved when samples of schemas can be made, for documents that need them. `listen` waits for it. */
  readonly ready: Promise<void>;
  /** Opens a door over `node:http`. Rejects with the system's error, such as `EADDRINUSE`. */
  listen(options?: ListenOptions): Promise<Listening>;
}

/** An API key that the mock knows. */
export interface MockKey {
  readonly key: string;
  /** `` in documents without plans. */
  readonly plan: string;
  /** Requests by window; empty in documents without a rate limit. */
  readonly limits: readonly { readonly window: string; readonly limit: number }[];
}

/** A mock of a contract. Throws `SeedError`, `GapError` or `LimitError` for options that do not fit it. */
export function createMock(contract: Contract, options: MockOptions = {}): Mock {
  const { clock = systemClock, seed, onExchange, onFault } = options;
  const gaps = createGaps(contract, options.gaps);
  const limits = compileLimits(contract, gaps, options.limits ?? {}, options);
  const sampling = openSampling(contract);
  const pipeline = assemblePipeline({ contract, gaps, limits, sampling, clock, seed, onExchange });
  const answerRefusal = compileRefusals(contract, pipeline);
  const mock: Mock = {
    contract,
    keys: listKeys(contract, limits),
    ready: sampling.ready,
    refuse: answerRefusal,
    handle(request) {
      try {
        return answerRequest(pipeline, request);
      } catch (fault) {
        onFault?.(fault);
        return answerRefusal(refuse('internal_fault', 'The mock has a fault; its log says more.'));
      }
    },
    async fetch(input, init) {
      const { createFetch } = await import('./doors/fetch.ts');
      return await createFetch(mock)(input, init);
    },
    async listen(listenOptions) {
      await sampling.ready;
      return await listen(mock, listenOptions);
    },
  };
  return mock;
}

const NO_CREDENTIAL: Credential = { kind: 'none' };

/** Answers refusals of what never was a request. They are not counted, and carry the headers of callers without a key. */
function compileRefusals(contract: Contract, { keyring, wardrobe }: Pipeline): (refusal: Refusal) => MockAnswer {
  const { meter, sandbox } = keyring.identify(NO_CREDENTIAL, {}, '').caller;
  const nowhere = standIn(NO_CREDENTIAL, corsHeaders(contract), false, () => refuse('malformed_request', ''));
  return (refusal) => wardrobe.dress(nowhere, refusal, meter, sandbox.clock.now());
}

function listKeys(contract: Contract, limits: ReadonlyMap<string, Limits>): readonly MockKey[] {
  return keysOf(contract).map(({ key, plan }) => {
    const windows = limits.get(plan)?.windows ?? [];
    return { key, plan, limits: windows.map(({ name, limit }) => ({ window: name, limit })) };
  });
}
