import { valueAt, without, withoutMember } from '../../contract/json/place.ts';
import { parsePointer } from '../../contract/json/pointer.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { successResponse, successStatus } from '../../contract/openapi/response.ts';
import { membersOf } from '../../contract/resource/item-view.ts';
import { memberNamed, plainName } from '../../contract/resource/names.ts';
import type { InferredResource } from '../../contract/resource/resource.ts';
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
import { compileBodyRules } from './item-rules.ts';
import { idValue, isUuidText } from './store/ids.ts';
import { type Item, type OpenItem, isItemId, openItem } from './store/item.ts';
import { type Shown, isShownElsewhere, itemInBody, wholeItem, withMade } from './item-view.ts';

export type ItemOperation = ReturnType<typeof compileItemOperation>;

/** One operation of a collection: the form of items in its requests and in its response. */
export function compileItemOperation(collection: Collection, operation: Operation) {
  const { resource } = collection;
  /** Undefined if the response has no item. */
  const view = resource.viewOf(operation);
  const status = successStatus(operation);
  const statuses = documentedStatuses(operation);
  const isAbsenceDocumented = documentsAbsence(operation);
  const mediaType = view === undefined ? 'application/json' : typeOf(view.content);
  /** If the document does not describe the success body, it is the whole item. */
  const isUndescribed =
    view === undefined &&
    resource.itemPath !== undefined &&
    status >= 200 &&
    status < 204 &&
    successResponse(operation)?.content.length === 0;

  const sentPlace = resource.sentPlace(operation);
  let sentSchema = operation.requestBody?.content.find(({ schema }) => schema)?.schema;
  for (const name of sentPlace) sentSchema = sentSchema?.shape().properties.get(name);
  sentSchema = sentSchema?.shape().items ?? sentSchema;
  const rules = compileBodyRules(collection, sentSchema, collection.all.choices);
  /** Places of `readOnly` members, which the server sets (OpenAPI 3.1, Schema Object). */
  const readOnly: (readonly string[])[] = [];
  /** Members that clients may send; empty if the document names none. */
  const sendable = new Set<string>();
  /**
   * Optional members without a default: if the client could have sent one and did not, the item
   * lacks it.
   */
  const optional: string[] = [];
  for (const [name, member] of sentSchema === undefined ? [] : membersOf(sentSchema)) {
    const shape = member.shape();
    if (shape.readOnly) {
      readOnly.push([name]);
      continue;
    }
    sendable.add(name);
    if (shape.default === undefined) optional.push(name);
    for (const [inner, node] of membersOf(member))
      if (node.shape().readOnly) readOnly.push([name, inner]);
  }
  /** Where clients may send an id. */
  const idPlaces = findIdPlaces(resource, operation, sendable);

  /** How the response shows an item; undefined if it has none. */
  let shown: Shown | undefined;
  const open = (): Shown | undefined => (shown ??= view && collection.layOver(operation, view));

  /**
   * Whether unknown ids are refused: clients can learn the valid ones, and GET or this operation
   * documents a response for unknown ids. A nested item without GET may be an item of another
   * collection: a tag of a contact.
   */
  const refusesUnknown = (): boolean => {
    const isOwn = resource.parents.length === 0 || collection.operationOf('get') !== undefined;
    return (resource.isClosed || (isOwn && isAbsenceDocumented)) && collection.showsIds;
  };

  const refuseIssues = (issues: readonly Issue[]): Refusal =>
    refuse('invalid_body', renderIssues(issues), { documented: statuses });

  const judge = (sent: JsonObject, call: Place): Refusal | undefined => {
    const issues = rules.judge(sent, collection.read(call));
    return issues.length === 0 ? undefined : refuseIssues(issues);
  };

  /** The part of a sent item that is stored. */
  const accept = (sent: JsonObject): JsonObject => {
    const { defaults, known } = rules;
    const unknown = known && Object.keys(sent).filter((name) => !known.has(name));
    const kept = unknown && unknown.length > 0 ? without(sent, new Set(unknown)) : sent;
    const isWhole = Object.keys(defaults).every((name) => Object.hasOwn(kept, name));
    return isWhole ? kept : { ...defaults, ...kept };
  };

  const unsentIn = (sent: JsonObject): readonly string[] =>
    optional.filter((name) => !Object.hasOwn(sent, name));

  /**
   * The id that a client sends, in the member that identifies items in responses, else by its usual
   * name, and where it is. `isMade`: it looks generated, so if it is taken, another one is
   * generated.
   */
  const ownKeyIn = (sent: JsonObject) => {
    for (const names of idPlaces) {
      const place = placeNamed(sent, names);
      const value = place && valueAt(sent, place);
      if (place === undefined || !isItemId(value)) continue;
      const key = `${value}`;
      if (idValue(key, resource.idParameter?.schema) !== undefined)
        return { key, place, isMade: typeof value !== 'string' || isUuidText(key) };
    }
    return undefined;
  };

  return {
    collection,
    operation,
    resource,
    role: collection.roleOf(operation),
    view,
    /** The success status. */
    status,
    mediaType,
    isUndescribed,
    /** All documented statuses. */
    statuses,
    /** Whether it documents a response for a missing item. */
    documentsAbsence: isAbsenceDocumented,

    get shown() {
      return open();
    },

    /** The response with an item; undefined if it has none. */
    show(item: Item): Success | undefined {
      if (isUndescribed) return successJson(status, wholeItem(resource, item));
      const text = open()?.text(item);
      return text === undefined ? undefined : { ...success(status, text), mediaType };
    },

    /** The item in the path. If unknown ids are not refused, an unknown item is made up. */
    find(call: Call, input?: Input): Item | undefined {
      const inventory = collection.read(call);
      const name = collection.nameIn(call, input);
      const known = inventory.find(name);
      if (known !== undefined || inventory.isRemoved(name)) return known;
      // Items nested in an unknown parent are unknown until they are listed.
      const isUnknown = resource.parents.length > 0 && !inventory.isDisclosed;
      const refuses = refusesUnknown();
      if (refuses && !isUnknown) return undefined;
      const item = collection.close(collection.untouched(call.pathValues, name), inventory);
      if (refuses && !call.sandbox.store.isFull) inventory.put(item);
      return item;
    },

    /** The refusal for a missing item. */
    missing(call: Call, input?: Input): Refusal {
      const message = resource.isSingle
        ? 'This item does not exist.'
        : `No item has the ${collection.idLabel} ${collection.nameIn(call, input)}.`;
      const gone = !statuses.has(404) && statuses.has(410) ? { status: 410 } : {};
      return refuse('not_found', message, { documented: statuses, ...gone });
    },

    /**
     * Stores an item. Members made up for the response are stored too, so that other responses
     * agree.
     */
    put(item: Item, call: Place): void {
      const inventory = collection.write(call);
      const own = open();
      if (collection.plain !== undefined || view === undefined || own === undefined) {
        inventory.put(item);
        return;
      }
      const settled = isShownElsewhere(resource, operation)
        ? collection.close(
            withMade(openItem(item), view, itemInBody(view, own.value(item))),
            inventory,
          )
        : item;
      inventory.put(collection.named(settled, own.value(settled)));
    },

    /** The items in a request body: several if it is, or contains, an array of objects. */
    sentIn(body: JsonValue | undefined): readonly JsonObject[] {
      const found = valueAt(body, sentPlace);
      const several = isJsonArray(found) ? found.filter(isJsonObject) : [];
      const one = isJsonObject(found) ? found : isJsonObject(body) ? body : {};
      const items = several.length > 0 ? several : [one];
      if (rules.refusesId) return items;
      return items.map((item) =>
        readOnly.reduce(
          (rest, place) => (valueAt(rest, place) === undefined ? rest : withoutMember(rest, place)),
          item,
        ),
      );
    },

    /**
     * A new item from the sent members, with a generated id or the client's own. It is not stored
     * yet.
     */
    create(sent: JsonObject, call: Place): Item | Refusal {
      const refusal = judge(sent, call);
      if (refusal !== undefined) return refusal;
      const inventory = collection.write(call);
      const own = ownKeyIn(sent);
      const isTaken = own !== undefined && own.isMade && inventory.find(own.key) !== undefined;
      const key = own === undefined || isTaken ? collection.nextId(inventory) : own.key;
      if (key === undefined)
        return refuse(
          'conflict',
          `Every possible ${collection.idLabel} in this collection is used. Delete an item first.`,
        );
      const accepted = accept(sent);
      const members = isTaken ? withoutMember(accepted, own.place) : accepted;
      const item = {
        ...collection.untouched(call.pathValues, key),
        members,
        absent: new Set(unsentIn(members)),
        createdAt: call.now,
        changedAt: call.now,
      };
      return collection.close(item, inventory);
    },

    /** An item whose client-settable members are replaced by the sent ones; the others stay. */
    replace(item: OpenItem, sent: JsonObject): OpenItem {
      const accepted = accept(sent);
      const kept = sendable.size === 0 ? {} : without(item.members, sendable);
      const absent = [...item.absent].filter((name) => sendable.size > 0 && !sendable.has(name));
      return {
        ...item,
        members: { ...kept, ...accepted },
        absent: new Set([...absent, ...unsentIn(accepted)]),
      };
    },

    /** An item after an update with the sent members. It is not stored yet. */
    change(item: OpenItem, sent: JsonObject, call: Place): Item | Refusal {
      const refusal = judge(sent, call);
      if (refusal !== undefined) return refusal;
      const inventory = collection.read(call);
      // Members that were not sent are taken from the document's sample.
      const issues =
        collection.plain !== undefined && inventory.has(item.key)
          ? collection
              .issuesOf(item)
              .filter(({ at }) => Object.hasOwn(sent, parsePointer(at)[0] ?? ''))
          : [];
      if (issues.length > 0) return refuseIssues(issues);
      return collection.close({ ...item, changedAt: call.now }, inventory);
    },

    /** The unique key that a client gave an item; undefined for none. */
    keyIn(sent: JsonObject): string | undefined {
      const own = ownKeyIn(sent);
      return own?.isMade === false ? own.key : undefined;
    },
  };
}

/** Where clients may send an id: where responses have it, else under a usual name. */
function findIdPlaces(
  { showing, viewOf, idNames }: InferredResource,
  operation: Operation,
  sendable: ReadonlySet<string>,
): readonly (readonly string[])[] {
  const shown = [operation, ...showing].flatMap((one) => {
    const place = viewOf(one)?.idPlace;
    return place === undefined ? [] : [place];
  });
  const usual = idNames.slice(0, 8).map((name) => [name]);
  const plain = new Set([...sendable].map(plainName));
  return (shown.length > 0 ? shown : usual).filter(
    ([name = '']) => plain.size === 0 || plain.has(plainName(name)),
  );
}

/** Where members with such names are, ignoring case; undefined if there are none. */
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
