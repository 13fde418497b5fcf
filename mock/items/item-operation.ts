import { valueAt, without, withoutMember } from '../../contract/json/place.ts';
import { parsePointer } from '../../contract/json/pointer.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { isBodyOpen, successStatus } from '../../contract/openapi/response.ts';
import { membersOf } from '../../contract/resource/item-view.ts';
import { memberNamed, plainName } from '../../contract/resource/names.ts';
import type { PlacedRole } from '../../contract/resource/paths.ts';
import type { InferredResource, InferredRole, ItemView } from '../../contract/resource/resource.ts';
import type { Issue } from '../../contract/schema/schema-node.ts';
import {
  type Call,
  type Input,
  type Success,
  success,
  successJson,
} from '../operation/response/outcome.ts';
import {
  type Refusal,
  documentedStatuses,
  documentsAbsence,
  refuse,
  renderIssues,
} from '../operation/response/refusal.ts';
import { typeOf } from '../operation/response/representation.ts';
import type { Collection, Place } from './collection.ts';
import { type BodyRules, compileBodyRules } from './item-rules.ts';
import { isUuidText } from './store/ids.ts';
import { type Item, type OpenItem, isItemId, openItem } from './store/item.ts';
import { type Shown, isShownElsewhere, itemInBody, withMade } from './item-view.ts';

const none: ReadonlySet<string> = Object.freeze(new Set<string>());

/**
 * An operation on a collection: what clients send for an item, and how the response shows one.
 * Compiled on first use.
 */
export class ItemOperation {
  readonly collection: Collection;
  readonly operation: Operation;
  readonly resource: InferredResource;
  readonly role: InferredRole | undefined;
  readonly place: PlacedRole['place'] | undefined;
  /** Undefined if the response shows no item. */
  readonly view: ItemView | undefined;
  /** Status of a success. */
  readonly status: number;
  readonly mediaType: string;
  /**
   * A success may have a body that the document does not describe: then it shows the whole item.
   */
  readonly isUndescribed: boolean;
  /** Documented statuses. */
  readonly statuses: ReadonlySet<number>;
  /** It documents a response for a missing item. */
  readonly documentsAbsence: boolean;
  /** It lists or adds items of one parent only, which their path does not have. */
  readonly #isPartial: boolean;
  readonly #rules: BodyRules;
  /** Location of the item in the request body. */
  readonly #sentPlace: readonly string[];
  /**
   * Locations of members that are `readOnly`, which only the server sets (OpenAPI 3.1, Schema
   * Object).
   */
  readonly #readOnly: (readonly string[])[] = [];
  /** Members that clients may send; empty if the document lists none. */
  readonly #sendable = new Set<string>();
  /** Those without a default: if the client does not send them, the item does not show them. */
  readonly #optional: string[] = [];
  /** Where clients may send an id. */
  readonly #idPlaces: readonly (readonly string[])[];
  #shown: Shown | undefined;

