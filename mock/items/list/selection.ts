import {
  type JsonValue,
  isJsonObject,
  isNumeric,
  renderJson,
} from '../../../contract/json/value.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import type { PageParameters } from '../../../contract/resource/page-parameters.ts';
import type { Parameter } from '../../../contract/openapi/parameter.ts';
import { plainName } from '../../../contract/resource/names.ts';
import { argumentKey } from '../../http/parameter-text.ts';
import { queryValues } from '../../http/query.ts';
import type { Call, Input } from '../../operation/response/outcome.ts';
import type { Collection } from '../collection.ts';
import type { Inventory } from '../store/inventory.ts';
import type { Item } from '../store/item.ts';
import type { Shown } from '../view/item-view.ts';

/** The items that a query asks for, in the order that it asks for. */
export interface Selection {
  /** At most so many, after the first `offset` of them. */
  slice(offset: number, size: number): readonly Item[];
  total(): number;
}

export type Select = (
  inventory: Inventory,
  input: Input,
  call: Call,
  orderSeed: number | undefined,
) => Selection;

const sortNames = ['sort', 'sortby', 'orderby', 'ordering', 'order'];
const directionNames = [
  'direction',
  'sortorder',
  'sortdirection',
  'sortdir',
  'orderdirection',
  'dir',
  'order',
];

interface Filter {
  readonly parameter: Parameter;
  readonly member: string;
}

/**
 * Compiles filters by equality, named as members of the items, and sorting. Members that are indexed
 * cost the same for any number of items; for others all are looked through, as the list shows them.
 */
export function compileSelection(
  { resource, plain }: Collection,
  { parameters }: Operation,
  members: Iterable<string>,
  { cursor, offset, page, size }: PageParameters,
  element: Shown,
): Select {
  const byPlain = new Map([...members].map((name) => [plainName(name), name]));
  const paging = new Set([cursor, offset, page, size, resource.certain?.limit?.parameter]);
  const inQuery = parameters.filter((one) => one.in === 'query' && !paging.has(one));
  const indexed = plain?.filters ?? [];
  const indexKeys = indexed.map(({ parameter }) => argumentKey(parameter));
  const filters = inQuery.flatMap((parameter): Filter[] => {
    const member = byPlain.get(plainName(parameter.name));
    const isIndexed = indexed.some((one) => one.parameter === parameter);
    return member === undefined || isIndexed ? [] : [{ parameter, member }];
  });
  const named = (names: readonly string[]): string | undefined =>
    inQuery.find(({ name }) => names.includes(plainName(name)) && !byPlain.has(plainName(name)))
      ?.name;
  const sort = named(sortNames);
  const direction = named(directionNames.filter((name) => name !== plainName(sort ?? '')));
  return (inventory, input, { query }, orderSeed) => {
    if (input.matchesNothing) return selectionOf([]);
    const wanted = indexKeys.map((key) => input.parameters.get(key));
    const others = query === '' ? [] : filters.flatMap((one) => readFilter(one, input));
    const [order] = sort === undefined ? [] : queryValues(query, sort);
    if (others.length === 0 && order === undefined)
      return {
        slice: (from, most) => inventory.select(wanted, from, most, orderSeed),
        total: () => inventory.count(wanted),
      };
    const all = inventory.select(wanted, 0, Number.POSITIVE_INFINITY, orderSeed);
    const shown = all.map((item) => ({ item, value: element.value(item) }));
    const found = shown.filter(({ value }) =>
      others.every(({ member, values }) => hasOneOf(value, member, values)),
    );
    const [way = ''] = direction === undefined ? [] : queryValues(query, direction);
    const inOrder = order === undefined ? found : sorted(found, order, way, byPlain);
    return selectionOf(inOrder.map(({ item }) => item));
  };
}

function selectionOf(items: readonly Item[]): Selection {
  return {
    slice: (offset, size) => items.slice(offset, offset + size),
    total: () => items.length,
  };
}

interface WantedValues {
  readonly member: string;
  readonly values: ReadonlySet<string>;
}

/** The values that a filter lets through, if the request has it; an empty text filters nothing. */
function readFilter({ parameter, member }: Filter, input: Input): readonly WantedValues[] {
  const value = input.parameters.get(argumentKey(parameter));
  if (value === undefined || value === '') return [];
  const values = Array.isArray(value) ? value : [value];
  return [{ member, values: new Set(values.map(textOf)) }];
}

function hasOneOf(item: JsonValue, member: string, values: ReadonlySet<string>): boolean {
  const value = isJsonObject(item) ? item[member] : undefined;
  const texts = (Array.isArray(value) ? value : [value]).map(textOf);
  return texts.some((text) => values.has(text));
}

/** `name`, `-name`, `name:desc`, `name desc`, `name,desc`. */
function sorted<Item extends { readonly value: JsonValue }>(
  items: readonly Item[],
  order: string,
  direction: string,
  members: ReadonlyMap<string, string>,
): readonly Item[] {
  const [, sign = '', name = '', after = ''] =
    /^([-+]?)([^\s:,]+)(?:[\s:,](\w+))?/.exec(order) ?? [];
  const member = members.get(plainName(name));
  if (member === undefined) return items;
  const isDown = sign === '-' || /^desc/i.test(after) || /^(?:desc|-1)/i.test(direction);
  const valueOf = ({ value }: Item): JsonValue | undefined =>
    isJsonObject(value) ? value[member] : undefined;
  return items.toSorted((a, b) => compare(valueOf(a), valueOf(b)) * (isDown ? -1 : 1));
}

function compare(a: JsonValue | undefined, b: JsonValue | undefined): number {
  if (isNumeric(a) && isNumeric(b)) return a < b ? -1 : Number(a > b);
  const [left, right] = [textOf(a), textOf(b)];
  return left < right ? -1 : Number(left > right);
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : renderJson(value ?? null);
}
