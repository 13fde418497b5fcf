import * as codec from '../../../contract/json/codec.ts';
import type { Codec, TypeOf } from '../../../contract/json/codec.ts';
import { PetstoreError } from '../../../contract/error/petstore-error.ts';
import { type JsonValue, isNumeric, parseJson, renderJson } from '../../../contract/json/value.ts';
import { messageOf } from '../../../contract/source/diagnostic.ts';
import { faultsOf } from '../../control/fault/faults.ts';
import { renewSandbox } from '../../control/sandbox-control.ts';
import { stubsOf } from '../../control/stub/stubs.ts';
import { Inventory } from '../../items/store/store.ts';
import { type Item, type ItemId, isItemId, readMembers } from '../../items/store/item.ts';
import { clockState } from '../../sandbox/clock.ts';
import { type Exchange, exchange } from '../../sandbox/journal-entry.ts';
import { type Sandbox, type Snapshot, keyBucket, keyCount } from '../../sandbox/sandbox.ts';
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
  buckets: list(keyBucket),
  rules: text,
  places: list(
    object({ path: text, place: text, items: list(object({ id: some(isItemId), text })) }),
  ),
});

/** The value of a part, except of an item. Exchanges and snapshots are immutable: if they are the same, they are equal. */
type PartValue = string | Exchange | Snapshot;

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
  /** The stored parts by name, except items. */
  readonly #parts = new Map<string, PartValue>();
  /** The texts of stored items, by path. */
  readonly #items = new Map<string, Map<ItemId, string>>();
  /** By name, what the last comparison found; undefined for a part to remove. */
  #changes: ReadonlyMap<string, PartValue | undefined> = new Map();
  /**
   * By path, the items changed since they were last compared. Comparing 100,000 items would take some
   * 20 ms. A path without an entry is compared as a whole, so an inventory that left must not have one.
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
  }

  /** Undefined if nothing is stored. */
  get about(): TypeOf<typeof about> | undefined {
    return this.#read('sandbox', about);
  }

  /** A part that is a text; undefined if it is not stored. */
  #read<Value>(kind: string, shape: Codec<Value>): Value | undefined {
    const stored = this.#parts.get(nameOf(kind));
    return typeof stored === 'string' ? parsePart(shape, stored) : undefined;
  }

  /**
   * Takes over parts that were read. `isWhole`: there are no others.
   *
   * @throws {PetstoreError} with code `state` for parts that this version cannot read
   */
  put(parts: Parts, isWhole: boolean): void {
    if (isWhole) {
      this.#parts.clear();
      this.#items.clear();
    }
    // Check the format first: a later version may have written the other parts.
    refuseLaterFormat(parts.get(nameOf('sandbox')));
    for (const [name, text] of parts) {
      const isEntry = text !== undefined && name.startsWith('["entry"');
      const isSnapshot = text !== undefined && name.startsWith('["snapshot"');
      if (isEntry) this.#set(name, parsePart(exchange, text));
      else this.#set(name, isSnapshot ? readSnapshot(this.#runtime, text) : text);
    }
  }

  /** Undefined removes a part. */
  #set(name: string, value: PartValue | undefined): void {
    const [kind, path, id] = parsePart(list(codec.json), name);
    if (kind === 'time') this.#time = Number(value ?? 0);
    else if (kind === 'item' && typeof path === 'string' && isItemId(id)) {
      if (typeof value === 'string') this.#itemsAt(path).set(id, value);
      else this.#itemsAt(path).delete(id);
    } else if (value === undefined) this.#parts.delete(name);
    else this.#parts.set(name, value);
  }

  #itemsAt(path: string): Map<ItemId, string> {
    const known = this.#items.get(path) ?? new Map<ItemId, string>();
    this.#items.set(path, known);
    return known;
  }

  /**
   * The parts of the sandbox in memory that differ from the stored ones. Either they are stored and
   * committed, or the sandbox is restored, before they are compared again.
   */
  compare(): Parts {
    this.#changes = this.#findChanges();
    const parts = renderParts(this.#changes);
    if (this.about === undefined && joinParts(parts) === this.#initial) return new Map();
    if (parts.size === 0) return parts;
    this.#marks.clear();
    for (const [path, one] of this.sandbox.store.inventories) this.#marks.set(path, one.mark());
    this.#time = this.sandbox.clock.base;
    return parts.set(nameOf('time'), `${this.#time}`);
  }

  /** What was compared last is stored, as this version. */
  commit(version: string): void {
    for (const [name, value] of this.#changes) this.#set(name, value);
    this.version = version;
  }

  #findChanges(): ReadonlyMap<string, PartValue | undefined> {
    const changes = new Map<string, PartValue | undefined>();
    const live = this.#listParts();
    for (const name of new Set([...live.keys(), ...this.#parts.keys()]))
      if (live.get(name) !== this.#parts.get(name)) changes.set(name, live.get(name));
    const { inventories } = this.sandbox.store;
    for (const path of new Set([...inventories.keys(), ...this.#items.keys()])) {
      const inventory = inventories.get(path);
      const stored = this.#itemsAt(path);
      const changed = inventory?.changed;
      const isMarked = changed !== undefined && changed === this.#marks.get(path);
      for (const id of isMarked ? changed : differing(inventory, stored)) {
        const text = textAt(inventory, id);
        if (text !== stored.get(id)) changes.set(nameOf('item', path, id), text);
      }
    }
    return changes;
  }

  /** The parts of the sandbox in memory, except items. */
  #listParts(): ReadonlyMap<string, PartValue> {
    const { document, journal, listCount, snapshots, store, clock, counts, faults } = this.sandbox;
    const names = [...snapshots.keys()];
    const own = { format, document, requests: journal.count, listCount, snapshots: names };
    const stubsPart = this.#renderStubs();
    const parts = new Map<string, PartValue>([
      [nameOf('sandbox'), renderPart(about, own)],
      [nameOf('clock'), renderPart(clockState, clock.state)],
      [nameOf('settings'), this.#renderSettings()],
      [nameOf('counts'), renderPart(list(keyCount), counts)],
    ]);
    if (faults?.state !== undefined) parts.set(nameOf('faults'), renderJson(faults.state));
    if (stubsPart !== undefined) parts.set(nameOf('stubs'), stubsPart);
    for (const [path, one] of store.inventories) parts.set(nameOf('place', path), renderPlace(one));
    for (const [name, one] of snapshots) parts.set(nameOf('snapshot', name), one);
    for (const one of journal.exchanges) parts.set(nameOf('entry', one.entry.index), one);
    return parts;
  }

  #renderSettings(): string {
    const { choices, limits } = this.sandbox;
    const isFitting = choices === this.#fitting?.choices && limits === this.#fitting.limits;
    const stored = isFitting ? this.#fitting?.stored : undefined;
    return stored ?? renderPart(settings, { choices, limits });
  }

  #renderStubs(): string | undefined {
    const { stubsDigest: digest } = this.#runtime.sandboxes;
    const state = this.sandbox.stubs?.state;
    return state === undefined && digest === '' ? undefined : renderPart(stubs, { digest, state });
  }

  /**
   * Resets the sandbox to the stored state. `isNew`: the sandbox has just been created, so its
   * content can be dropped.
   */
  restore(isNew: boolean): void {
    const { sandbox, about: stored } = this;
    const isOwn = stored?.document === sandbox.document;
    this.#marks.clear();
    if (isNew || !isOwn) {
      renewSandbox(this.#runtime, sandbox);
      sandbox.replaceCounts([]);
      sandbox.listCount = 0;
      sandbox.journal.restore([], 0);
    }
    if (stored === undefined) {
      this.#initial = joinParts(renderParts(this.#findChanges()));
      return;
    }
    sandbox.clock.follow(this.#time);
    sandbox.clock.restore(this.#read('clock', clockState));
    const settingsText = this.#parts.get(nameOf('settings'));
    if (typeof settingsText === 'string' && this.#renderSettings() !== settingsText) {
      applySettings(this.#runtime, sandbox, parsePart(settings, settingsText));
      const { choices, limits } = sandbox;
      this.#fitting = { choices, limits, stored: settingsText };
    }
    this.#restoreItems(isOwn);
    sandbox.replaceCounts(this.#read('counts', list(keyCount)) ?? []);
    sandbox.faults = undefined;
    const faults = this.#read('faults', jsonObject);
    if (faults !== undefined) faultsOf(sandbox).restore(faults);
    if (this.#renderStubs() !== this.#parts.get(nameOf('stubs'))) this.#restoreStubs();
    sandbox.snapshots.clear();
    for (const name of stored.snapshots) {
      const snapshot = this.#parts.get(nameOf('snapshot', name));
      if (typeof snapshot === 'object' && 'state' in snapshot)
        sandbox.snapshots.set(name, snapshot);
    }
    sandbox.listCount = stored.listCount;
    const entries = [...this.#parts.values()].filter(
      (one) => typeof one === 'object' && 'entry' in one,
    );
    const inOrder = entries.toSorted((a, b) => a.entry.index - b.entry.index);
    sandbox.journal.restore(inOrder, stored.requests);
    for (const one of sandbox.journal.exchanges)
      this.#parts.set(nameOf('entry', one.entry.index), one);
  }

  /** Items stored for another document are set aside if they do not match this one. */
  #restoreItems(isOwn: boolean): void {
    const { store, service } = this.sandbox;
    for (const path of store.inventories.keys())
      if (!isOwn || !this.#parts.has(nameOf('place', path))) store.put(path, undefined);
    for (const [name, text] of this.#parts) {
      const [kind, path] = parsePart(list(codec.json), name);
      if (kind !== 'place' || typeof path !== 'string' || typeof text !== 'string') continue;
      const items = this.#itemsAt(path);
      const from = { path, text, items, service: isOwn ? service : undefined };
      const inventory = restoreInventory(
        from,
        store.open(path, () => openEmpty(from), true),
      );
      if (isOwn) this.#marks.set(path, inventory.mark());
    }
    if (!isOwn) store.convert((path) => service.collections.findPlain(path));
  }

  /** Stubs of another stub file are replaced by those of the current file. */
  #restoreStubs(): void {
    const { sandbox } = this;
    const stored = this.#read('stubs', stubs);
    const { stubsDigest, initialize, memory } = this.#runtime.sandboxes;
    const live = stubsOf(sandbox, memory);
    live.restore(stored?.state);
    if ((stored?.digest ?? '') === stubsDigest) return;
    if (initialize === undefined) live.useFile([]);
    else initialize(sandbox);
  }
}

/** The name of a part: its kind, and what it is the part of. */
function nameOf(...tokens: readonly ItemId[]): string {
  return renderJson(tokens);
}

/** Changed parts as they are stored. */
function renderParts(
  changes: ReadonlyMap<string, PartValue | undefined>,
): Map<string, string | undefined> {
  const render = (value: PartValue): string => {
    if (typeof value === 'string') return value;
    return 'entry' in value ? renderPart(exchange, value) : renderSnapshot(value);
  };
  return new Map([...changes].map(([name, value]) => [name, value && render(value)]));
}

/** All parts as one text, to compare them. */
function joinParts(parts: Parts): string {
  return [...parts].map(([name, text]) => `${name} ${text}`).join('\n');
}

function renderSnapshot({ state, ...rest }: Snapshot): string {
  return renderPart(storedSnapshot, {
    ...rest,
    places: [...state].map(([path, inventory]) => ({
      path,
      place: renderPlace(inventory),
      items: [...textsOf(inventory)].map(([id, text]) => ({ id, text })),
    })),
  });
}

function readSnapshot(runtime: MockRuntime, source: string): Snapshot {
  const { places, ...rest } = parsePart(storedSnapshot, source);
  const isOwn = rest.document === runtime.sandboxes.main.document;
  const service = isOwn ? findService(runtime, rest.choices) : undefined;
  const state = places.map(({ path, place: text, items }) => {
    const texts = new Map(items.map((item) => [item.id, item.text]));
    const from = { path, text, items: texts, service };
    return [path, restoreInventory(from, openEmpty(from))] as const;
  });
  return { ...rest, state: new Map(state) };
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
    if (collection === undefined) return { id, text: source, sortKey: id, facts: undefined };
    const item = collection.closePlain(readMembers(source));
    if (item === undefined) throw unreadable(new Error(`${source} is not an item`));
    return item;
  };
}

function openViewed(id: ItemId, source: string): Item {
  const { place: sortKey, members, absent, ...facts } = parsePart(viewedItem, source);
  const all = { ...facts, absent: new Set(absent) };
  return { id, sortKey, text: members, facts: all };
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
  return new PetstoreError('state', `The stored state cannot be read: ${messageOf(cause)}.`, {
    remedy: 'Use another address for the state, or restore a copy.',
    cause,
  });
}