  constructor(collection: Collection, operation: Operation) {
    const { resource } = collection;
    const view = resource.viewOf(operation);
    this.collection = collection;
    this.operation = operation;
    this.resource = resource;
    const placed = collection.placeOf(operation);
    this.role = placed?.role;
    this.#isPartial = resource.isPartial(operation);
    this.place = placed?.place;
    this.view = view;
    this.status = successStatus(operation);
    this.mediaType = view === undefined ? 'application/json' : typeOf(view.content);
    this.isUndescribed =
      view === undefined &&
      resource.itemPath !== undefined &&
      this.status >= 200 &&
      this.status < 204 &&
      isBodyOpen(operation);
    this.statuses = documentedStatuses(operation);
    this.documentsAbsence = documentsAbsence(operation);
    this.#sentPlace = resource.sentPlace(operation);
    let sent = operation.requestBody?.content.find((media) => media.schema !== undefined)?.schema;
    for (const name of this.#sentPlace) sent = sent?.shape().properties.get(name);
    sent = sent?.shape().items ?? sent;
    this.#rules = compileBodyRules(collection, sent, collection.all.choices);
    for (const [name, member] of sent === undefined ? [] : membersOf(sent)) {
      const shape = member.shape();
      if (shape.readOnly) {
        this.#readOnly.push([name]);
        continue;
      }
      this.#sendable.add(name);
      if (shape.default === undefined) this.#optional.push(name);
      for (const [inner, node] of membersOf(member))
        if (node.shape().readOnly) this.#readOnly.push([name, inner]);
    }
    const places = new Map<string, readonly string[]>();
    for (const one of [operation, ...resource.showing]) {
      const place = resource.viewOf(one)?.idPlace;
      if (place !== undefined) places.set(place.join('.'), place);
    }
    if (places.size === 0)
      for (const name of resource.idNames.slice(0, 8)) places.set(name, [name]);
    const plain = new Set([...this.#sendable].map(plainName));
    this.#idPlaces = [...places.values()].filter(
      ([name = '']) => plain.size === 0 || plain.has(plainName(name)),
    );
  }

  /** How the response shows an item; undefined if it does not. */
  get shown(): Shown | undefined {
    return (this.#shown ??= this.view && this.collection.layOver(this.operation, this.view));
  }

  /** The response for an item; undefined if it shows none. */
  show(item: Item): Success | undefined {
    if (this.isUndescribed) return successJson(this.status, this.collection.showUndescribed(item));
    const { shown } = this;
    return shown && { ...success(this.status, shown.text(item)), mediaType: this.mediaType };
  }

  /** The item in the path. Generates an unknown one, unless all ids are known. */
  find(call: Call, input?: Input): Item | undefined {
    const { collection } = this;
    const inventory = collection.read(call);
    const name = collection.nameIn(call, input);
    const known = inventory.find(name);
    if (known !== undefined || inventory.isRemoved(name)) return known;
    // The children of an unknown parent are unknown until they are listed.
    const isUnknown = this.resource.parents.length > 0 && !inventory.isDisclosed;
    const refuses = this.#refuses();
    if (refuses && !isUnknown) return undefined;
    const item = collection.close(collection.untouched(call.pathValues, name), inventory);
    if (refuses && !call.sandbox.store.isFull) inventory.put(item);
    return item;
  }

  /**
   * Whether unknown ids get a refusal: clients can know the ids, and GET or this operation
   * documents a response. A nested item without GET may belong elsewhere, such as a tag of a
   * contact.
   */
  #refuses(): boolean {
    const { collection, resource } = this;
    const isOwn = resource.parents.length === 0 || collection.operationOf('get') !== undefined;
    return (resource.isClosed || (isOwn && this.documentsAbsence)) && collection.showsIds;
  }

  /** The refusal for a missing item. */
  missing(call: Call, input?: Input): Refusal {
    const { collection, statuses } = this;
    const message = this.resource.isSingle
      ? 'This item does not exist.'
      : `No item has the ${collection.idLabel} ${collection.nameIn(call, input)}.`;
    const status = !statuses.has(404) && statuses.has(410) ? { status: 410 } : {};
    return refuse('not_found', message, { documented: statuses, ...status });
  }

  /**
   * Stores an item. Values that the response generates become part of it, so that other responses
   * show the same.
   */
  put(item: Item, call: Place): void {
    const { collection, view, shown } = this;
    const inventory = collection.write(call);
    if (collection.plain !== undefined || view === undefined || shown === undefined) {
      inventory.put(item);
      return;
    }
    const made = (): OpenItem =>
      withMade(openItem(item), view, itemInBody(view, shown.value(item)));
    const isShared = isShownElsewhere(this.resource, this.operation);
    const settled = isShared ? collection.close(made(), inventory) : item;
    inventory.put(collection.named(settled, shown.value(settled)));
  }

  /** The items in a request: several if the body is, or contains, an array of objects. */
  sentIn(body: JsonValue | undefined): readonly JsonObject[] {
    const found = valueAt(body, this.#sentPlace);
    const several = isJsonArray(found) ? found.filter(isJsonObject) : [];
    const one = isJsonObject(found) ? found : isJsonObject(body) ? body : {};
    const items = several.length > 0 ? several : [one];
    return this.#rules.refusesId || this.#readOnly.length === 0
      ? items
      : items.map((item) =>
          this.#readOnly.reduce(
            (rest, place) =>
              valueAt(rest, place) === undefined ? rest : withoutMember(rest, place),
            item,
          ),
        );
  }

  #judge(sent: JsonObject, call: Place): Refusal | undefined {
    const issues = this.#rules.judge(sent, this.collection.read(call));
    return issues.length === 0 ? undefined : this.#refuse(issues);
  }

  #refuse(issues: readonly Issue[]): Refusal {
    return refuse('invalid_body', renderIssues(issues), { documented: this.statuses });
  }

