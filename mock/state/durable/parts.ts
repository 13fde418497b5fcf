import { codec, hasCode, renderJson } from '../../../contract/index.ts';
import { faultsOf } from '../../control/fault/faults.ts';
import { stubsOf } from '../../control/stub/stubs.ts';
import type { Exchange, Journal } from '../../sandbox/journal.ts';
import type { Sandbox, Snapshot } from '../../sandbox/sandbox.ts';
import type { LimitOptions } from '../../rate-limit/plans.ts';
import type { ChoiceIds, Service } from '../../sandbox/service.ts';
import type { MockRuntime } from '../../served-document/served-document.ts';
import type { Collection } from '../../items/collection.ts';
import type { Inventory } from '../../items/store/inventory.ts';
import { type Item, type ItemId, isItemId } from '../../items/store/item.ts';
import type { Parts } from '../engine.ts';
import {
  type ByPath,
  type Change,
  Comparison,
  type Form,
  entryForm,
  renderChanges,
  within,
} from './comparison.ts';
import { exchange } from './exchange.ts';
import {
  type Facts,
  type PartName,
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
  bareItem,
  fill,
  formerInventory,
  openEntity,
  openPartition,
  openSnapshot,
  storeEntity,
  storeSnapshot,
} from './snapshots.ts';

/**
 * What is stored of a sandbox. It finds what differs from the sandbox in memory, and makes the sandbox
 * what is stored, so nothing else has to record changes or undo them. Items, entities and entries of the
 * journal are immutable, so comparing references is enough: some milliseconds for 100,000 items.
 */
