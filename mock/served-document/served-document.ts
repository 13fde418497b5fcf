import type { Contract } from '../../contract/contract.ts';
import type { PetstoreError } from '../../contract/error/petstore-error.ts';
import type { Clock } from '../sandbox/clock.ts';
import { Keyring, refuseUnusableKeys } from '../sandbox/keyring.ts';
import type { MockOptions } from './options.ts';
import type { JournalEntry } from '../sandbox/journal-entry.ts';
import type { Pipeline } from '../sandbox/pipeline.ts';
import { type Sandbox, Sandboxes } from '../sandbox/sandbox.ts';
import type { Seed } from '../items/seed.ts';
import {
  type ChoiceIds,
  type Service,
  type ServiceParts,
  compileService,
} from '../sandbox/service.ts';
import type { MisplacedItem } from '../items/store/store.ts';

/** Is notified of what happens in a mock. */
export interface MockWatcher {
  /** Of each request of every sandbox, when it is answered. */
  onEntry(entry: JournalEntry): void;
  /** Others who share the state have changed parts of a sandbox, without a request. */
  onChange?(sandbox: string, parts: readonly string[]): void;
  /** Another document is served. */
  onReload(contract: Contract): void;
}

/** The seed is not among what lasts: it is kept once, as the items that were made of it. */
type LastingOptions = Omit<MockOptions, 'seed'>;

/** Services are kept for so many sets of choices; one that is forgotten is compiled again. */
const maxServices = 50;

/** Everything that belongs to one mock: the document it serves, and its sandboxes. */
export class MockRuntime {
  readonly sandboxes: Sandboxes;
  pipeline: Pipeline;
  readonly #options: LastingOptions;
  readonly #watchers = new Set<MockWatcher>();
  /** How sandboxes without choices of their own are served. */
  service: Service;
  /** It has all items of the seed. */
  readonly #first: Service;
  /** Services under other choices, by these. */
  readonly #others = new Map<string, Service>();
  /** Called for items of the seed that other choices leave out; by default an error. */
  #onUnfitItem: (() => void) | undefined;

  /** Throws `PetstoreError` for options that do not fit the document. */
  constructor(contract: Contract, options: MockOptions, clock: Clock) {
    const { seed = contract.inventory, ...lasting } = options;
    refuseUnusableKeys(contract, options.keys);
    this.#options = lasting;
    this.service = this.#compile(contract, {}, seed, undefined);
    this.#first = this.service;
    this.sandboxes = new Sandboxes(clock, this.service, lasting);
    this.pipeline = this.#createPipeline();
    const { onEntry } = options;
    if (onEntry !== undefined) this.watch({ onEntry, onReload: () => {} });
  }

  /** The service under the mock's choices and more. Throws `PetstoreError`. */
  serviceFor(choices: ChoiceIds): Service {
    const chosen = Object.entries(choices).toSorted(([a], [b]) => (a < b ? -1 : 1));
    if (chosen.length === 0) return this.service;
    const id = JSON.stringify(chosen);
    const { collections, contract } = this.service;
    const found =
      this.#others.get(id) ??
      this.#compile(contract, choices, collections.seedItems, this.#onUnfitItem);
    this.#others.set(id, found);
    const [oldest] = this.#others.keys();
    if (this.#others.size > maxServices && oldest !== undefined) this.#others.delete(oldest);
    return found;
  }

  /** Replaces a sandbox's choices; gives items without a place then. Throws `PetstoreError`. */
  choose(sandbox: Sandbox, choices: ChoiceIds): readonly MisplacedItem[] {
    const service = this.serviceFor(choices);
    sandbox.choices = choices;
    return sandbox.adopt(service);
  }

  /** A document to serve; unfit items of the seed are reported. Throws `PetstoreError`. */
  plan(changed: Contract, onUnfitItem: (fault: PetstoreError) => void): Service {
    return this.#compile(changed, {}, this.#first.collections.seedItems, onUnfitItem);
  }

  /** Serves it from now on. Sandboxes keep the service they have. */
  adopt(service: Service): void {
    this.service = service;
    this.#others.clear();
    this.#onUnfitItem = () => undefined;
    this.sandboxes.adopt(service);
    this.pipeline = this.#createPipeline();
    for (const watcher of this.#watchers) watcher.onReload(service.contract);
  }

  /** Reports what happens from now on, until the returned function is called. */
  watch(watcher: MockWatcher): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  #compile(
    contract: Contract,
    choices: ChoiceIds,
    seed: Seed | undefined,
    onUnfitItem: ServiceParts['onUnfitItem'],
  ): Service {
    const { limits = {}, choices: own, ...options } = this.#options;
    const parts = { ...options, contract, limits, seed, onUnfitItem };
    return compileService(parts, { ...own, ...choices });
  }

  #createPipeline(): Pipeline {
    const { sandboxes, service } = this;
    return {
      router: service.routerAt(Number.NEGATIVE_INFINITY),
      keyring: new Keyring(service.contract, sandboxes, this.#options.keys),
      memory: sandboxes.memory,
      watchers: this.#watchers,
    };
  }
}
