import type { Contract } from '../../contract/contract.ts';
import type { PetstoreError } from '../../contract/error/petstore-error.ts';
import type { Clock } from '../sandbox/clock.ts';
import { Keyring, refuseUnusableKeys } from '../sandbox/keyring.ts';
import type { MockOptions } from './options.ts';
import type { JournalEntry } from '../sandbox/journal-entry.ts';
import type { Pipeline } from '../sandbox/pipeline.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { Sandboxes } from '../sandbox/sandboxes.ts';
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

/** A document as it is served: its services by choices. */
export interface ServedDocument {
  readonly service: Service;
  serviceFor(choices: ChoiceIds): Service;
}

/** The seed is not among what lasts: it is kept once, as the items that were made of it. */
type LastingOptions = Omit<MockOptions, 'seed'>;

/** Services are kept for so many sets of choices; one that is forgotten is compiled again. */
const mostServices = 50;

/** Everything that belongs to one mock: the document it serves, and its sandboxes. */
export class MockRuntime {
  readonly sandboxes: Sandboxes;
  pipeline: Pipeline;
  readonly #options: LastingOptions;
  readonly #watchers = new Set<MockWatcher>();
  /** It has the items of the seed. */
  readonly #first: Service;
  #document: ServedDocument;

  /** Throws `PetstoreError` for options that do not fit the document. */
  constructor(contract: Contract, options: MockOptions, clock: Clock) {
    const { seed = contract.inventory, ...lasting } = options;
    refuseUnusableKeys(contract, options.keys);
    this.#options = lasting;
    this.#document = createServedDocument(contract, lasting, seed);
    this.#first = this.service;
    this.sandboxes = new Sandboxes(clock, this.service, lasting);
    this.pipeline = this.#createPipeline();
  }

  /** The document that is served now. */
  get contract(): Contract {
    return this.service.contract;
  }

  /** How sandboxes without choices of their own are served. */
  get service(): Service {
    return this.#document.service;
  }

  /** The service under the mock's choices and more. Throws `PetstoreError`. */
  serviceFor(choices: ChoiceIds): Service {
    return this.#document.serviceFor(choices);
  }

  /** Replaces a sandbox's choices; gives items without a place then. Throws `PetstoreError`. */
  choose(sandbox: Sandbox, choices: ChoiceIds): readonly MisplacedItem[] {
    const service = this.serviceFor(choices);
    sandbox.choices = choices;
    return sandbox.adopt(service);
  }

  /** A document to serve; unfit items of the seed are reported. Throws `PetstoreError`. */
  plan(changed: Contract, onUnfitItem: (fault: PetstoreError) => void): ServedDocument {
    const seed = this.#first.collections.seedItems;
    return createServedDocument(changed, this.#options, seed, onUnfitItem);
  }

  /** Serves it from now on. Sandboxes keep the service they have. */
  adopt(document: ServedDocument): void {
    this.#document = document;
    this.sandboxes.adopt(document.service);
    this.pipeline = this.#createPipeline();
    for (const watcher of this.#watchers) watcher.onReload(document.service.contract);
  }

  /** Reports what happens from now on, until the returned function is called. */
  watch(watcher: MockWatcher): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  #createPipeline(): Pipeline {
    const { sandboxes, service } = this;
    const { keys, onEntry } = this.#options;
    return {
      router: service.routerAt(Number.NEGATIVE_INFINITY),
      keyring: new Keyring(service.contract, sandboxes, keys),
      memory: sandboxes.memory,
      onEntry: (entry) => {
        onEntry?.(entry);
        for (const watcher of this.#watchers) watcher.onEntry(entry);
      },
    };
  }
}

function createServedDocument(
  contract: Contract,
  { limits = {}, choices: ownChoices = {}, ...options }: LastingOptions,
  seed: Seed | undefined,
  onUnfitItem?: (fault: PetstoreError) => void,
): ServedDocument {
  const parts: Omit<ServiceParts, 'seed'> = { ...options, contract, limits };
  const service = compileService({ ...parts, seed, onUnfitItem }, ownChoices);
  const compileOther = (choices: ChoiceIds): Service => {
    const seedAgain = service.collections.seedItems;
    const ignoreUnfit = onUnfitItem && (() => undefined);
    return compileService({ ...parts, seed: seedAgain, onUnfitItem: ignoreUnfit }, choices);
  };
  const known = new Map<string, Service>();
  return {
    service,
    serviceFor(choices) {
      const all = { ...ownChoices, ...choices };
      const id = JSON.stringify(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1)));
      const found =
        Object.keys(choices).length === 0 ? service : (known.get(id) ?? compileOther(all));
      if (found !== service) known.set(id, found);
      const [oldest] = known.keys();
      if (known.size > mostServices && oldest !== undefined) known.delete(oldest);
      return found;
    },
  };
}
