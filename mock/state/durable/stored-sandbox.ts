import * as codec from '../../../contract/json/codec.ts';
import type { Codec, TypeOf } from '../../../contract/json/codec.ts';
import { PetstoreError } from '../../../contract/error/petstore-error.ts';
import { type JsonValue, isNumeric, parseJson, renderJson } from '../../../contract/json/value.ts';
import { faultsOf } from '../../control/fault/faults.ts';
import { renewSandbox } from '../../control/sandbox-control.ts';
import { stubsOf } from '../../control/stub/stubs.ts';
import { Inventory } from '../../items/store/store.ts';
import { type Item, type ItemId, isItemId, readMembers } from '../../items/store/item.ts';
import { bucket } from '../../rate-limit/limiter.ts';
import { clockState } from '../../sandbox/clock.ts';
import { type Exchange, exchange } from '../../sandbox/journal-entry.ts';
import { type Sandbox, type Snapshot, keyCount } from '../../sandbox/sandbox.ts';
import type { Service } from '../../sandbox/service.ts';
import { applySettings, findService } from '../../served-document/reload.ts';
import type { MockRuntime } from '../../served-document/served-document.ts';
import type { Parts } from '../engine.ts';

const { flag, jsonObject, list, map, number, object, orUndefined, shapeError, text } = codec;

/** Incremented whenever a part gets a form that earlier versions cannot read. */
const format = 1;

/** A codec for a subset of the JSON values. */
function some<Value extends JsonValue>(isOne: (value: JsonValue) => value is Value): Codec<Value> {
  return {
    read(value, at) {
      if (isOne(value)) return value;
      throw shapeError(at, 'is of another type');
    },
    render: (value) => value,
  };
}

/** What the sandbox has besides the parts that are stored separately. */
const about = object({
  format: number,
  /** Prefix of the digest of the document that the items were valid for. */
  document: text,
  /** Number of requests so far, which is the index of the next journal entry. */
  requests: number,
  listCount: number,
  /** Names of snapshots, in order. */
  snapshots: list(text),
});

const settings = object({ choices: map(text), limits: map(map(number)) });

/** `digest`: of the file that some of the stubs come from. */
const stubs = object({ digest: text, state: orUndefined(jsonObject) });

/** What is stored about a path besides its items. */
const place = object({
  isPlain: flag,
  /** The next id. */
  position: some<number | bigint>(isNumeric),
  isOrphaned: flag,
  isDisclosed: flag,
});

/** An item that responses show in different ways. `place`: its position in the list. */
const viewedItem = object({
  place: number,
  members: text,
  made: jsonObject,
  absent: list(text),
  aliases: list(text),
  createdAt: orUndefined(number),
  changedAt: orUndefined(number),
});

/** Tombstone: stored in place of a removed item. */
const removedItem = 'null';

/** A snapshot is a single part: it is written once, when it is taken. */
const storedSnapshot = object({
  document: text,
  clock: clockState,
  choices: map(text),
  limits: map(map(number)),
  buckets: list(object({ key: text, bucket })),
  rules: text,
  places: list(
    object({ path: text, place: text, items: list(object({ id: some(isItemId), text })) }),
  ),
});

/** How parts of one kind are stored. */
interface PartForm<Value> {
  render(value: Value): string;
  read(source: string): Value;
}

/** A text is stored as it is. */
const asText: PartForm<string> = { render: (text) => text, read: (text) => text };

/** Stored parts of one kind by key. Their values are texts, or immutable: those that are the same are equal. */
class Group<Value> {
  readonly stored = new Map<ItemId, Value>();
  readonly #name: readonly string[];
  readonly #form: PartForm<Value>;
  /** What the last comparison found; undefined for a missing value. */
  #changes: readonly (readonly [ItemId, Value | undefined])[] = [];

  constructor(name: readonly string[], form: PartForm<Value>) {
    this.#name = name;
    this.#form = form;
  }

  /** Takes over a part that was read; undefined for one that was removed. */
  put(key: ItemId, source: string | undefined): void {
    this.#set(key, source === undefined ? undefined : this.#form.read(source));
  }

