import type { Contract, Credential } from '../contract/index.ts';
import { needsSample } from './actions/example.ts';
import type { Sampler } from './actions/example.ts';
import { compileAction, roleOf } from './actions.ts';
import { type Clock, systemClock } from './clock.ts';
import { type Collection, compileCollection } from './collection.ts';
import { corsHeaders } from './cors.ts';
import { compileEndpoint, standIn } from './endpoint.ts';
import { compileErrorBody } from './error-body.ts';
import type { MockAnswer, MockRequest } from './exchange.ts';
import { type Gaps, createGaps } from './gaps.ts';
import type { Exchange } from './journal.ts';
import { type Caller, createKeyring, keysOf } from './keyring.ts';
import { type Meter, createMeter, unlimited } from './meter.ts';
import { type ListenOptions, type Listening, listen } from './node-server.ts';
import { type Pipeline, answerRequest } from './pipeline.ts';
import { ANONYMOUS, type BanOptions, type LimitOptions, compileLimits } from './plan-limits.ts';
import type { Limits } from './rate-limit.ts';
import { type Refusal, refuse } from './refusal.ts';
import { createRouter } from './router.ts';
import { loadSampler } from './sampler.ts';
import { createSandbox } from './sandbox.ts';
import { type Seed, exampleSeed, sowSeed } from './seed.ts';
import { createWardrobe } from './wardrobe.ts';

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
  const gaps = createGaps(contract, options.gaps);
  const limits = compileLimits(contract, gaps, options.limits ?? {}, options);
  const samples = createSamples(contract);
  const pipeline = compilePipeline(contract, gaps, limits, samples.sampler, options);
  const nowhere = standIn(NO_CREDENTIAL, corsHeaders(contract), false, () => refuse('malformed_request', ''));
  const answerRefusal = (refusal: Refusal): MockAnswer => {
    const { meter, sandbox } = pipeline.keyring.identify(NO_CREDENTIAL, {}, '').caller;
    return pipeline.wardrobe.dress(nowhere, refusal, meter, sandbox.clock.now());
  };
  const mock: Mock = {
    contract,
    keys: keysOf(contract).map((key) => ({ ...key, limits: limits.get(key.plan)?.windows.map(({ name, limit }) => ({ window: name, limit })) ?? [] })),
    ready: samples.ready,
    handle(request) {
      try {
        return answerRequest(pipeline, request);
      } catch (fault) {
        options.onFault?.(fault);
        return answerRefusal(refuse('internal_fault', 'The mock has a fault; its log says more.'));
      }
    },
    refuse: answerRefusal,
    listen: async (listenOptions) => {
      await samples.ready;
      return await listen(mock, listenOptions);
    },
  };
  return mock;
}

const NO_CREDENTIAL: Credential = { kind: 'none' };

function compilePipeline(contract: Contract, gaps: Gaps, limits: ReadonlyMap<string, Limits>, sampler: () => Sampler | undefined, options: MockOptions): Pipeline {
  const collections = contract.resources.map((resource) => compileCollection(contract, resource, gaps));
  const common = corsHeaders(contract);
  const endpoints = contract.operations.map((operation) =>
    compileEndpoint(contract, operation, gaps, compileAction(contract, operation, collections, gaps, sampler), common));
  const limitBody = gaps.choose('rate-limit-body').id;
  return {
    router: createRouter(contract, endpoints, common, gaps.choose('undescribed-requests').id === 'not-found'),
    keyring: compileKeyring(contract, gaps, limits, collections, options),
    wardrobe: createWardrobe(compileErrorBody(contract, gaps), limitBody === 'empty' || limitBody === 'text' ? limitBody : 'error'),
    onExchange: options.onExchange,
  };
}

function compileKeyring(contract: Contract, gaps: Gaps, limits: ReadonlyMap<string, Limits>, collections: readonly Collection[], { clock = systemClock, seed }: MockOptions) {
  const sandbox = createSandbox('main', clock);
  sowSeed(collections, sandbox, seed ?? exampleSeed(collections));
  const openMeter = compileMeter(contract, gaps, limits);
  const callers = keysOf(contract).map(({ key, plan }): [string, Caller] => [key, { plan, sandbox, meter: openMeter(plan) }]);
  return createKeyring(new Map(callers), { plan: undefined, sandbox, meter: openMeter(ANONYMOUS) }, contract.title);
}

function compileMeter({ rateLimit }: Contract, gaps: Gaps, limits: ReadonlyMap<string, Limits>): (plan: string) => Meter {
  const counted = gaps.choose('counted-requests').id;
  const retryAfter = gaps.choose('retry-after-format').id === 'http-date' ? 'http-date' : 'seconds';
  return (plan) => {
    const ofPlan = limits.get(plan);
    if (rateLimit === undefined || ofPlan === undefined) return unlimited;
    const { status, headers } = rateLimit;
    return createMeter(ofPlan, { status, headers, counted: counted === 'all' || counted === 'successful' ? counted : 'within-limit', retryAfter });
  };
}

function createSamples(contract: Contract): { readonly ready: Promise<void>; readonly sampler: () => Sampler | undefined } {
  const needed = contract.operations.some((operation) => needsSample(operation) && !contract.resources.some((resource) => roleOf(resource, operation) !== undefined));
  let loaded: Sampler | undefined;
  const load = async (): Promise<void> => {
    loaded = await loadSampler();
  };
  return { ready: needed ? load() : Promise.resolve(), sampler: () => loaded };
}
