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

/**
 * Everything that belongs to one mock: the document it serves, and its sandboxes. Where nothing can be
 * refused, the document is compiled for serving when the first request or control call needs it.
 */
export class MockRuntime {
  readonly #contract: Contract;
  readonly #clock: Clock;
  readonly #options: LastingOptions;
  readonly #watchers = new Set<MockWatcher>();
  #seed: Seed | undefined;
  #first: Service | undefined;
  #served: Served | undefined;

  /** Throws `PetstoreError` for options that do not fit the document. */
  constructor(contract: Contract, options: MockOptions, clock: Clock) {
    const { seed = contract.inventory, ...lasting } = options;
    refuseUnusableKeys(contract, options.keys);
    this.#contract = contract;
    this.#clock = clock;
    this.#options = lasting;
    this.#seed = seed;
    if (isRefusable(contract, seed, options)) this.#serve();
  }

  /** The document that is served now. */
  get contract(): Contract {
    return this.#served?.document.service.contract ?? this.#contract;
  }

  get sandboxes(): Sandboxes {
    return this.#serve().sandboxes;
  }

  /** How sandboxes without choices of their own are served. */
  get service(): Service {
    return this.#serve().document.service;
  }

  get pipeline(): Pipeline {
    return this.#serve().pipeline;
  }

  /** The service under the mock's choices and more. Throws `PetstoreError`. */
  serviceFor(choices: ChoiceIds): Service {
    return this.#serve().document.serviceFor(choices);
  }

  /** Replaces a sandbox's choices; gives items without a place then. Throws `PetstoreError`. */
  choose(sandbox: Sandbox, choices: ChoiceIds): readonly MisplacedItem[] {
    const service = this.serviceFor(choices);
    sandbox.choices = choices;
    return sandbox.adopt(service);
  }

  /** A document to serve; unfit items of the seed are reported. Throws `PetstoreError`. */
  plan(changed: Contract, onUnfitItem: (fault: PetstoreError) => void): ServedDocument {
    this.#serve();
    const seed = this.#first?.collections.seedItems;
    return createServedDocument(changed, this.#options, seed, onUnfitItem);
  }

  /** Serves it from now on. Sandboxes keep the service they have. */
  adopt(document: ServedDocument): void {
    const served = this.#serve();
    served.document = document;
    served.sandboxes.adopt(document.service);
    served.pipeline = this.#createPipeline(document, served.sandboxes);
    for (const watcher of this.#watchers) watcher.onReload(document.service.contract);
  }

  /** Reports what happens from now on, until the returned function is called. */
  watch(watcher: MockWatcher): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  #serve(): Served {
    if (this.#served !== undefined) return this.#served;
    const document = createServedDocument(this.#contract, this.#options, this.#seed);
    this.#first = document.service;
    this.#seed = undefined;
    const sandboxes = new Sandboxes(this.#clock, document.service, this.#options);
    const pipeline = this.#createPipeline(document, sandboxes);
    this.#served = { document, sandboxes, pipeline };
    return this.#served;
  }

  #createPipeline({ service }: ServedDocument, sandboxes: Sandboxes): Pipeline {
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

interface Served {
  document: ServedDocument;
  readonly sandboxes: Sandboxes;
  pipeline: Pipeline;
}

/** Options that may not fit the document, and a document whose own choices may not. */
function isRefusable(
  { openQuestions, rateLimit }: Contract,
  seed: Seed = {},
  { choices = {}, limits = {} }: MockOptions,
): boolean {
  const given = [seed, choices, limits].some((option) => Object.keys(option).length > 0);
  return given || openQuestions.length > 0 || rateLimit !== undefined;
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
