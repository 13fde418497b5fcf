import { appendPointer, resolvePointer } from '../../../contract/json/pointer.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
  renderJson,
} from '../../../contract/json/value.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import type { InferredResource, Resource } from '../../../contract/resource/resource.ts';
import type { SchemaNode } from '../../../contract/schema/schema-node.ts';
import type { Choices } from '../../choice/choices.ts';
import { Inventory, type InventoryForm, type ItemOrder } from '../store/inventory.ts';
import type { Item, ItemId } from '../store/item.ts';

/** How items are kept that every response shows alike: as their JSON text. */
export interface PlainForm {
  readonly filters: Resource['filters'];
  /** Properties that are indexed: those of the filters, in their order, then the references. */
  readonly indexed: readonly string[];
  /** Properties that must refer to a record that exists. */
  readonly references: readonly string[];
  /** An empty inventory. */
  open(): Inventory;
  close(item: JsonObject, id: ItemId): Item;
}

/** The form of a resource; undefined where some responses show items by another schema, or within more. */
export function compilePlainForm(
  { path, itemPath, certain, showing, viewOf }: InferredResource,
  choices: Choices,
): PlainForm | undefined {
  if (certain?.create === undefined || certain.get === undefined) return undefined;
  if (certain.collectionPath !== path || certain.itemPath !== itemPath) return undefined;
  const areAlike = showing.every((operation) => {
    const view = viewOf(operation);
    return (
      view === undefined ||
      (view.place.length === 0 &&
        view.isList === (operation === certain.list) &&
        view.item.pointer === certain.item.pointer)
    );
  });
  const { create, replace, update, item } = certain;
  const isPlain =
    areAlike &&
    !hasOwnMembers(create, item) &&
    [create, replace, update].every((one) => sendsMembers(one, item));
  return isPlain ? formOf(certain, choices) : undefined;
}

/** Whether the service may add optional members that no client sends: an example may show them. */
function hasOwnMembers({ requestBody }: Operation, item: SchemaNode): boolean {
  const { properties, required } = item.shape();
  const sent = requestBody?.content[0]?.schema?.shape().properties ?? new Map<string, SchemaNode>();
  if (sent.size === 0) return false;
  return [...properties.keys()].some((name) => !required.has(name) && !sent.has(name));
}

/** What clients send for a member is, as it is sent, what items have there. */
function sendsMembers(operation: Operation | undefined, item: SchemaNode): boolean {
  const { properties } = item.shape();
  return (operation?.requestBody?.content ?? []).every(({ schema }) =>
    [...(schema?.shape().properties ?? [])].every(([name, sent]) => {
      const shown = properties.get(name);
      return shown === undefined || isAlike(sent, shown);
    }),
  );
}

/** Unions and arrays within one another are followed to this depth. */
const mostDepth = 6;

function isAlike(sent: SchemaNode, shown: SchemaNode, depth = 0): boolean {
  if (sent.pointer === shown.pointer || depth > mostDepth) return true;
  const [from, to] = [sent.shape(), shown.shape()];
  if (from.alternatives.length > 0)
    return from.alternatives.some((one) => isAlike(one, shown, depth + 1));
  if (from.items !== undefined && to.items !== undefined)
    return isAlike(from.items, to.items, depth + 1);
  const types = from.types.filter((type) => type !== 'null');
  const isScalar = types.every((type) => type !== 'object' && type !== 'array');
  return isScalar && types.join() === to.types.filter((type) => type !== 'null').join();
}

/** Compiles the choices about order and references. */
function formOf(resource: Resource, choices: Choices): PlainForm {
  const references = referencesOf(resource, choices);
  const filtered = resource.filters.map(({ property }) => property);
  const indexed = [...filtered, ...references.filter((name) => !filtered.includes(name))];
  const { by, order } = orderOf(resource, choices);
  const form: InventoryForm = { indexed: indexed.length, order, isPlain: true };
  const share = createSharing();
  return {
    filters: resource.filters,
    indexed,
    references,
    open: () => new Inventory(form),
    close: (item, id) => ({
      id,
      sortKey: item[by] ?? id,
      indexedValues: share(indexed.map((name) => item[name] ?? null)),
      text: renderJson(item),
      facts: undefined,
    }),
  };
}

/** So many different lists of values are shared; those beyond are kept with each item. */
const mostShared = 1000;

/** Longer values are not shared: what is shared outlives the items. */
const mostSharedText = 100;

/** Gives equal lists of values as one: most items have the few values of an enumeration. */
function createSharing(): (values: readonly JsonValue[]) => readonly JsonValue[] {
  const known = new Map<JsonValue, readonly JsonValue[]>();
  return (values) => {
    const name =
      values.length === 1 && typeof values[0] === 'string' ? values[0] : renderJson([...values]);
    const same = known.get(name);
    if (same === undefined && known.size < mostShared && name.length <= mostSharedText)
      known.set(name, values);
    return same ?? values;
  };
}

function orderOf(
  resource: Resource,
  choices: Choices,
): { readonly by: string; readonly order: ItemOrder } {
  const { id, details } = choices.choose('order', resource.list.pointer);
  const by = typeof details['by'] === 'string' ? details['by'] : resource.idPlace[0];
  if (id === 'none') return { by, order: 'none' };
  return { by, order: details['direction'] === 'descending' ? 'descending' : 'ascending' };
}

function referencesOf({ item, create }: Resource, choices: Choices): readonly string[] {
  const sent = (create?.requestBody?.content ?? []).flatMap(({ schema }) => schema ?? []);
  const { document } = choices.contract;
  const places = [item, ...sent].flatMap(({ pointer }) => [...memberPlaces(document, pointer)]);
  const names = places
    .filter(([, pointers]) => choices.choose('reference', ...pointers).id === 'must-exist')
    .map(([name]) => name);
  return [...new Set(names)];
}

/** JSON pointers of a schema's members by name, over `$ref` and `allOf`; questions point there. */
export function memberPlaces(
  document: JsonValue,
  pointer: string,
): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>();
  collect(document, pointer, places, new Set());
  return places;
}

function collect(
  document: JsonValue,
  pointer: string,
  places: Map<string, string[]>,
  seen: Set<string>,
): void {
  const schema = seen.has(pointer) ? undefined : valueAt(document, pointer);
  seen.add(pointer);
  if (!isJsonObject(schema)) return;
  const { $ref, properties, allOf } = schema;
  if (typeof $ref === 'string') collect(document, $ref, places, seen);
  for (const name of isJsonObject(properties) ? Object.keys(properties) : []) {
    places.set(name, [...(places.get(name) ?? []), appendPointer(pointer, 'properties', name)]);
  }
  for (const index of Array.isArray(allOf) ? allOf.keys() : [])
    collect(document, appendPointer(pointer, 'allOf', index), places, seen);
}

function valueAt(document: JsonValue, pointer: string): JsonValue | undefined {
  return pointer.startsWith('#/') ? resolvePointer(document, pointer) : undefined;
}
