import type { Contract } from '../contract/index.ts';
import { compileAction } from './actions.ts';
import type { Clock } from './clock.ts';
import { type Collection, compileCollection } from './collection.ts';
import { corsHeaders } from './cors.ts';
import { compileEndpoint } from './endpoint.ts';
import { compileErrorBody } from './error-body.ts';
import type { Gaps } from './gaps.ts';
import type { Exchange } from './journal.ts';
import { type Caller, type Keyring, createKeyring, keysOf } from './keyring.ts';
import { type OpenMeter, compileMeters } from './meter.ts';
import type { Pipeline } from './pipeline.ts';
import { ANONYMOUS } from './plan-limits.ts';
import type { Limits } from './rate-limit.ts';
import { createRouter } from './router.ts';
import type { Sampling } from './sampler.ts';
import { createSandbox } from './sandbox.ts';
import { type Seed, exampleSeed, sowSeed } from './seed.ts';
import { createWardrobe } from './wardrobe.ts';

/** The parts of one mock. */
export interface Parts {
  readonly contract: Contract;
  readonly gaps: Gaps;
  readonly limits: ReadonlyMap<string, Limits>;
  readonly sampling: Sampling;
  readonly clock: Clock;
  readonly seed: Seed | undefined;
  readonly onExchange: ((exchange: Exchange) => void) | undefined;
}

/** Puts the pipeline of a mock together. Throws `SeedError`. */
export function assemblePipeline(parts: Parts): Pipeline {
  const { contract, gaps, sampling, onExchange } = parts;
  const collections = contract.resources.map((resource) => compileCollection(contract, resource, gaps));
  const common = corsHeaders(contract);
  const endpoints = contract.operations.map((operation) =>
    compileEndpoint(contract, operation, gaps, compileAction(contract, operation, collections, gaps, sampling.sampler), common));
  return {
    router: createRouter(contract, endpoints, common, gaps.choose('undescribed-requests').id === 'not-found'),
    keyring: assembleKeyring(parts, collections),
    wardrobe: createWardrobe(compileErrorBody(contract, gaps), gaps.choose('rate-limit-body').id),
    onExchange,
  };
}

/** All keys share the main sandbox; each has a meter of its own. */
function assembleKeyring({ contract, gaps, limits, clock, seed }: Parts, collections: readonly Collection[]): Keyring {
  const sandbox = createSandbox('main', clock);
  sowSeed(collections, sandbox, seed ?? exampleSeed(collections));
  const openMeter: OpenMeter = compileMeters(contract.rateLimit, gaps);
  const callers = keysOf(contract).map(({ key, plan }): [string, Caller] => [key, { plan, sandbox, meter: openMeter(limits.get(plan)) }]);
  return createKeyring(new Map(callers), { plan: undefined, sandbox, meter: openMeter(limits.get(ANONYMOUS)) }, contract.title);
}
