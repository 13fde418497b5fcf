import {
  type JsonValue,
  type Operation,
  isJsonObject,
  isNumeric,
  plainName,
  renderJson,
} from '../../../contract/index.ts';
import { queryValues } from '../../http/query.ts';

/** The items of a list that a query asks for, in the order that it asks for. */
export type Select = <Item extends { readonly value: JsonValue }>(
  items: readonly Item[],
  query: string,
) => readonly Item[];

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

/** Compiles filters by equality, named as members of the items, and sorting. */
export function compileSelection(
  { parameters }: Operation,
  members: Iterable<string>,
  paging: ReadonlySet<string>,
): Select {
  const byPlain = new Map([...members].map((name) => [plainName(name), name]));
  const inQuery = parameters.filter(
    ({ in: place, name }) => place === 'query' && !paging.has(name),
  );
  const filters = inQuery.flatMap(({ name }) => {
    const member = byPlain.get(plainName(name));
    return member === undefined ? [] : [{ name, member }];
  });
  const named = (names: readonly string[]): string | undefined =>
    inQuery.find(({ name }) => names.includes(plainName(name)) && !byPlain.has(plainName(name)))
      ?.name;
  const sort = named(sortNames);
  const direction = named(directionNames.filter((name) => name !== plainName(sort ?? '')));
  return (items, query) => {
    if (query === '') return items;
    const wanted = filters.flatMap(({ name, member }) => {
      const values = queryValues(query, name);
      return values.length === 0 ? [] : [{ member, values: new Set(values) }];
    });
    const found = items.filter(({ value }) =>
      wanted.every(({ member, values }) => hasOneOf(value, member, values)),
    );
    const [order] = sort === undefined ? [] : queryValues(query, sort);
    const [way = ''] = direction === undefined ? [] : queryValues(query, direction);
    return order === undefined ? found : sorted(found, order, way, byPlain);
  };
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
