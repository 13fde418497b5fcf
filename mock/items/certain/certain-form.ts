import { type JsonObject, type JsonValue, renderJson } from '../../../contract/json/value.ts';
import type { Resource } from '../../../contract/resource/resource.ts';
import type { Choices } from '../../choice/choices.ts';
import { type IdMaker, compileIdMaker, idValue } from '../store/ids.ts';
import { Inventory, type InventoryForm, type ItemOrder } from '../store/inventory.ts';
import { type Item, type ItemId, isItemId } from '../store/item.ts';
import { memberPlaces } from './schema-places.ts';

/** How the items of a resource are kept that leaves no doubt: as every response shows them. */
export interface CertainForm {
  readonly resource: Resource;
  /** Properties that are indexed: those of the filters, in their order, then the references. */
  readonly indexed: readonly string[];
  /** Properties that must refer to a record that exists. */
  readonly references: readonly string[];
  /** An empty inventory. */
  open(): Inventory;
  /** The item as kept; undefined if its id can name nothing. */
  close(item: JsonObject): Item | undefined;
  /** Makes the ids of new items. */
  readonly idMaker: IdMaker;
  /** The id that a text is. */
  idOf(text: string): ItemId | undefined;
}

/** Compiles the choices about order and references for a resource. */
export function compileCertainForm(resource: Resource, choices: Choices): CertainForm {
  const { item: schema, idProperty, idParameter } = resource;
  const idSchema = schema.shape().properties.get(idProperty) ?? idParameter?.schema ?? schema;
  const references = referencesOf(resource, choices);
  const filtered = resource.filters.map(({ property }) => property);
  const indexed = [...filtered, ...references.filter((name) => !filtered.includes(name))];
  const { by, order } = orderOf(resource, choices);
  const form: InventoryForm = { indexed: indexed.length, order, isCertain: true };
  const share = createSharing();
  const example = idParameter?.examples[0]?.value;
  return {
    resource,
    indexed,
    references,
    open: () => new Inventory(form),
    close(item) {
      const id = item[idProperty];
      if (!isItemId(id)) return undefined;
      return {
        id,
        sortKey: item[by] ?? id,
        indexedValues: share(indexed.map((name) => item[name] ?? null)),
        text: renderJson(item),
        facts: undefined,
      };
    },
    idMaker: compileIdMaker({ schemas: [idSchema], example }),
    idOf: (text) => idValue(text, idSchema),
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
