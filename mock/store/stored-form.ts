import {
  type JsonObject,
  type JsonValue,
  type Resource,
  renderJson,
} from '../../contract/index.ts';
import type { Choices } from '../choice/choices.ts';
import { Inventory, type ItemOrder, type StoredItem } from './inventory.ts';
import { type ItemId, createIdSource } from './item-id.ts';
import { memberPlaces } from './schema-places.ts';

/** How the items of a resource are kept: what they are sorted and found by. */
export interface StoredForm {
  /** Properties that are indexed: those of the filters, in their order, then the references. */
  readonly indexed: readonly string[];
  /** Properties that must refer to a record that exists. */
  readonly references: readonly string[];
  /** An empty inventory. */
  open(): Inventory;
  /** The item as kept; undefined if its id can name nothing. */
  render(item: JsonObject): StoredItem | undefined;
}

/** Compiles the choices about order and references for a resource. */
export function compileStoredForm(resource: Resource, choices: Choices): StoredForm {
  const { item: schema, idProperty, idParameter } = resource;
  const idSchema = schema.shape().properties.get(idProperty) ?? idParameter?.schema ?? schema;
  const references = referencesOf(resource, choices);
  const filtered = resource.filters.map(({ property }) => property);
  const indexed = [...filtered, ...references.filter((name) => !filtered.includes(name))];
  const { by, order } = orderOf(resource, choices);
  const share = createSharing();
  return {
    indexed,
    references,
    open: () => new Inventory(indexed.length, order, createIdSource(idSchema)),
    render(item) {
      const id = item[idProperty];
      if (!isItemId(id)) return undefined;
      return {
        id,
        sortKey: item[by] ?? id,
        indexedValues: share(indexed.map((name) => item[name] ?? null)),
        text: renderJson(item),
      };
    },
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

/** Narrows a value to one that can name an item. */
export function isItemId(value: JsonValue | undefined): value is ItemId {
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string';
}

function orderOf(
  resource: Resource,
  choices: Choices,
): { readonly by: string; readonly order: ItemOrder } {
  const { id, details } = choices.choose('order', resource.list.pointer);
  const by = typeof details['by'] === 'string' ? details['by'] : resource.idProperty;
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
