import { valueAt, withValueAt } from '../../contract/json/place.ts';
import { type JsonValue, isJsonObject, renderJson } from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import { successResponse } from '../../contract/openapi/response.ts';
import { membersOf, schemaAt } from '../../contract/resource/item-view.ts';
import { plainName } from '../../contract/resource/names.ts';
import {
  type PageParameters,
  findPageParameters,
} from '../../contract/resource/page-parameters.ts';
import { originOf } from '../http/message.ts';
import { argumentKey } from '../http/parameter-text.ts';
import { queryValues } from '../http/query.ts';
import { hasTotal } from '../operation/response/headers.ts';
import {
  type Action,
  type Call,
  type Input,
  type Success,
  success,
  successJson,
} from '../operation/response/outcome.ts';
import { isRefusal } from '../operation/response/refusal.ts';
import type { Collection } from './collection.ts';
import type { ItemOperation } from './item-operation.ts';
import { type Inventory, compareScalars } from './store/inventory.ts';
import type { Item } from './store/item.ts';
import { type Shown, asKept, bodyWithoutItem, wholeItem } from './view/item-view.ts';
import { type PageTarget, fillEnvelope, type PageRequest, compilePaging } from './paging.ts';

interface KeptPage extends Success {
  readonly revision: object;
  readonly target: string;
  readonly origin: string;
}

/** A longer page is rendered for each request: every inventory may keep one. */
const mostKeptPage = 65_536;

/** Answers the items of a collection that a query asks for: as many as asked for, in their envelope. */
export function compileList(one: ItemOperation, otherwise: Action): Action {
  const { collection, operation, resource, view, status, mediaType } = one;
  if (one.isUndescribed)
    return (_input, call) => {
      collection.disclose(call);
      const inventory = collection.read(call);
      return successJson(
        status,
        inventory.items.map((item) => wholeItem(resource, item)),
      );
    };
  if (view === undefined) return otherwise;
  const isTotalTold = hasTotal(operation);
  const hasLink =
    successResponse(operation)?.headers.some(({ name }) => name.toLowerCase() === 'link') === true;
  const { schema } = view.content;
  const base = bodyWithoutItem(view, collection.sample, status);
  const sampled = valueAt(base, view.place);
  const first = Array.isArray(sampled) ? sampled[0] : undefined;
  const element = collection.elementOf(view, first);
  const members = new Set([
    ...membersOf(view.item).keys(),
    ...(isJsonObject(first) ? Object.keys(first) : []),
  ]);
  const parameters = findPageParameters(operation, (name) => members.has(name));
  const paging = compilePaging(operation, parameters, collection);
  const select = compileSelection(collection, operation, members, parameters, element);
  const most =
    schemaAt(view.content.schema, view.place)?.shape().maxItems ?? Number.POSITIVE_INFINITY;
  /** Items are shown as they are kept, in a bare array. */
  const isBare = collection.plain !== undefined && view.place.length === 0;
  const isLinked = hasLink || paging.isLinked;
  const plain = asKept(element);
  const kept = new WeakMap<Inventory, KeptPage>();

  const render = (input: Input, call: Call, inventory: Inventory, page: PageRequest): Success => {
    const found = select(inventory, input, call, page.orderSeed);
    const size = Math.min(page.size, most);
    const end = page.offset + size;
    const origin = paging.isLinked ? '' : originOf(call.request);
    const targetOf = (offset: number): PageTarget | undefined => {
      const argument = paging.argumentFor(offset, size, page.orderSeed);
      return argument && { link: linkTo(call, origin, argument), argument: argument[1], offset };
    };
    const items = found.slice(page.offset, isBare && isLinked ? size + 1 : size);
    const shown = items.slice(0, size);
    if (isBare) {
      const next = isLinked && items.length > size && size > 0 ? targetOf(end)?.link : undefined;
      // In one piece: a text that is kept as its parts is put together again for every response.
      const text = ['[', shown.map((item) => plain.text(item)).join(','), ']'].join('');
      return outcome(text, next, isTotalTold ? found.total() : undefined);
    }
    const total = found.total();
    const next = end < total && size > 0 ? targetOf(end) : undefined;
    const facts = {
      total,
      count: shown.length,
      size,
      offset: page.offset,
      firstPage: parameters.firstPage,
      next,
      previous: page.offset > 0 ? targetOf(Math.max(0, page.offset - size)) : undefined,
      self: linkTo(call, origin),
    };
    const values = shown.map((item) => element.value(item));
    const placed = withValueAt(base, view.place, values);
    const filled = schema === undefined ? placed : fillEnvelope(placed, schema, view.place, facts);
    const isValid = schema === undefined || schema.validate(filled).length === 0;
    return outcome(
      renderJson(isValid ? filled : (base ?? filled)),
      isLinked ? next?.link : undefined,
      isTotalTold ? total : undefined,
    );
  };
  const outcome = (text: string, next?: string, total?: number): Success => {
    const link = next === undefined ? undefined : { next };
    const facts = total === undefined ? link : { ...link, total };
    return { ...success(status, text, facts), mediaType };
  };

  return (input, call) => {
    collection.disclose(call);
    const inventory = collection.read(call);
    const { target } = call.request;
    const isLasting = inventory.form.order !== 'none' && !input.matchesNothing;
    const known = isLasting ? kept.get(inventory) : undefined;
    if (
      known?.revision === inventory.revision &&
      known.target === target &&
      ((isBare && !isLinked) || known.origin === originOf(call.request))
    )
      return known;
    const page = paging.read(input, call, inventory);
    if (isRefusal(page)) return page;
    const rendered = render(input, call, inventory, page);
    if (!isLasting || rendered.body.length > mostKeptPage) return rendered;
    const { revision } = inventory;
    const lasting = { ...rendered, revision, target, origin: originOf(call.request) };
    kept.set(inventory, lasting);
    return lasting;
  };
}

/** What a reference in a `Link` header may hold: no angle brackets (RFC 8288 section 3). */
const inLink = /^[!-;=?-~\x80-\xFF]+$/;

/** The address of the request, with another value of one parameter of its query. */
function linkTo(
  { request, query }: Call,
  origin: string,
  argument?: readonly [string, string],
): string {
  const [path = ''] = request.target.split('?');
  const rest = query
    .split('&')
    .filter((pair) => inLink.test(pair) && !isArgument(pair, argument?.[0]));
  const added = argument === undefined ? [] : [argument.map(encodeURIComponent).join('=')];
  const all = [...rest, ...added].join('&');
  const address = path.startsWith('/') ? origin + path : path;
  return all === '' ? address : `${address}?${all}`;
}

function isArgument(pair: string, name: string | undefined): boolean {
  if (name === undefined) return false;
  const key = pair.split('=', 1)[0] ?? '';
  return key === name || key === encodeURIComponent(name);
}

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
  const valueOf = ({ value }: Item): JsonValue =>
    (isJsonObject(value) ? value[member] : undefined) ?? null;
  return items.toSorted((a, b) => compareScalars(valueOf(a), valueOf(b)) * (isDown ? -1 : 1));
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : renderJson(value ?? null);
}