  /** Adds the parts whose values differ from the stored ones; only those of some keys, if they are given. */
  compare(
    parts: Map<string, string | undefined>,
    live: Pick<ReadonlyMap<ItemId, Value>, 'get'>,
    keys: Iterable<ItemId>,
  ): void {
    const changes: [ItemId, Value | undefined][] = [];
    for (const key of keys) {
      const value = live.get(key);
      if (value === this.stored.get(key)) continue;
      changes.push([key, value]);
      const name = renderJson([...this.#name, key]);
      parts.set(name, value === undefined ? undefined : this.#form.render(value));
    }
    this.#changes = changes;
  }

  /** The same for all keys. */
  compareAll(parts: Map<string, string | undefined>, live: ReadonlyMap<ItemId, Value>): void {
    this.compare(parts, live, new Set([...live.keys(), ...this.stored.keys()]));
  }

  /** What the last comparison found is stored now. */
  commit(): void {
    for (const [key, value] of this.#changes) this.#set(key, value);
    this.#changes = [];
  }

  #set(key: ItemId, value: Value | undefined): void {
    if (value === undefined) this.stored.delete(key);
    else this.stored.set(key, value);
  }
}

/**
 * The stored form of a sandbox. It computes the changes between the sandbox in memory and the
 * store, and resets the sandbox to the stored state, so no other code has to undo changes. Values
 * are immutable, so comparing references (or texts) is enough.
 */
export class StoredSandbox {
  readonly sandbox: Sandbox;
  /** Version of the stored sandbox; undefined if nothing is stored. */
  version: string | undefined;
  /** False: the sandbox in memory may be stale and is reloaded before it is used. */
  isLoaded = false;
  readonly #runtime: MockRuntime;
  /** Small parts: `sandbox`, `clock`, `settings`, `counts`, `faults`, `stubs`. */
  readonly #texts = new Group([], asText);
  readonly #places = new Group(['place'], asText);
  readonly #items = new Map<string, Group<string>>();
  readonly #snapshots: Group<Snapshot>;
  readonly #entries = new Group<Exchange>(['entry'], {
    render: (one) => renderPart(exchange, one),
    read: (source) => parsePart(exchange, source),
  });
  /**
   * By path, the items changed since they were last compared. Comparing 100,000 items would take some
   * 20 ms.
   */
  readonly #marks = new Map<string, ReadonlySet<ItemId>>();
  /** The latest time that any instance has seen, because the clock of a sandbox never goes back. */
  #time = 0;
  /** The parts of a new sandbox. */
  #initial = '';
  /** Settings that the document has of the stored ones. All of those are kept until settings are changed. */
  #fitting: (Pick<Sandbox, 'choices' | 'limits'> & { readonly stored: string }) | undefined;

  constructor(runtime: MockRuntime, sandbox: Sandbox) {
    this.#runtime = runtime;
    this.sandbox = sandbox;
    this.#snapshots = new Group(['snapshot'], {
      render: renderSnapshot,
      read: (source) => readSnapshot(runtime, source),
    });
  }

  /** Undefined if nothing is stored. */
  get about(): TypeOf<typeof about> | undefined {
    const stored = this.#texts.stored.get('sandbox');
    return stored === undefined ? undefined : parsePart(about, stored);
  }

  /**
   * Takes over parts that were read. `isWhole`: there are no others.
   *
   * @throws {PetstoreError} with code `state` for parts that this version cannot read
   */
  put(parts: Parts, isWhole: boolean): void {
    if (isWhole) for (const { stored } of this.#groups) stored.clear();
    if (isWhole) this.#items.clear();
    // Check the format first: a later version may have written the other parts.
    refuseLaterFormat(parts.get(renderJson(['sandbox'])));
    for (const [name, source] of parts) {
      const [kind, path, ...rest] = parsePart(list(codec.json), name);
      const key = rest[0] ?? path ?? kind;
      if (kind === 'time') this.#time = Number(source ?? 0);
      else if (!isItemId(key)) throw unreadable(new Error(`${name} is unknown`));
      else if (kind === 'item' && typeof path === 'string') this.#itemsAt(path).put(key, source);
      else if (kind === 'place') this.#places.put(key, source);
      else if (kind === 'snapshot') this.#snapshots.put(key, source);
      else if (kind === 'entry') this.#entries.put(key, source);
      else this.#texts.put(key, source);
    }
  }

  get #groups(): readonly Pick<Group<unknown>, 'stored' | 'commit'>[] {
    return [this.#texts, this.#places, this.#snapshots, this.#entries, ...this.#items.values()];
  }

  #itemsAt(path: string): Group<string> {
    const known = this.#items.get(path) ?? new Group(['item', path], asText);
    this.#items.set(path, known);
    return known;
  }

  /**
   * The parts of the sandbox in memory that differ from the stored ones. Either they are stored and
   * committed, or the sandbox is restored, before they are compared again.
   */
  compare(): Parts {
    const parts = this.#compareAll();
    if (this.about === undefined && renderParts(parts) === this.#initial) return new Map();
    if (parts.size === 0) return parts;
    for (const [path, one] of this.sandbox.store.inventories) this.#marks.set(path, one.mark());
    this.#time = this.sandbox.clock.base;
    return parts.set('["time"]', `${this.#time}`);
  }

  /** What was compared last is stored, as this version. */
  commit(version: string): void {
    for (const group of this.#groups) group.commit();
    this.version = version;
  }

  #compareAll(): Map<string, string | undefined> {
    const { store, snapshots, journal } = this.sandbox;
    const parts = new Map<string, string | undefined>();
    const { inventories } = store;
    this.#texts.compareAll(parts, this.#renderTexts());
    const places = [...inventories].map(([path, one]) => [path, renderPlace(one)] as const);
    this.#places.compareAll(parts, new Map(places));
    for (const path of new Set([...inventories.keys(), ...this.#items.keys()])) {
      const inventory = inventories.get(path);
      const items = this.#itemsAt(path);
      const changed = inventory?.changed;
      const isMarked = changed !== undefined && changed === this.#marks.get(path);
      const live = { get: (id: ItemId) => textAt(inventory, id) };
      items.compare(parts, live, isMarked ? changed : differing(inventory, items.stored));
    }
    this.#snapshots.compareAll(parts, snapshots);
    this.#entries.compareAll(parts, byIndex(journal.exchanges));
    return parts;
  }

  #renderTexts(): ReadonlyMap<string, string> {
    const { sandbox } = this;
    const { document, journal, listCount, snapshots, faults, choices, limits } = sandbox;
    const isFitting = choices === this.#fitting?.choices && limits === this.#fitting.limits;
    const kept = isFitting ? this.#fitting?.stored : undefined;
    const texts = new Map([
      [
        'sandbox',
        renderPart(about, {
          format,
          document,
          requests: journal.count,
          listCount,
          snapshots: [...snapshots.keys()],
        }),
      ],
      ['clock', renderPart(clockState, sandbox.clock.state)],
      ['settings', kept ?? renderPart(settings, { choices, limits })],
      ['counts', renderPart(list(keyCount), sandbox.counts)],
    ]);
    if (faults?.state !== undefined) texts.set('faults', renderJson(faults.state));
    const { stubsDigest: digest } = this.#runtime.sandboxes;
    const state = sandbox.stubs?.state;
    if (state !== undefined || digest !== '')
      texts.set('stubs', renderPart(stubs, { digest, state }));
    return texts;
  }

  /**
   * Resets the sandbox to the stored state. `isNew`: the sandbox has just been created, so its
   * content can be dropped.
   */
  restore(isNew: boolean): void {
    const { sandbox, about: stored } = this;
    const isOwn = stored?.document === sandbox.document;
    if (isNew || !isOwn) {
      renewSandbox(this.#runtime, sandbox);
      sandbox.clearCounts();
      sandbox.listCount = 0;
      sandbox.journal.restore([], 0);
    }
    if (stored === undefined) {
      this.#initial = renderParts(this.#compareAll());
      return;
    }
    const texts = this.#texts.stored;
    const read = <Value>(name: string, shape: Codec<Value>): Value =>
      parsePart(shape, texts.get(name) ?? '');
    sandbox.clock.follow(this.#time);
    sandbox.clock.restore(read('clock', clockState));
    if (this.#renderTexts().get('settings') !== texts.get('settings')) {
      applySettings(this.#runtime, sandbox, read('settings', settings));
      const { choices, limits } = sandbox;
      this.#fitting = { choices, limits, stored: texts.get('settings') ?? '' };
    }
    this.#restoreItems(isOwn);
    sandbox.clearCounts();
    for (const count of read('counts', list(keyCount))) sandbox.putCount(count);
    sandbox.faults = undefined;
    if (texts.has('faults')) faultsOf(sandbox).restore(read('faults', jsonObject));
    if (this.#renderTexts().get('stubs') !== texts.get('stubs')) this.#restoreStubs();
    sandbox.snapshots.clear();
    for (const name of stored.snapshots) {
      const snapshot = this.#snapshots.stored.get(name);
      if (snapshot !== undefined) sandbox.snapshots.set(name, snapshot);
    }
    sandbox.listCount = stored.listCount;
    const entries = [...this.#entries.stored.values()];
    const inOrder = entries.toSorted((a, b) => a.entry.index - b.entry.index);
    sandbox.journal.restore(inOrder, stored.requests);
    for (const [index, one] of byIndex(sandbox.journal.exchanges))
      this.#entries.stored.set(index, one);
  }

  /** Items stored for another document are set aside if they do not match this one. */
  #restoreItems(isOwn: boolean): void {
    const { store, service } = this.sandbox;
    for (const path of store.inventories.keys())
      if (!isOwn || !this.#places.stored.has(path)) store.put(path, undefined);
    for (const [key, text] of this.#places.stored) {
      const path = `${key}`;
      const from = {
        path,
        text,
        items: this.#itemsAt(path).stored,
        service: isOwn ? service : undefined,
      };
      const known = store.find(path);
      const isSame =
        known !== undefined &&
        renderPlace(known) === text &&
        differing(known, from.items).size === 0;
      const inventory = isSame
        ? known
        : restoreInventory(
            from,
            store.open(path, () => openEmpty(from), true),
          );
      if (isOwn) this.#marks.set(path, inventory.mark());
      else this.#marks.delete(path);
    }
    if (!isOwn) store.convert((path) => service.collections.findPlain(path));
  }

  /** Stubs of another stub file are replaced by those of the current file. */
  #restoreStubs(): void {
    const { sandbox } = this;
    const source = this.#texts.stored.get('stubs');
    const stored = source === undefined ? undefined : parsePart(stubs, source);
    const { stubsDigest, initialize, memory } = this.#runtime.sandboxes;
    const live = stubsOf(sandbox, memory);
    live.restore(stored?.state);
    if ((stored?.digest ?? '') === stubsDigest) return;
    if (initialize === undefined) live.useFile([]);
    else initialize(sandbox);
  }
}

function renderSnapshot({ state, buckets, ...rest }: Snapshot): string {
  return renderPart(storedSnapshot, {
    ...rest,
    buckets: [...buckets].map(([key, one]) => ({ key, bucket: one })),
    places: [...state].map(([path, inventory]) => ({
      path,
      place: renderPlace(inventory),
      items: [...textsOf(inventory)].map(([id, text]) => ({ id, text })),
    })),
  });
}

function readSnapshot(runtime: MockRuntime, source: string): Snapshot {
  const { buckets, places, ...rest } = parsePart(storedSnapshot, source);
  const isOwn = rest.document === runtime.sandboxes.main.document;
  const service = isOwn ? findService(runtime, rest.choices) : undefined;
  const state = places.map(({ path, place: text, items }) => {
    const texts = new Map(items.map((item) => [item.id, item.text]));
    const from = { path, text, items: texts, service };
    return [path, restoreInventory(from, openEmpty(from))] as const;
  });
  const counts = new Map(buckets.map((one) => [one.key, one.bucket]));
  return { ...rest, state: new Map(state), buckets: counts };
}

/** The items of one path, in stored form. */
interface StoredPlace {
  readonly path: string;
  /** The stored place, besides the items. */
  readonly text: string;
  readonly items: ReadonlyMap<ItemId, string>;
  /** Undefined if the items belong to another document. */
  readonly service: Service | undefined;
}

/** The stored form of an inventory: its items and the tombstones of removed ones. */
function* textsOf(inventory: Inventory | undefined): Iterable<readonly [ItemId, string]> {
  if (inventory === undefined) return;
  for (const item of inventory.items) yield [item.id, textOf(item)];
  for (const name of inventory.removed) yield [name, removedItem];
}

function textAt(inventory: Inventory | undefined, id: ItemId): string | undefined {
  const item = inventory?.get(id);
  if (item?.id === id) return textOf(item);
  return inventory?.removed.has(id) === true ? removedItem : undefined;
}

function textOf(item: Item): string {
  const { facts, sortKey, text: members } = item;
  if (facts === undefined) return members;
  const absent = [...facts.absent];
  return renderPart(viewedItem, { ...facts, place: Number(sortKey), members, absent });
}

/** Names of items that differ from their stored form. */
function differing(
  inventory: Inventory | undefined,
  items: ReadonlyMap<ItemId, string>,
): Set<ItemId> {
  const found = new Set<ItemId>();
  for (const [id, text] of textsOf(inventory)) if (items.get(id) !== text) found.add(id);
  for (const id of items.keys()) if (textAt(inventory, id) === undefined) found.add(id);
  return found;
}

function byIndex(exchanges: readonly Exchange[]): ReadonlyMap<number, Exchange> {
  return new Map(exchanges.map((one) => [one.entry.index, one]));
}

/** All parts as one text, to compare them. */
function renderParts(parts: Parts): string {
  return [...parts].map(([name, text]) => `${name} ${text}`).join('\n');
}

function renderPlace({ isPlain, position, isOrphaned, isDisclosed }: Inventory): string {
  return renderPart(place, { isPlain, position, isOrphaned, isDisclosed });
}

/**
 * An inventory for the stored items of a path. It starts from the seed, with which it may share
 * items.
 */
function openEmpty({ service, path, text }: StoredPlace): Inventory {
  const { isPlain } = parsePart(place, text);
  const collection = service?.collections.find(path)?.collection;
  if (collection === undefined || (collection.plain !== undefined) !== isPlain)
    return new Inventory(isPlain);
  return collection.seed?.copy() ?? collection.openEmpty();
}

/** Resets an inventory to the stored items of a path. */
function restoreInventory(
  { path, text, items, service }: StoredPlace,
  inventory: Inventory,
): Inventory {
  const { isPlain, position, isOrphaned, isDisclosed } = parsePart(place, text);
  const read = isPlain ? plainOpener(service, path) : openViewed;
  const names = differing(inventory, items);
  for (const id of names) {
    inventory.remove(id);
    inventory.comeBack(id);
  }
  for (const id of names) {
    const source = items.get(id);
    if (source === undefined || source === removedItem) continue;
    const item = read(id, source);
    inventory.put(item);
    // Storing an item also restores its aliases, which may have been removed.
    for (const alias of item.facts?.aliases ?? []) names.add(alias);
  }
  for (const id of names) if (items.get(id) === removedItem) inventory.noteRemoved(id);
  return Object.assign(inventory, { position, isOrphaned, isDisclosed });
}

/**
 * Parses items of a path in the form of the document, or unchanged if the document has no place for
 * them.
 */
function plainOpener(
  service: Service | undefined,
  path: string,
): (id: ItemId, source: string) => Item {
  const collection = service?.collections.findPlain(path);
  return (id, source) => {
    if (collection === undefined)
      return { id, text: source, sortKey: id, indexedValues: [], facts: undefined };
    const item = collection.closePlain(readMembers(source));
    if (item === undefined) throw unreadable(new Error(`${source} is not an item`));
    return item;
  };
}

function openViewed(id: ItemId, source: string): Item {
  const { place: sortKey, members, absent, ...facts } = parsePart(viewedItem, source);
  const all = { ...facts, absent: new Set(absent) };
  return { id, sortKey, indexedValues: [], text: members, facts: all };
}

/** A part as text, without line breaks. */
function renderPart<Value>(shape: Codec<Value>, value: Value): string {
  return renderJson(shape.render(value));
}

/** @throws {PetstoreError} with code `state` for text that is not such a part */
function parsePart<Value>(shape: Codec<Value>, source: string): Value {
  try {
    return shape.read(parseJson(source), '');
  } catch (cause) {
    throw unreadable(cause);
  }
}

function refuseLaterFormat(source: string | undefined): void {
  if (source === undefined) return;
  const found = parsePart(codec.openObject({ format: number }), source).format;
  if (found > format)
    throw new PetstoreError(
      'state',
      `The state was written by a later version, in format ${found}; this version reads up to format ${format}.`,
      { remedy: 'Use that version, or another address for the state.' },
    );
  parsePart(about, source);
}

function unreadable(cause: unknown): PetstoreError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new PetstoreError('state', `The stored state cannot be read: ${reason}.`, {
    remedy: 'Use another address for the state, or restore a copy.',
    cause,
  });
}