export class StoredParts {
  readonly #runtime: MockRuntime;
  readonly #items: ByPath<ItemId, string> = new Map();
  /** Of the collections whose items are stored: a scan of 100,000 items takes some 20 ms. */
  #revisions: ReadonlyMap<string, object> = new Map();
  readonly #aside: ByPath<ItemId, string> = new Map();
  readonly #entities: ByPath<string, Item> = new Map();
  readonly #aliases: ByPath<string, string> = new Map();
  readonly #removed: ByPath<string, string> = new Map();
  readonly #heads = new Map<string, string>();
  readonly #snapshots = new Map<string, Snapshot>();
  readonly #entries = new Map<number, Exchange>();
  /** The kinds of which there is one part each: facts and stubs. */
  readonly #texts = new Map<string, string>();
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
    const text = this.#texts.get('facts');
    return text === undefined ? undefined : parseFacts(text);
  }

  /** Beginning of the digest of the document that is served. */
  get #document(): string {
    return this.#runtime.service.contract.digest.slice(0, 16);
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
    for (const [name, text] of parts) this.#putPart(parsePartName(name), text);
  }

  #putPart(part: PartName, text: string | undefined): void {
    const [kind, place, id] = part;
    const path = typeof place === 'string' ? place : '';
    const key = typeof id === 'string' ? id : '';
    const read = <Value>(parse: (source: string) => Value): Value | undefined =>
      text === undefined ? undefined : parse(text);
    if (kind === 'facts' || kind === 'stubs') set(this.#texts, kind, text);
    else if (kind === 'time') this.#time = Number(text ?? 0);
    else if (kind === 'item' && isItemId(id)) set(within(this.#items, path), id, text);
    else if (kind === 'aside' && isItemId(id)) set(within(this.#aside, path), id, text);
    else if (kind === 'partition') set(this.#heads, path, text);
    else if (kind === 'entity') set(within(this.#entities, path), key, read(openPlaced));
    else if (kind === 'alias') set(within(this.#aliases, path), key, read(openAlias));
    else if (kind === 'removed') set(within(this.#removed, path), key, text);
    else if (kind === 'snapshot')
      set(
        this.#snapshots,
        path,
        read((source) => this.#openSnapshot(source)),
      );
    else if (kind === 'entry')
      set(
        this.#entries,
        Number(place),
        read((source) => parsePart(exchange, source)),
      );
    else throw unreadable(new Error(`${renderJson([...part])} is unknown`));
  }

  #openSnapshot(source: string): Snapshot {
    const stored = parsePart(snapshotCodec, source);
    const service = serviceFor(this.#runtime, stored.choices);
    return openSnapshot(
      stored,
      this.#document,
      service,
      (collection, own) =>
        this.#inSnapshot(collection, own) ?? collection.seed ?? collection.openEmpty(),
    );
  }

  /** The items of a collection in the last snapshot: as in memory, an item is kept once. */
  #inSnapshot({ path }: Collection, service: Service): Inventory | undefined {
    const last = [...this.#snapshots.values()].findLast((one) => one.service === service);
    return last?.state.get(path);
  }

  /** What of a sandbox differs from what is stored. */
  compare(sandbox: Sandbox): readonly Change[] {
    const changes = this.#compareAll(sandbox);
    if (changes.length === 0) return changes;
    if (!this.#texts.has('facts') && renderChanges(changes) === this.#initial) return [];
    const time = sandbox.clock.base;
    const revisions = revisionsOf(sandbox);
    const commit = (): void => {
      this.#time = time;
      this.#revisions = revisions;
    };
    return [...changes, { part: ['time'], text: () => `${time}`, commit }];
  }

  #compareAll(sandbox: Sandbox): readonly Change[] {
    const { store, journal, snapshots } = sandbox;
    const inventories = certainOf(store.inventories);
    const partitions = inferredOf(store.inventories);
    const heads = mapValues(partitions, renderHead);
    const placed = mapValues(partitions, ({ items }) =>
      items.map((item) => [`${item.id}`, item] as const),
    );
    const aliases = mapValues(partitions, ({ facts }) =>
      [...facts.aliases].map(([name, id]) => [name, `${id}`] as const),
    );
    const removed = mapValues(partitions, ({ facts }) =>
      [...facts.removed].map((name) => [`${name}`, 'true'] as const),
    );
    const comparison = new Comparison();
    comparison.add([], this.#textsOf(sandbox), this.#texts, textForm);
    comparison.addPaths(
      'item',
      mapValues(inventories, ({ items }) => items),
      this.#items,
      itemForm,
      (path) => inventories.get(path)?.revision === (this.#revisions.get(path) ?? ''),
    );
    comparison.addPaths('aside', store.aside, this.#aside, itemForm);
    comparison.add(['partition'], heads, this.#heads, textForm);
    comparison.addPaths('entity', placed, this.#entities, entryForm(renderPlaced));
    comparison.addPaths('alias', aliases, this.#aliases, entryForm(renderJson));
    comparison.addPaths('removed', removed, this.#removed, textForm);
    comparison.add(
      ['snapshot'],
      snapshots,
      this.#snapshots,
      entryForm((one) => renderPart(snapshotCodec, storeSnapshot(one, this.#document))),
    );
    comparison.add(
      ['entry'],
      this.#entriesOf(journal),
      this.#entries,
      entryForm((one) => renderPart(exchange, one)),
    );
    return comparison.changes;
  }

  #textsOf(sandbox: Sandbox): ReadonlyMap<string, string> {
    const { clock, choices, limits, listCount, store, journal, counts, faults } = sandbox;
    const texts = new Map([
      [
        'facts',
        renderPart(factsCodec, {
          format,
          document: this.#document,
          clock: clock.state,
          choices: this.#choices.get(choices) ?? choices,
          limits: this.#limits.get(limits) ?? limits,
          listCount,
          counts,
          faults: faults?.state,
          collections: placesOf(certainOf(store.inventories)),
          aside: [...store.aside.keys()],
          former: placesOf(store.former),
          snapshots: [...sandbox.snapshots.keys()],
          requests: journal.count,
        }),
      ],
    ]);
    const { stubsDigest } = this.#runtime.sandboxes;
    const state = sandbox.stubs?.state ?? null;
    if (state !== null || stubsDigest !== '')
      texts.set('stubs', renderPart(stubsCodec, { stubsDigest, state }));
    return texts;
  }

  /** The entries of a journal; those that are stored are the same objects. */
  #entriesOf({ exchanges }: Journal): readonly (readonly [number, Exchange])[] {
    return exchanges.map((one) => {
      const stored = this.#entries.get(one.entry.index);
      return [one.entry.index, stored?.entry === one.entry ? stored : one];
    });
  }

  /** Makes a sandbox what is stored. `isNew`: nothing that is in it counts. */
  restore(sandbox: Sandbox, isNew: boolean): void {
    const { facts } = this;
    const collections = new Map(sandbox.service.collections.certain.map((one) => [one.path, one]));
    const isOwn =
      facts?.document === this.#document &&
      facts.collections.every(({ path }) => collections.has(path));
    if (isNew || !isOwn) this.#clear(sandbox);
    if (facts === undefined) {
      this.#initial = renderChanges(this.#compareAll(sandbox));
      return;
    }
    sandbox.clock.follow(this.#time);
    sandbox.clock.restore(facts.clock);
    if (!isSame(sandbox.choices, facts.choices)) choose(sandbox, facts.choices, this.#runtime);
    if (!isSame(sandbox.limits, facts.limits)) limit(sandbox, facts.limits);
    this.#choices.set(sandbox.choices, facts.choices);
    this.#limits.set(sandbox.limits, facts.limits);
    this.#revisions = new Map();
    const changes = this.#compareAll(sandbox);
    if (isOwn) this.#restoreItems(sandbox, facts, pathsOf(changes, ['item']));
    else this.#convertItems(sandbox, facts);
    for (const path of pathsOf(changes, ['partition', 'entity', 'alias', 'removed']))
      sandbox.store.put(path, this.#partition(path));
    sandbox.clearCounts();
    for (const count of facts.counts) sandbox.putCount(count);
    sandbox.faults = undefined;
    if (facts.faults !== undefined) faultsOf(sandbox).restore(facts.faults);
    if (changes.some(({ part }) => part[0] === 'stubs')) this.#restoreStubs(sandbox);
    sandbox.snapshots.clear();
    for (const name of facts.snapshots) {
      const snapshot = this.#snapshots.get(name);
      if (snapshot !== undefined) sandbox.snapshots.set(name, snapshot);
    }
    sandbox.listCount = facts.listCount;
    if (pathsOf(changes, ['entry']).size === 0 && sandbox.journal.count === facts.requests) return;
    const entries = [...this.#entries].toSorted(([one], [other]) => one - other);
    sandbox.journal.restart(facts.requests - entries.length);
    for (const [, { entry, detail }] of entries) sandbox.journal.add(entry, detail);
  }

  /** Makes a sandbox a new one. */
  #clear(sandbox: Sandbox): void {
    sandbox.store.restore(new Map());
    sandbox.limits = {};
    this.#runtime.choose(sandbox, {});
    sandbox.clearCounts();
    sandbox.faults = undefined;
    sandbox.stubs = undefined;
    this.#runtime.sandboxes.initialize(sandbox);
    sandbox.snapshots.clear();
    sandbox.clock.restore();
    sandbox.listCount = 0;
    sandbox.journal.restart(0);
  }

  /** `changed`: paths of collections whose items differ. */
  #restoreItems({ store, service }: Sandbox, facts: Facts, changed: ReadonlySet<string>): void {
    const before = certainOf(store.inventories);
    const kept = new Map(facts.collections.map(({ path, position }) => [path, position]));
    for (const path of before.keys()) if (!kept.has(path)) store.put(path, undefined);
    for (const collection of service.collections.certain) {
      const { path } = collection;
      const position = kept.get(path);
      if (position === undefined) continue;
      if (before.has(path) && !changed.has(path) && before.get(path)?.position === position)
        continue;
      const inventory = store.open(path, () => collection.seed?.copy() ?? collection.openEmpty());
      const similar = this.#inSnapshot(collection, service);
      fill(inventory, collection, within(this.#items, path), similar);
      inventory.position = position;
    }
    this.#restoreMisplaced(store, facts);
  }

  #restoreMisplaced(store: Sandbox['store'], { aside, former }: Facts): void {
    for (const path of store.aside.keys()) store.setAside(path, undefined);
    for (const path of aside) store.setAside(path, bareItems(within(this.#aside, path)));
    for (const path of store.former.keys()) store.setFormer(path, undefined);
    for (const { path, position } of former) store.setFormer(path, formerInventory(position));
  }

  /** The items were stored for another document: those that do not fit are set aside. */
  #convertItems({ store, service }: Sandbox, facts: Facts): void {
    const state = facts.collections.map(({ path, position }): [string, Inventory] => {
      const inventory = formerInventory(position);
      for (const item of bareItems(within(this.#items, path))) inventory.put(item);
      inventory.position = position;
      return [path, inventory];
    });
    store.restore(new Map(state));
    this.#restoreMisplaced(store, facts);
    store.convert(service.collections.certain);
  }

  #partition(path: string): Inventory | undefined {
    const head = this.#heads.get(path);
    if (head === undefined) return undefined;
    return openPartition({
      ...parsePart(partitionHead, head),
      items: [...within(this.#entities, path).values()],
      aliases: within(this.#aliases, path),
      removed: new Set(within(this.#removed, path).keys()),
    });
  }

  /** Stubs of another file make room for those of this one. */
  #restoreStubs(sandbox: Sandbox): void {
    const text = this.#texts.get('stubs');
    const stored = text === undefined ? undefined : parsePart(stubsCodec, text);
    const { stubsDigest, initializers, memory } = this.#runtime.sandboxes;
    const stubs = stubsOf(sandbox, memory);
    stubs.restore(stored?.state ?? undefined);
    if ((stored?.stubsDigest ?? '') === stubsDigest) return;
    if (initializers.stubs === undefined) stubs.useFile([]);
    else initializers.stubs(sandbox);
  }
}

function revisionsOf({ store }: Sandbox): ReadonlyMap<string, object> {
  return mapValues(store.inventories, ({ revision }) => revision);
}

const asText = (text: string): string => text;
const textForm = entryForm<string, string>(asText);
const itemForm: Form<Item, ItemId, string> = {
  key: ({ id }) => id,
  value: ({ text }) => text,
  render: asText,
};

function mapValues<Value, Mapped>(
  map: ReadonlyMap<string, Value>,
  change: (value: Value, key: string) => Mapped,
): ReadonlyMap<string, Mapped> {
  return new Map([...map].map(([key, value]) => [key, change(value, key)]));
}

function set<Key, Value>(map: Map<Key, Value>, key: Key, value: Value | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}

function isSame(one: object, other: object): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** The paths of the changes of some kinds. */
function pathsOf(changes: readonly Change[], kinds: readonly string[]): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const { part } of changes) {
    const [kind, path] = part;
    if (typeof kind === 'string' && kinds.includes(kind))
      paths.add(typeof path === 'string' ? path : '');
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

function renderPlaced(item: Item): string {
  return renderPart(placedEntity, { place: Number(item.sortKey), ...storeEntity(item) });
}

function openPlaced(source: string): Item {
  const { place, ...entity } = parsePart(placedEntity, source);
  return openEntity(entity, place);
}

function certainOf(inventories: ReadonlyMap<string, Inventory>): ReadonlyMap<string, Inventory> {
  return new Map([...inventories].filter(([, { form }]) => form.isCertain));
}

function inferredOf(inventories: ReadonlyMap<string, Inventory>): ReadonlyMap<string, Inventory> {
  return new Map([...inventories].filter(([, { form }]) => !form.isCertain));
}

function bareItems(texts: ReadonlyMap<ItemId, string>): readonly Item[] {
  return [...texts].map(([id, text]) => bareItem(id, text));
}

/** Choices that the document does not have are left out. */
function choose(sandbox: Sandbox, wanted: ChoiceIds, runtime: MockRuntime): void {
  const possible = Object.entries(wanted).filter(
    ([id, choice]) => serviceFor(runtime, { [id]: choice }) !== undefined,
  );
  runtime.choose(sandbox, Object.fromEntries(possible));
}

function serviceFor(runtime: MockRuntime, choices: ChoiceIds): Service | undefined {
  try {
    return runtime.serviceFor(choices);
  } catch (error) {
    if (!hasCode(error, 'choice')) throw error;
    return undefined;
  }
}

/** Limits of plans or windows that the document does not have are left out, all of them. */
function limit(sandbox: Sandbox, limits: Sandbox['limits']): void {
  try {
    sandbox.service.openMeter(undefined, limits);
    sandbox.limits = limits;
  } catch (error) {
    if (!hasCode(error, 'limit')) throw error;
    sandbox.limits = {};
  }
  sandbox.adopt(sandbox.service);
}

function openAlias(source: string): string {
  return parsePart(codec.text, source);
}
