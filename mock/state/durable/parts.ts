import * as codec from '../../../contract/json/codec.ts';
import { renderJson } from '../../../contract/json/value.ts';
import { faultsOf } from '../../control/fault/faults.ts';
import { renewSandbox } from '../../control/restore-sandbox.ts';
import { stubsOf } from '../../control/stub/stubs.ts';
import { exchange, type Exchange } from '../../sandbox/journal-entry.ts';
import type { Sandbox, Snapshot } from '../../sandbox/sandbox.ts';
import type { LimitOptions } from '../../rate-limit/plans.ts';
import type { ChoiceIds, Service } from '../../sandbox/service.ts';
import { applySettings, findService } from '../../served-document/reload.ts';
import type { MockRuntime } from '../../served-document/served-document.ts';
import type { Inventory } from '../../items/store/inventory.ts';
import type { Item } from '../../items/store/item.ts';
import type { Parts } from '../engine.ts';
import {
  type Facts,
  facts as factsCodec,
  format,
  parseFacts,
  parsePart,
  parsePartName,
  partitionHead,
  placedEntity,
  renderPart,
  snapshot as snapshotCodec,
  stubs as stubsCodec,
  unreadable,
} from './facts.ts';
import {
  bareInventory,
  bareItems,
  fill,
  openEntity,
  openPartition,
  openSnapshot,
  storeEntity,
  storeSnapshot,
} from './snapshots.ts';
import { type Change, StoredKind, asText } from './stored-kind.ts';

/**
 * What is stored of a sandbox. It finds what differs from the sandbox in memory, and makes the sandbox
 * what is stored, so nothing else has to record changes or undo them. Items, entities and entries of the
 * journal are immutable, so comparing references is enough: some milliseconds for 100,000 items.
 */
