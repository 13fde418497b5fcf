import type { InferredResource, InferredRole, ItemView } from '../../contract/resource/resource.ts';
import { parsePointer } from '../../contract/json/pointer.ts';
import { valueAt, withoutMember } from '../../contract/json/place.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { successResponse, successStatus } from '../../contract/openapi/response.ts';
import { memberNamed, plainName } from '../../contract/resource/names.ts';
import type { Issue } from '../../contract/schema/schema-node.ts';
import { renderIssues } from '../http/issue-message.ts';
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
} from '../operation/response/refusal.ts';
import type { Collection, Place, PlaceInTime } from './collection.ts';
import { type BodyRules, compileBodyRules } from './rules/body-rules.ts';
import { idValue, isUuidText } from './store/ids.ts';
import { type Item, type OpenItem, isItemId, openItem } from './store/item.ts';
import { SentForm } from './view/sent.ts';
import {
  type Shown,
  asKept,
  isShownElsewhere,
  itemInBody,
  jsonType,
  wholeItem,
  withMade,
} from './view/item-view.ts';

/**
 * One operation of a collection: what clients send for an item, and how its response shows one. What
 * costs is done when a request first needs it.
 */
export class ItemOperation {
  readonly collection: Collection;
  readonly operation: Operation;
  readonly resource: InferredResource;
  readonly role: InferredRole | undefined;
  /** Undefined where the response shows no item. */
  readonly view: ItemView | undefined;
  /** Of success. */
  readonly status: number;
  readonly mediaType: string;
  /** A success may have a body, of which the document says nothing: then it shows all of an item. */
  readonly isUndescribed: boolean;
  /** That are documented. */
  readonly statuses: ReadonlySet<number>;
  /** It has a response for an item that is not there. */
  readonly documentsAbsence: boolean;
  #shown: Shown | undefined;
  #sent: SentForm | undefined;
  #rules: BodyRules | undefined;
  #ownPlaces: readonly (readonly string[])[] | undefined;
  #refusesUnknown: boolean | undefined;
  #settles: boolean | undefined;

  constructor(collection: Collection, operation: Operation) {
    const { resource } = collection;
    this.collection = collection;
    this.operation = operation;
    this.resource = resource;
    this.role = collection.roleOf(operation);
    this.view = resource.viewOf(operation);
    this.status = successStatus(operation);
    this.mediaType = jsonType(this.view?.content.mediaType ?? '*/*');
    this.isUndescribed =
      this.view === undefined &&
      resource.itemPath !== undefined &&
      this.status >= 200 &&
      this.status < 204 &&
      successResponse(operation)?.content.length === 0;
    this.statuses = documentedStatuses(operation);
    this.documentsAbsence = documentsAbsence(operation);
  }

  /** How the response shows an item; undefined where it shows none. */
  get shown(): Shown | undefined {
    if (this.#shown !== undefined || this.view === undefined) return this.#shown;
    const { collection, view } = this;
    const laid = collection.layOver(this.operation, view);
    const isPlain =
      collection.plain !== undefined && view.item.pointer === collection.itemSchema?.pointer;
    return (this.#shown = isPlain ? asKept(laid) : laid);
  }

  /** The response with an item; undefined where it shows none. */
  show(item: Item): Success | undefined {
    if (this.isUndescribed) return successJson(this.status, wholeItem(this.resource, item));
    const { shown } = this;
    return shown && { ...success(this.status, shown.text(item)), mediaType: this.mediaType };
  }

  /** The item that the path names; one that nobody made is made up where ids are not all known. */
  find(call: Call, input?: Input): Item | undefined {
    const { collection } = this;
    const inventory = collection.read(call);
    const name = collection.nameIn(call, input);
    const known = inventory.find(name);
    if (known !== undefined || inventory.isRemoved(name)) return known;
    // What is within an item that nobody knows is not known before it is listed.
    const isUnknown = this.resource.parents.length > 0 && !inventory.isDisclosed;
    const refuses = this.#refuses();
    if (refuses && !isUnknown) return undefined;
    const item = collection.close(collection.untouched(call, name), inventory);
    if (refuses && !call.sandbox.store.isFull) inventory.put(item);
    return item;
  }

  /**
   * Unknown ids are refused: clients can know better, and GET or this operation has a response for that.
   * What cannot be read within another item may be an item of elsewhere: a tag of a contact.
   */
  #refuses(): boolean {
    const { collection, resource } = this;
    const isOwn = resource.parents.length === 0 || collection.operationOf('get') !== undefined;
    return (this.#refusesUnknown ??=
      (resource.isClosed || (isOwn && this.documentsAbsence)) && collection.showsIds);
  }

  /** The refusal for an item that is not there. */
  missing(call: Call, input?: Input): Refusal {
    const { collection, statuses } = this;
    const message = this.resource.isSingle
      ? 'This item does not exist.'
      : `No item has the ${collection.idLabel} ${collection.nameIn(call, input)}.`;
    const status = !statuses.has(404) && statuses.has(410) ? { status: 410 } : {};
    return refuse('not_found', message, { documented: statuses, ...status });
  }

  /** Stores an item. What the response shows of it becomes part of it, so that others show the same. */
  put(item: Item, call: Place): void {
    const { collection, view, shown } = this;
    if (collection.plain !== undefined || view === undefined || shown === undefined) {
      collection.write(call).put(item);
      return;
    }
    this.#settles ??= isShownElsewhere(this.resource, this.operation);
    const settled = this.#settles
      ? collection.close(
          withMade(openItem(item), view, itemInBody(view, shown.value(item))),
          collection.read(call),
        )
      : item;
    collection.write(call).put(collection.named(settled, shown.value(settled)));
  }

  get #form(): SentForm {
    return (this.#sent ??= new SentForm(this.resource, this.operation));
  }

  #rulesOf(): BodyRules {
    const { collection } = this;
    return (this.#rules ??= compileBodyRules(collection, this.#form.schema, collection.choices));
  }

  /** The items that a client sends: several where the body is an array of objects. */
  sentIn(body: JsonValue | undefined): readonly JsonObject[] {
    const items = this.#form.itemsIn(body);
    return this.#rulesOf().refusesId
      ? items
      : items.map((item) => this.#form.withoutReadOnly(item));
  }

  #judge(sent: JsonObject, call: Place): Refusal | undefined {
    const issues = this.#rulesOf().judge(sent, this.collection.read(call));
    return issues.length === 0 ? undefined : this.#refuse(issues);
  }

  #refuse(issues: readonly Issue[]): Refusal {
    return refuse('invalid_body', renderIssues(issues), { documented: this.statuses });
  }

