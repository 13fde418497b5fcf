import type { Contract, PetstoreError } from '../../contract/index.ts';
import type { Clock } from '../sandbox/clock.ts';
import { createKeyring, refuseUnusableKeys } from '../sandbox/keyring.ts';
import type { MockOptions } from './options.ts';
import type { JournalEntry } from '../sandbox/journal-entry.ts';
import type { Pipeline } from '../sandbox/pipeline.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { Sandboxes } from '../sandbox/sandboxes.ts';
import { type Seed, readSeed } from '../store/seed.ts';
import {
  type ChoiceIds,
  type Service,
  type ServiceParts,
  compileService,
} from '../sandbox/service.ts';
import type { MisplacedItem } from '../store/store.ts';

/** Everything that belongs to one mock: the document it serves, and its sandboxes. */
export interface MockRuntime {
  readonly sandboxes: Sandboxes;
  /** How sandboxes without choices of their own are served. */
  readonly service: Service;
  readonly pipeline: Pipeline;
  readonly ready: Promise<void>;
  /** The service under the mock's choices and more. Throws `PetstoreError`. */
  serviceFor(choices: ChoiceIds): Service;
  /** Replaces a sandbox's choices; gives items without a place then. Throws `PetstoreError`. */
  choose(sandbox: Sandbox, choices: ChoiceIds): readonly MisplacedItem[];
  /** A document to serve; unfit items of the seed are told. Throws `PetstoreError`. */
  plan(contract: Contract, onUnfitItem: (fault: PetstoreError) => void): ServedDocument;
  /** Serves it from now on. Sandboxes keep the service they have. */
  adopt(servedDocument: ServedDocument): void;
  /** Tells what happens from now on, until the function that it gives is called. */
  watch(watcher: MockWatcher): () => void;
}

/** Is told what happens in a mock. */
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
  readonly ready: Promise<void>;
  serviceFor(choices: ChoiceIds): Service;
}

/** The seed is not among what lasts: it is kept once, as the items that were made of it. */
type LastingOptions = Omit<MockOptions, 'seed' | 'isSeedTrusted'>;

interface GivenSeed {
  readonly seed: Seed | undefined;
  readonly isSeedTrusted?: boolean | undefined;
}

/** Services are kept for so many sets of choices; one that is forgotten is compiled again. */
const mostServices = 50;

/** Opens the runtime of a mock. Throws `PetstoreError`. */
export function createMockRuntime(
  contract: Contract,
  options: MockOptions,
  clock: Clock,
): MockRuntime {
  const { seed, isSeedTrusted, ...lasting } = options;
  refuseUnusableKeys(contract, options.keys);
  const first = createServedDocument(contract, lasting, { seed, isSeedTrusted });
  const hasSeed = seed !== undefined;
  let servedDocument = first;
  const sandboxes = new Sandboxes(clock, servedDocument.service, lasting);
  let pipeline = createPipeline(servedDocument, sandboxes, lasting);
  const watchers = new Set<MockWatcher>();
  // Where nobody watches, requests know nothing of it.
  const observe = (): void => {
    const onEntry = (entry: JournalEntry): void => {
      lasting.onEntry?.(entry);
      for (const watcher of watchers) watcher.onEntry(entry);
    };
    pipeline = { ...pipeline, onEntry: watchers.size === 0 ? lasting.onEntry : onEntry };
  };
  return {
    sandboxes,
    get service() {
      return servedDocument.service;
    },
    get pipeline() {
      return pipeline;
    },
    get ready() {
      return servedDocument.ready;
    },
    serviceFor: (choices) => servedDocument.serviceFor(choices),
    choose(sandbox, choices) {
      const service = servedDocument.serviceFor(choices);
      sandbox.choices = choices;
      return sandbox.adopt(service);
    },
    plan(changed, onUnfitItem) {
      const seedAgain = hasSeed ? readSeed(first.service.collections) : undefined;
      return createServedDocument(changed, lasting, { seed: seedAgain }, onUnfitItem);
    },
    adopt(changed) {
      servedDocument = changed;
      sandboxes.adopt(changed.service);
      pipeline = createPipeline(changed, sandboxes, lasting);
      observe();
      for (const watcher of watchers) watcher.onReload(changed.service.contract);
    },
    watch(watcher) {
      watchers.add(watcher);
      observe();
      return () => {
        watchers.delete(watcher);
        observe();
      };
    },
  };
}

function createPipeline(
  { service }: ServedDocument,
  sandboxes: Sandboxes,
  { onEntry, keys }: LastingOptions,
): Pipeline {
  return {
    router: service.routerAt(Number.NEGATIVE_INFINITY),
    keyring: createKeyring(service.contract, sandboxes, keys),
    memory: sandboxes.memory,
    onEntry,
  };
}

function createServedDocument(
  contract: Contract,
  { limits = {}, choices: ownChoices = {}, ...options }: LastingOptions,
  { seed, isSeedTrusted }: GivenSeed,
  onUnfitItem?: (fault: PetstoreError) => void,
): ServedDocument {
  const parts: Omit<ServiceParts, 'seed'> = { ...options, contract, limits };
  const service = compileService({ ...parts, seed, isSeedTrusted, onUnfitItem }, ownChoices);
  const compileOther = (choices: ChoiceIds): Service => {
    const seedAgain = readSeed(service.collections);
    const ignoreUnfit = onUnfitItem && (() => undefined);
    return compileService({ ...parts, seed: seedAgain, onUnfitItem: ignoreUnfit }, choices);
  };
  const known = new Map<string, Service>();
  return {
    service,
    ready: Promise.resolve(),
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