  /** The part of a sent item that is stored. */
  #accept(sent: JsonObject): JsonObject {
    const { defaults, known } = this.#rules;
    const unknown = known && Object.keys(sent).filter((name) => !known.has(name));
    const kept = unknown && unknown.length > 0 ? without(sent, new Set(unknown)) : sent;
    return Object.keys(defaults).every((name) => Object.hasOwn(kept, name))
      ? kept
      : { ...defaults, ...kept };
  }

  #unsent(sent: JsonObject): ReadonlySet<string> {
    const names = this.#optional.filter((name) => !Object.hasOwn(sent, name));
    return names.length === 0 ? none : new Set(names);
  }

  /** A new item from what was sent, with a generated id or the client's. Does not store it. */
  create(sent: JsonObject, call: Place): Item | Refusal {
    const { collection } = this;
    const refusal = this.#judge(sent, call);
    if (refusal !== undefined) return refusal;
    const inventory = collection.write(call);
    const own = this.#ownKey(sent);
    const isTaken = own !== undefined && own.isMade && inventory.find(own.key) !== undefined;
    const key = own === undefined || isTaken ? collection.nextId(inventory) : own.key;
    if (key === undefined)
      return refuse(
        'conflict',
        `Every possible ${collection.idLabel} in this collection is used. Delete an item first.`,
      );
    const accepted = this.#accept(sent);
    const members = isTaken ? withoutMember(accepted, own.place) : accepted;
    const item = {
      ...collection.untouched(call.pathValues, key),
      ...(this.#isPartial && {
        made: collection.madeBy(this.operation, call),
      }),
      members,
      absent: this.#unsent(members),
      createdAt: call.now,
      changedAt: call.now,
    };
    return collection.close(item, inventory);
  }

  /** Replaces the members of an item that clients may send; the rest stays. */
  replace(item: OpenItem, sent: JsonObject): OpenItem {
    const sendable = this.#sendable;
    const accepted = this.#accept(sent);
    const kept = sendable.size === 0 ? {} : without(item.members, sendable);
    const absent = [...item.absent].filter((name) => sendable.size > 0 && !sendable.has(name));
    return {
      ...item,
      members: { ...kept, ...accepted },
      absent: new Set([...absent, ...this.#unsent(accepted)]),
    };
  }

  /** An item after a change by what was sent. Does not store it. */
  change(item: OpenItem, sent: JsonObject, call: Place): Item | Refusal {
    const { collection } = this;
    const refusal = this.#judge(sent, call);
    if (refusal !== undefined) return refusal;
    const inventory = collection.read(call);
    const known = collection.plain === undefined ? undefined : inventory.find(item.key);
    if (known === undefined) return collection.close({ ...item, changedAt: call.now }, inventory);
    // What the request schema describes is valid. If the item cannot show it, its value stays.
    const issues = collection.issuesOf(item).filter((each) => Object.hasOwn(sent, memberOf(each)));
    const invalid = issues.filter((each) => !this.#sendable.has(memberOf(each)));
    if (invalid.length > 0) return this.#refuse(invalid);
    const unfit = new Set(issues.map(memberOf));
    const before = openItem(known).members;
    const kept = Object.entries(before).filter(([name]) => unfit.has(name));
    const members = { ...without(item.members, unfit), ...Object.fromEntries(kept) };
    return collection.close({ ...item, members, changedAt: call.now }, inventory);
  }

  /** The unique key that an item sends for itself; undefined for none. */
  keyIn(sent: JsonObject): string | undefined {
    const own = this.#ownKey(sent);
    return own === undefined || own.isMade ? undefined : own.key;
  }

  /**
   * The id that a client sends, by the identifying member of responses or else by name, and its
   * location. `isMade`: it looks like a generated id; if it is taken, another one is generated.
   */
  #ownKey(sent: JsonObject) {
    for (const names of this.#idPlaces) {
      const place = placeNamed(sent, names);
      const value = place && valueAt(sent, place);
      if (place === undefined || !isItemId(value)) continue;
      const key = `${value}`;
      if (this.collection.admitsId(key))
        return { key, place, isMade: typeof value !== 'string' || isUuidText(key) };
    }
    return undefined;
  }
}

/** The top-level member that an issue is about. */
function memberOf({ at }: Issue): string {
  return parsePointer(at)[0] ?? '';
}

/** Locations of members with these names, ignoring case; undefined for none. */
function placeNamed(
  value: JsonValue | undefined,
  [name, ...rest]: readonly string[],
): readonly string[] | undefined {
  if (name === undefined) return [];
  if (!isJsonObject(value)) return undefined;
  const member = memberNamed(Object.keys(value), [plainName(name)]);
  const inner = member === undefined ? undefined : placeNamed(value[member], rest);
  return member === undefined || inner === undefined ? undefined : [member, ...inner];
}