  /** What is stored of an item that was sent. */
  #accept(sent: JsonObject): JsonObject {
    const { defaults, known } = this.#rulesOf();
    const isKept = known === undefined || Object.keys(sent).every((name) => known.has(name));
    const kept = isKept
      ? sent
      : Object.fromEntries(Object.entries(sent).filter(([name]) => known.has(name)));
    return Object.keys(defaults).every((name) => Object.hasOwn(kept, name))
      ? kept
      : { ...defaults, ...kept };
  }

  /** A new item with what was sent, its id made or the client's own. It is not stored yet. */
  create(sent: JsonObject, call: PlaceInTime): Item | Refusal {
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
      ...collection.untouched(call, key),
      members,
      absent: this.#form.unsent(members),
      createdAt: call.now,
      changedAt: call.now,
    };
    return collection.close(item, inventory);
  }

  /** An item with what was sent in the place of what clients may send; the rest stays. */
  replace(item: OpenItem, sent: JsonObject): OpenItem {
    const form = this.#form;
    const accepted = this.#accept(sent);
    const members = { ...form.keptOf(item.members), ...accepted };
    const absent = [...item.absent].filter((name) => !form.accepts(name));
    return { ...item, members, absent: new Set([...absent, ...form.unsent(accepted)]) };
  }

  /** An item after a change by what was sent. It is not stored yet. */
  change(item: OpenItem, sent: JsonObject, call: PlaceInTime): Item | Refusal {
    const { collection } = this;
    const refusal = this.#judge(sent, call);
    if (refusal !== undefined) return refusal;
    const inventory = collection.read(call);
    const isKnown = collection.plain !== undefined && inventory.get(item.key) !== undefined;
    // What was not sent is as the document shows it.
    const issues = isKnown
      ? collection.issuesOf(item).filter(({ at }) => Object.hasOwn(sent, parsePointer(at)[0] ?? ''))
      : [];
    if (issues.length > 0) return this.#refuse(issues);
    return collection.close({ ...item, changedAt: call.now }, inventory);
  }

  /** The key that an item gives itself, and that no other may have; undefined for none. */
  keyIn(sent: JsonObject): string | undefined {
    const own = this.#ownKey(sent);
    return own === undefined || own.isMade ? undefined : own.key;
  }

  /** The id that a client gives: by the member that names items in responses, else by its name. */
  #ownKey(sent: JsonObject): OwnKey | undefined {
    const { idParameter } = this.resource;
    for (const names of this.#placesOfId()) {
      const place = placeNamed(sent, names);
      const value = place && valueAt(sent, place);
      if (place === undefined || !isItemId(value)) continue;
      const key = `${value}`;
      if (
        key !== '' &&
        (idParameter === undefined || idValue(key, idParameter.schema) !== undefined)
      )
        return { key, place, isMade: typeof value !== 'string' || isUuidText(key) };
    }
    return undefined;
  }

  /** Where clients may send an id. */
  #placesOfId(): readonly (readonly string[])[] {
    if (this.#ownPlaces !== undefined) return this.#ownPlaces;
    const { viewOf, idNames, showing } = this.resource;
    const places = new Map<string, readonly string[]>();
    for (const one of [this.operation, ...showing]) {
      const place = viewOf(one)?.idPlace;
      if (place !== undefined) places.set(place.join('.'), place);
    }
    if (places.size === 0) for (const name of idNames.slice(0, 8)) places.set(name, [name]);
    const own = [...places.values()].filter(([name = '']) => this.#form.acceptsLike(name));
    return (this.#ownPlaces = own);
  }
}

interface OwnKey {
  readonly key: string;
  /** Members of what was sent, down to it. */
  readonly place: readonly string[];
  /** It looks like one that the service makes: another is made where it is taken. */
  readonly isMade: boolean;
}

/** Where members with such names are, whatever their case; undefined where they are not. */
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
