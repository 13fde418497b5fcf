import { type MemberPlace, valueAt } from '../../contract/json/place.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  renderJson,
} from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { InferredResource } from '../../contract/resource/resource.ts';
import { type Call, changeAt, changeBody, type Layer, type Reply, type Workshop } from './layer.ts';

/** Items of a collection as its responses show them. */
export interface Collection {
  readonly resource: InferredResource;
  readonly idPlace: MemberPlace;
}

/** The collection that an operation is of; undefined where it is of none that is certain. */
export function findCollection(
  { contract }: Workshop,
  operation: Operation,
): Collection | undefined {
  const resource = contract.inferredResources.find(
    ({ certain, operations }) =>
      certain !== undefined && operations.some((each) => each.operation.id === operation.id),
  );
  const idPlace = resource?.certain?.idPlace;
  return resource && idPlace ? { resource, idPlace } : undefined;
}

/** The items in a reply, each changed; undefined leaves one out of a list. */
export function mapItems(
  { resource, idPlace }: Collection,
  operation: Operation,
  reply: Reply,
  change: (item: JsonObject, id: string) => JsonValue | undefined,
): Reply {
  const view = resource.viewOf(operation);
  if (view === undefined || reply.status >= 300) return reply;
  const changeOne = (item: JsonValue | undefined): JsonValue | undefined => {
    if (item === undefined || !isJsonObject(item)) return item;
    return change(item, idOf(item, idPlace));
  };
  return changeBody(reply, (body) =>
    changeAt(body, view.place, (value) =>
      value !== undefined && view.isList && isJsonArray(value)
        ? value.flatMap((item) => changeOne(item) ?? [])
        : changeOne(value),
    ),
  );
}

function idOf(item: JsonObject, idPlace: MemberPlace): string {
  const id = valueAt(item, idPlace);
  return typeof id === 'string' ? id : renderJson(id ?? null);
}

export function listItems(collection: Collection, operation: Operation, reply: Reply) {
  const items: (readonly [id: string, item: JsonObject])[] = [];
  mapItems(collection, operation, reply, (item, id) => {
    items.push([id, item]);
    return item;
  });
  return items;
}

/** What each operation does to the items, as far as a layer asks. */
export function roleOf(
  { resource }: Collection,
  operation: Operation | undefined,
): string | undefined {
  return resource.operations.find((each) => each.operation.id === operation?.id)?.role;
}

/** A layer that changes the items of the responses of some operations of a collection. */
export function changingItems(
  collection: Collection,
  isMeant: (call: Call) => boolean,
  change: (item: JsonObject, id: string) => JsonValue | undefined,
): Layer {
  return (call, serve) => {
    const reply = serve(call.request);
    return call.operation && isMeant(call)
      ? mapItems(collection, call.operation, reply, change)
      : reply;
  };
}

/** Hides items from what is read, as if they were not there. */
export function hidingLayer(
  collection: Collection,
  workshop: Workshop,
  watch: (call: Call, reply: Reply, hidden: Set<string>, seen: readonly string[]) => void,
  rolesThatMiss: readonly string[] = ['get', 'list'],
): Layer {
  const hidden = new Set<string>();
  const seen = new Set<string>();
  return (call, serve) => {
    const role = roleOf(collection, call.operation);
    const { operation, id } = call;
    const reply = serve(call.request);
    if (operation === undefined || role === undefined) return reply;
    const isList = role === 'list';
    const isHiding = rolesThatMiss.includes(role);
    if (isHiding && !isList && hidden.has(id ?? '') && reply.status < 300)
      return workshop.reply(operation, 404, reply);
    const show = (item: JsonObject, each: string) => (hidden.has(each) ? undefined : item);
    const shown = isHiding && isList ? mapItems(collection, operation, reply, show) : reply;
    watch(call, reply, hidden, [...seen]);
    for (const [each] of listItems(collection, operation, shown)) seen.add(each);
    return shown;
  };
}
