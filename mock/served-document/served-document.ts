import type { Contract } from '../../contract/index.ts';
import type { Clock } from '../sandbox/clock.ts';
import { createKeyring } from '../sandbox/keyring.ts';
import type { MockOptions } from './options.ts';
import type { Pipeline } from '../sandbox/pipeline.ts';
import { openSampling } from '../operation/actions/sampler.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { Sandboxes } from '../sandbox/sandboxes.ts';
import { type Seed, type SeedError, readSeed } from '../store/seed.ts';
import {
  type Choices,
  type Service,
  type ServiceParts,
  compileService,
} from '../sandbox/service.ts';
import type { Misfit } from '../store/store.ts';

/** Everything that belongs to one mock: the document it serves, and its sandboxes. */
export interface House {
  readonly sandboxes: Sandboxes;
  /** How sandboxes without choices of their own are served. */
  readonly service: Service;
  readonly pipeline: Pipeline;
  readonly ready: Promise<void>;
  /** The service under the mock's choices and more. Throws `GapError`. */
  serviceFor(choices: Choices): Service;
  /**
   * Has a sandbox make other choices, kept in place of those it made; gives the items that have no
   * place then. Throws `GapError`, and then nothing changes.
   */
  choose(sandbox: Sandbox, choices: Choices): readonly Misfit[];
  /**
   * What a document would be served by, without serving it. Items of the seed that do not fit are
   * left out, and told. Throws `GapError` or `LimitError`.
   */
  plan(contract: Contract, onMisfit: (fault: SeedError) => void): Edition;
  /** Serves an edition from now on. Sandboxes keep the service they have. */
  adopt(edition: Edition): void;
}

/** A document as it is served: its services by choices. */
export interface Edition {
  readonly service: Service;
  readonly ready: Promise<void>;
  serviceFor(choices: Choices): Service;
}

/** The seed is not among what lasts: it is kept once, as the items that were made of it. */
type LastingOptions = Omit<MockOptions, 'seed' | 'isSeedTrusted'>;

interface GivenSeed {
  readonly seed: Seed | undefined;
  readonly isSeedTrusted?: boolean | undefined;
}

/** Services are kept for so many sets of choices; one that is forgotten is compiled again. */
const MOST_SERVICES = 50;

/** Opens the house of a mock. Throws `GapError`, `LimitError` or `SeedError`. */
export function createHouse(contract: Contract, options: MockOptions, clock: Clock): House {
  const { seed, isSeedTrusted, ...lasting } = options;
  const first = createEdition(contract, lasting, { seed, isSeedTrusted });
  const hasSeed = seed !== undefined;
  let edition = first;
  const sandboxes = new Sandboxes(clock, edition.service, lasting);
  let pipeline = createPipeline(edition, sandboxes, lasting);
  return {
    sandboxes,
    get service() {
      return edition.service;
    },
    get pipeline() {
      return pipeline;
    },
    get ready() {
      return edition.ready;
    },
    serviceFor: (choices) => edition.serviceFor(choices),
    choose(sandbox, choices) {
      const service = edition.serviceFor(choices);
      sandbox.choices = choices;
      return sandbox.adopt(service);
    },
    plan: (changed, onMisfit) =>
      createEdition(
        changed,
        lasting,
        { seed: hasSeed ? readSeed(first.service.collections) : undefined },
        onMisfit,
      ),
    adopt(changed) {
      edition = changed;
      sandboxes.adopt(changed.service);
      pipeline = createPipeline(changed, sandboxes, lasting);
    },
  };
}

function createPipeline(
  { service }: Edition,
  sandboxes: Sandboxes,
  { onExchange }: LastingOptions,
): Pipeline {
  return {
    router: service.routerAt(Number.NEGATIVE_INFINITY),
    keyring: createKeyring(service.contract, sandboxes),
    onExchange,
  };
}

function createEdition(
  contract: Contract,
  { limits = {}, gaps = {}, ...options }: LastingOptions,
  { seed, isSeedTrusted }: GivenSeed,
  onMisfit?: (fault: SeedError) => void,
): Edition {
  const sampling = openSampling(contract);
  const parts: Omit<ServiceParts, 'seed'> = { ...options, contract, sampling, limits };
  const service = compileService({ ...parts, seed, isSeedTrusted, onMisfit }, gaps);
  const compileOther = (choices: Choices): Service =>
    compileService(
      { ...parts, seed: readSeed(service.collections), onMisfit: onMisfit && (() => undefined) },
      choices,
    );
  const known = new Map<string, Service>();
  return {
    service,
    ready: sampling.ready,
    serviceFor(choices) {
      const all = { ...gaps, ...choices };
      const id = JSON.stringify(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1)));
      const found =
        Object.keys(choices).length === 0 ? service : (known.get(id) ?? compileOther(all));
      if (found !== service) known.set(id, found);
      const [oldest] = known.keys();
      if (known.size > MOST_SERVICES && oldest !== undefined) known.delete(oldest);
      return found;
    },
  };
}