export class StoredParts {
  readonly #runtime: MockRuntime;
  readonly #facts = new StoredKind('facts', { depth: 0, ...asText });
  readonly #stubs = new StoredKind('stubs', { depth: 0, ...asText });
  /** Items in the form of the document, and those that do not fit it. */
  readonly #items = new StoredKind('item', { depth: 2, ...asText });
  readonly #aside = new StoredKind('aside', { depth: 2, ...asText });
  /** Items that responses show in different ways, and what is known of their places. */
  readonly #heads = new StoredKind('partition', { depth: 1, ...asText });
  readonly #aliases = new StoredKind('alias', { depth: 2, ...asText });
  readonly #removed = new StoredKind('removed', { depth: 2, ...asText });
  readonly #entities = new StoredKind<Item>('entity', {
    depth: 2,
    render: (item) =>
      renderPart(placedEntity, { place: Number(item.sortKey), ...storeEntity(item) }),
    read(text) {
      const { place, ...entity } = parsePart(placedEntity, text);
      return openEntity(entity, place);
    },
  });
  readonly #snapshots = new StoredKind<Snapshot>('snapshot', {
    depth: 1,
    render: (snapshot) => renderPart(snapshotCodec, storeSnapshot(snapshot)),
    read: (text) => this.#openSnapshot(text),
  });
  readonly #entries = new StoredKind<Exchange>('entry', {
    depth: 1,
    render: (one) => renderPart(exchange, one),
    read: (text) => parsePart(exchange, text),
    isSame: (one, other) => one.entry === other.entry,
  });
  readonly #kinds: ReadonlyMap<unknown, Pick<StoredKind<unknown>, 'put'>> = new Map(
    Object.entries({
      facts: this.#facts,
      stubs: this.#stubs,
      item: this.#items,
      aside: this.#aside,
      partition: this.#heads,
      alias: this.#aliases,
      removed: this.#removed,
      entity: this.#entities,
      snapshot: this.#snapshots,
      entry: this.#entries,
    }),
  );
  /** Of the inventories that are stored: a scan of 100,000 items takes some 20 ms. */
  #revisions: ReadonlyMap<string, object> = new Map();
  /** The latest time that any instance has seen. */
  #time = 0;
  /** Stored choices and limits by what they became: those that the document does not have are left out. */
  readonly #choices = new WeakMap<ChoiceIds, ChoiceIds>();
  readonly #limits = new WeakMap<LimitOptions, LimitOptions>();
  /** The parts of the sandbox as it is when nothing is stored. */
  #initial = '';

  constructor(runtime: MockRuntime) {
    this.#runtime = runtime;
  }

  get facts(): Facts | undefined {
    const text = this.#facts.at().get('');
    return text === undefined ? undefined : parseFacts(text);
  }

  /**
   * Adds parts that were read.
   *
   * @throws {PetstoreError} with code `state` for parts that this version cannot read
   */
  put(parts: Parts): void {
    // Facts first: they show if a later version wrote the other parts.
    const facts = parts.get(renderJson(['facts']));
    if (facts !== undefined) parseFacts(facts);
    for (const [name, text] of parts) {
      const [kind, ...rest] = parsePartName(name);
      if (kind === 'time') this.#time = Number(text ?? 0);
      else if (this.#kinds.get(kind)?.put(rest, text) !== true)
        throw unreadable(new Error(`${name} is unknown`));
    }
  }

  #openSnapshot(source: string): Snapshot {
    const stored = parsePart(snapshotCodec, source);
    const isOwn = stored.document === this.#runtime.sandboxes.main.document;
    const service = isOwn ? findService(this.#runtime, stored.choices) : undefined;
    const collections = plainOf(service);
    // As in memory, an item of several snapshots is kept once.
    const last = this.#lastSnapshot(stored);
    return openSnapshot(stored, (path) => {
      const collection = collections.get(path);
      if (collection === undefined) return undefined;
      const similar = last?.state.get(path) ?? collection.seed ?? collection.openEmpty();
      return { collection, similar };
    });
  }

  /** The last snapshot whose items have the same form. */
  #lastSnapshot(like: Pick<Snapshot, 'document' | 'choices'>): Snapshot | undefined {
    const all = [...this.#snapshots.at().values()];
    return all.findLast(
      ({ document, choices }) => document === like.document && isSame(choices, like.choices),
    );
  }

  /** What of a sandbox differs from what is stored. */
  compare(sandbox: Sandbox): readonly Change[] {
    const changes = this.#compareAll(sandbox);
    if (changes.length === 0) return changes;
    if (this.#facts.at().size === 0 && renderChanges(changes) === this.#initial) return [];
    const time = sandbox.clock.base;
    const revisions = new Map(
      [...sandbox.store.inventories].map(([path, { revision }]) => [path, revision]),
    );
    const commit = (): void => {
      this.#time = time;
      this.#revisions = revisions;
    };
    return [...changes, { part: ['time'], text: () => `${time}`, commit }];
  }

  #compareAll(sandbox: Sandbox): readonly Change[] {
    const changes: Change[] = [];
    const { store, journal, snapshots } = sandbox;
    const { inventories } = store;
    const isKnown = (path: string): boolean =>
      inventories.get(path)?.revision === (this.#revisions.get(path) ?? '');
    const plain = select(inventories, true);
    const others = select(inventories, false);
    this.#facts.compare(changes, only(sandbox), (one, visit) => visit('', this.#renderFacts(one)));
    this.#stubs.compare(changes, only(sandbox), (one, visit) => {
      const text = this.#renderStubs(one);
      if (text !== undefined) visit('', text);
    });
    this.#items.compare(
      changes,
      plain,
      ({ items }, visit) => items.forEach(({ id, text }) => visit(id, text)),
      isKnown,
    );
    this.#aside.compare(changes, store.aside, (items, visit) =>
      items.forEach(({ id, text }) => visit(id, text)),
    );
    this.#heads.compare(changes, only(others), (all, visit) =>
      all.forEach((inventory, path) => visit(path, renderHead(inventory))),
    );
    this.#entities.compare(
      changes,
      others,
      ({ items }, visit) => items.forEach((item) => visit(`${item.id}`, item)),
      isKnown,
    );
    this.#aliases.compare(
      changes,
      others,
      ({ facts }, visit) => facts.aliases.forEach((id, name) => visit(name, renderJson(`${id}`))),
      isKnown,
    );
    this.#removed.compare(
      changes,
      others,
      ({ facts }, visit) => facts.removed.forEach((name) => visit(`${name}`, 'true')),
      isKnown,
    );
    this.#snapshots.compare(changes, only(snapshots), (all, visit) =>
      all.forEach((snapshot, name) => visit(name, snapshot)),
    );
    this.#entries.compare(changes, only(journal.exchanges), (all, visit) =>
      all.forEach((one) => visit(one.entry.index, one)),
    );
    return changes;
  }

  #renderFacts(sandbox: Sandbox): string {
    const { clock, choices, limits, store } = sandbox;
    return renderPart(factsCodec, {
      format,
      document: sandbox.document,
      clock: clock.state,
      choices: this.#choices.get(choices) ?? choices,
      limits: this.#limits.get(limits) ?? limits,
      listCount: sandbox.listCount,
      counts: sandbox.counts,
      faults: sandbox.faults?.state,
      collections: placesOf(select(store.inventories, true)),
      aside: [...store.aside.keys()],
      former: placesOf(store.former),
      snapshots: [...sandbox.snapshots.keys()],
      requests: sandbox.journal.count,
    });
  }

  #renderStubs({ stubs }: Sandbox): string | undefined {
    const { stubsDigest } = this.#runtime.sandboxes;
    const state = stubs?.state ?? null;
    if (state === null && stubsDigest === '') return undefined;
    return renderPart(stubsCodec, { stubsDigest, state });
  }

  /** Makes a sandbox what is stored. `isNew`: nothing that is in it counts. */
  restore(sandbox: Sandbox, isNew: boolean): void {
    const { facts } = this;
    const collections = plainOf(sandbox.service);
    const isOwn =
      facts?.document === sandbox.document &&
      facts.collections.every(({ path }) => collections.has(path));
    if (isNew || !isOwn) {
      renewSandbox(this.#runtime, sandbox);
      sandbox.clearCounts();
      sandbox.listCount = 0;
      sandbox.journal.restart(0);
    }
    if (facts === undefined) {
      this.#initial = renderChanges(this.#compareAll(sandbox));
      return;
    }
    sandbox.clock.follow(this.#time);
    sandbox.clock.restore(facts.clock);
    if (!isSame(sandbox.choices, facts.choices) || !isSame(sandbox.limits, facts.limits))
      applySettings(this.#runtime, sandbox, facts);
    this.#choices.set(sandbox.choices, facts.choices);
    this.#limits.set(sandbox.limits, facts.limits);
    this.#revisions = new Map();
    const changes = this.#compareAll(sandbox);
    if (isOwn) this.#restoreItems(sandbox, facts, pathsOf(changes, 'item'));
    else this.#convertItems(sandbox, facts);
    for (const path of pathsOf(changes, 'partition', 'entity', 'alias', 'removed'))
      sandbox.store.put(path, this.#partition(path));
    sandbox.clearCounts();
    for (const count of facts.counts) sandbox.putCount(count);
    sandbox.faults = undefined;
    if (facts.faults !== undefined) faultsOf(sandbox).restore(facts.faults);
    if (changes.some(({ part }) => part[0] === 'stubs')) this.#restoreStubs(sandbox);
    sandbox.snapshots.clear();
    for (const name of facts.snapshots) {
      const snapshot = this.#snapshots.at().get(name);
      if (snapshot !== undefined) sandbox.snapshots.set(name, snapshot);
    }
    sandbox.listCount = facts.listCount;
    if (
      sandbox.journal.count === facts.requests &&
      !changes.some(({ part }) => part[0] === 'entry')
    )
      return;
    const entries = [...this.#entries.at().values()];
    entries.sort((one, other) => one.entry.index - other.entry.index);
    sandbox.journal.restart(facts.requests - entries.length);
    for (const { entry, detail } of entries) sandbox.journal.add(entry, detail);
  }

  /** `changed`: paths of collections whose items differ. */
  #restoreItems(sandbox: Sandbox, facts: Facts, changed: ReadonlySet<string>): void {
    const { store, service } = sandbox;
    const before = select(store.inventories, true);
    const kept = new Map(facts.collections.map(({ path, position }) => [path, position]));
    for (const path of before.keys()) if (!kept.has(path)) store.put(path, undefined);
    const similar = this.#lastSnapshot(sandbox);
    for (const [path, collection] of plainOf(service)) {
      const position = kept.get(path);
      if (position === undefined) continue;
      if (before.get(path)?.position === position && !changed.has(path)) continue;
      const open = (): Inventory => collection.seed?.copy() ?? collection.openEmpty();
      const inventory = store.open(path, open, true);
      fill(inventory, collection, this.#items.at(path), similar?.state.get(path));
      inventory.position = position;
    }
    this.#restoreMisplaced(sandbox, facts);
  }

  #restoreMisplaced({ store }: Sandbox, { aside, former }: Facts): void {
    for (const path of store.aside.keys()) store.setAside(path, undefined);
    for (const path of aside) store.setAside(path, bareItems(this.#aside.at(path)));
    for (const path of store.former.keys()) store.setFormer(path, undefined);
    for (const { path, position } of former)
      store.setFormer(path, bareInventory(new Map(), position));
  }

  /** The items were stored for another document: those that do not fit are set aside. */
  #convertItems(sandbox: Sandbox, facts: Facts): void {
    const { store, service } = sandbox;
    const state = facts.collections.map(
      ({ path, position }) => [path, bareInventory(this.#items.at(path), position)] as const,
    );
    store.restore(new Map(state));
    this.#restoreMisplaced(sandbox, facts);
    store.convert(service.collections.plain);
  }

  #partition(path: string): Inventory | undefined {
    const head = this.#heads.at().get(path);
    if (head === undefined) return undefined;
    const { made, ...flags } = parsePart(partitionHead, head);
    const aliases = [...this.#aliases.at(path)].map(
      ([name, id]) => [`${name}`, parsePart(codec.text, id)] as const,
    );
    return openPartition([...this.#entities.at(path).values()], made, {
      ...flags,
      aliases: new Map(aliases),
      removed: new Set(this.#removed.at(path).keys()),
    });
  }

  /** Stubs of another file make room for those of this one. */
  #restoreStubs(sandbox: Sandbox): void {
    const text = this.#stubs.at().get('');
    const stored = text === undefined ? undefined : parsePart(stubsCodec, text);
    const { stubsDigest, initialize, memory } = this.#runtime.sandboxes;
    const stubs = stubsOf(sandbox, memory);
    stubs.restore(stored?.state ?? undefined);
    if ((stored?.stubsDigest ?? '') === stubsDigest) return;
    if (initialize === undefined) stubs.useFile([]);
    else initialize(sandbox);
  }
}

function isSame(one: object, other: object): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** The source of a kind whose parts have no path. */
function only<Source>(source: Source): ReadonlyMap<string, Source> {
  return new Map([['', source]]);
}

/** All changes as one text. */
function renderChanges(changes: readonly Change[]): string {
  return changes.map(({ part, text }) => `${renderJson(part)} ${text()}`).join('\n');
}

/** The paths of the changes of some kinds. */
function pathsOf(changes: readonly Change[], ...kinds: readonly string[]): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const { part } of changes) {
    const [kind, path] = part;
    if (typeof path === 'string' && kinds.some((one) => one === kind)) paths.add(path);
  }
  return paths;
}

function placesOf(inventories: ReadonlyMap<string, Inventory>): Facts['collections'] {
  return [...inventories].map(([path, { position }]) => ({ path, position }));
}

function renderHead({ facts, position }: Inventory): string {
  const { isOrphaned, isDisclosed } = facts;
  return renderPart(partitionHead, { isOrphaned, isDisclosed, made: position });
}

function select(
  inventories: ReadonlyMap<string, Inventory>,
  isPlain: boolean,
): ReadonlyMap<string, Inventory> {
  return new Map([...inventories].filter(([, { form }]) => form.isPlain === isPlain));
}

/** The collections whose items are stored as their text, by path. */
function plainOf(service: Service | undefined) {
  return new Map(service?.collections.plain.map((one) => [one.path, one] as const));
}
