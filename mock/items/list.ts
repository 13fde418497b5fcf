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
} from '../../contract/resource/list-parameters.ts';
import { originOf } from '../http/message.ts';
import { argumentKey, queryValues } from '../http/parameter-text.ts';
import {
  type Action,
  type Call,
  type Input,
  type Success,
  success,
  successJson,
} from '../operation/response/outcome.ts';
import { isRefusal } from '../operation/response/refusal.ts';
import { isTotalHeader } from '../operation/response/representation.ts';
import type { Collection } from './collection.ts';
import type { ItemOperation } from './item-operation.ts';
import { type Shown, bodyWithoutItem } from './item-view.ts';
import { type PageRequest, type PageTarget, Paging, fillEnvelope } from './paging.ts';
import type { Item } from './store/item.ts';
import { type Inventory, compareScalars } from './store/store.ts';

interface KeptPage extends Success {
  readonly revision: object;
  readonly target: string;
  readonly origin: string;
}

/** Longer pages are rendered for each request, because every inventory could store one. */
const maxKeptPage = 65_536;

/** Returns the items of a collection that match a query, one page of them, in their envelope. */
export function compileList(one: ItemOperation, otherwise: Action): Action {
  const { collection, operation, view, status, mediaType } = one;
  const isPartial = collection.resource.isPartial(operation);
  if (one.isUndescribed)
    return (_input, call) => {
      collection.disclose(call);
      const { items } = collection.read(call);
      const within = isPartial ? collection.selectWithin(operation, call, items) : items;
      return successJson(
        status,
        within.map((item) => collection.showUndescribed(item)),
      );
    };
  if (view === undefined) return otherwise;
  const isTotalShown = operation.responses.some((one) =>
    one.headers.some(({ name }) => isTotalHeader(name)),
  );
  const { headers = [] } = successResponse(operation) ?? {};
  const base = bodyWithoutItem(view, collection.all.sample, status);
  const sampled = valueAt(base, view.place);
  const first = Array.isArray(sampled) ? sampled[0] : undefined;
  const element = collection.elementOf(view, first);
  const members = new Set([
    ...membersOf(view.item).keys(),
    ...(isJsonObject(first) ? Object.keys(first) : []),
  ]);
  const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
  const ofObjects = inQuery.flatMap(membersInQuery);
  const all = [...inQuery, ...ofObjects.map(({ member }) => member)];
  const parameters = findPageParameters({ parameters: all }, (name) => members.has(name));
  const paging = new Paging(operation, parameters, collection);
  const select = compileSelection(collection, operation, all, members, parameters, element);
  const most = schemaAt(view.body, view.place)?.shape().maxItems ?? Number.POSITIVE_INFINITY;
  /** Items are shown as stored, in a plain array. */
  const isBare = collection.plain !== undefined && view.place.length === 0;
  const isLinked = paging.isLinked || headers.some(({ name }) => name.toLowerCase() === 'link');

  const render = (input: Input, call: Call, inventory: Inventory, page: PageRequest): Success => {
    const { offset, orderSeed } = page;
    const found = select(inventory, input, call, orderSeed);
    const total = found.length;
    const size = Math.min(page.size, most);
    const end = offset + size;
    const shown = found.slice(offset, end);
    const origin = paging.isLinked ? '' : originOf(call.request);
    const targetOf = (from: number): PageTarget | undefined => {
      const argument = paging.argumentFor(from, size, orderSeed);
      return (
        argument && { link: linkTo(call, origin, argument), argument: argument[1], offset: from }
      );
    };
    const hasNext = (isLinked || !isBare) && end < total && size > 0;
    const next = hasNext ? targetOf(end) : undefined;
    const link = isLinked && next ? { next: next.link } : undefined;
    const facts = isTotalShown ? { ...link, total } : link;
    const outcome = (text: string): Success => {
      return { ...success(status, text, facts), mediaType };
    };
    // Flattened: V8 would join a stored concatenation again for every response.
    if (isBare)
      return outcome(['[', shown.map((item) => element.text(item)).join(','), ']'].join(''));
    const values = shown.map((item) => element.value(item));
    const placed = withValueAt(base, view.place, values);
    const filled = fillEnvelope(placed, view.body, view.place, {
      total,
      count: shown.length,
      size,
      offset,
      firstPage: parameters.firstPage,
      firstOffset: parameters.firstOffset,
      next,
      previous: offset > 0 ? targetOf(Math.max(0, offset - size)) : undefined,
      self: linkTo(call, origin),
    });
    const isValid = view.body.isValid(filled);
    return outcome(renderJson(isValid ? filled : (base ?? filled)));
  };

  const kept = new WeakMap<Inventory, KeptPage>();
  return (given, call) => {
    const input = withMembers(given, ofObjects);
    collection.disclose(call);
    const inventory = collection.read(call);
    const { target } = call.request;
    const isLasting = inventory.order !== 'none' && !input.matchesNothing && !isPartial;
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
    if (!isLasting || rendered.body.length > maxKeptPage) return rendered;
    const { revision } = inventory;
    const lasting = { ...rendered, revision, target, origin: originOf(call.request) };
    kept.set(inventory, lasting);
    return lasting;
  };
}

/** A member of an object that is a query parameter of its own. */
interface QueryMember {
  /** The argument key of the object. */
  readonly holder: string;
  readonly member: Parameter;
}

/** Members of exploded objects, such as `size` of a `pageable` (OpenAPI 3.1, Style Examples). */
function membersInQuery(parameter: Parameter): readonly QueryMember[] {
  const { style, explode, mediaType, schema } = parameter;
  if (style !== 'form' || !explode || mediaType !== undefined) return [];
  return [...schema.shape().properties].map(([name, node]) => ({
    holder: argumentKey(parameter),
    member: { ...parameter, name, schema: node, examples: [] },
  }));
}

function withMembers(input: Input, inQuery: readonly QueryMember[]): Input {
  if (inQuery.length === 0) return input;
  const parameters = new Map(input.parameters);
  for (const { holder, member } of inQuery) {
    const object = parameters.get(holder);
    const value = isJsonObject(object) ? object[member.name] : undefined;
    const key = argumentKey(member);
    if (value !== undefined && !parameters.has(key)) parameters.set(key, value);
  }
  return { ...input, parameters };
}

/** Characters allowed in a URL of a `Link` header: no angle brackets (RFC 8288 section 3). */
const inLink = /^[!-;=?-~\x80-\xFF]+$/;

/** The URL of the request with another value of one query parameter. */
function linkTo(
  { request, query }: Call,
  origin: string,
  argument?: readonly [string, string],
): string {
  const [path = ''] = request.target.split('?');
  const names = argument === undefined ? [] : [argument[0], encodeURIComponent(argument[0])];
  const pairs = query
    .split('&')
    .filter((pair) => inLink.test(pair) && !names.includes(pair.split('=', 1)[0] ?? ''));
  if (argument !== undefined) pairs.push(argument.map(encodeURIComponent).join('='));
  const address = path.startsWith('/') ? origin + path : path;
  return pairs.length === 0 ? address : `${address}?${pairs.join('&')}`;
}

const sortNames = 'sort sortby orderby ordering order'.split(' ');
const directionNames = 'direction sortorder sortdirection sortdir orderdirection dir order'.split(
  ' ',
);

/**
 * Compiles filters by equality, named like members of the items, and sorting: all items are searched
 * as the list shows them.
 */
function compileSelection(
  collection: Collection,
  operation: Operation,
  parameters: readonly Parameter[],
  members: Iterable<string>,
  { cursor, offset, page, size }: PageParameters,
  element: Shown,
) {
  const { resource, plain } = collection;
  const isPartial = resource.isPartial(operation);
  const byPlain = new Map([...members].map((name) => [plainName(name), name]));
  const paging = new Set([cursor, offset, page, size, resource.certain?.limit?.parameter]);
  const inQuery = parameters.filter((one) => !paging.has(one));
  /** Those with the exact values of members; their defaults filter too. */
  const exact = plain?.filters ?? [];
  // A page that can only be read may be the result of a search.
  const isSearch =
    resource.operations.every(({ role }) => role === 'list') &&
    resource.viewOf(operation)?.place.length !== 0;
  const filters = inQuery.filter(
    (parameter) =>
      !isSearch &&
      byPlain.has(plainName(parameter.name)) &&
      !exact.some((one) => one.parameter === parameter),
  );
  const named = (names: readonly string[]): string =>
    inQuery.find(({ name }) => names.includes(plainName(name)) && !byPlain.has(plainName(name)))
      ?.name ?? '';
  const sort = named(sortNames);
  const direction = named(directionNames.filter((name) => name !== plainName(sort)));
  return (
    inventory: Inventory,
    input: Input,
    call: Call,
    orderSeed: number | undefined,
  ): readonly Item[] => {
    const { query } = call;
    const tests =
      query === '' ? [] : filters.flatMap((one) => readFilter(one, input, query, byPlain));
    for (const { parameter, property } of exact) {
      const wanted = input.parameters.get(argumentKey(parameter));
      if (wanted !== undefined)
        tests.push((value) => (valueAt(value, [property]) ?? null) === wanted);
    }
    const [order] = sort === '' ? [] : queryValues(query, sort);
    if (input.matchesNothing) return [];
    const ordered = inventory.inOrder(orderSeed);
    const all = isPartial ? collection.selectWithin(operation, call, ordered) : ordered;
    if (tests.length === 0 && order === undefined) return all;
    const found = all
      .map((item) => ({ item, value: element.value(item) }))
      .filter(({ value }) => tests.every((test) => test(value)));
    const [way = ''] = direction === '' ? [] : queryValues(query, direction);
    const inOrder = order === undefined ? found : sorted(found, order, way, byPlain);
    return inOrder.map(({ item }) => item);
  };
}

/**
 * The filter of a request by a parameter, if any; an empty value does not filter. Neither does its default, which often means any value, and which the initial items may not have.
 */
function readFilter(
  parameter: Parameter,
  input: Input,
  query: string,
  members: ReadonlyMap<string, string>,
): ((item: JsonValue) => boolean)[] {
  const value = input.parameters.get(argumentKey(parameter));
  if (value === undefined || value === '' || queryValues(query, parameter.name).length === 0)
    return [];
  const wanted = textsOf(value);
  const member = members.get(plainName(parameter.name)) ?? '';
  return [(item) => textsOf(valueAt(item, [member])).some((text) => wanted.includes(text))];
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  const values: readonly (JsonValue | undefined)[] = Array.isArray(value) ? value : [value];
  return values.map((one) => (typeof one === 'string' ? one : renderJson(one ?? null)));
}

/** `name`, `-name`, `name:desc`, `name desc`, `name,desc`. */
function sorted<One extends { readonly value: JsonValue }>(
  items: readonly One[],
  order: string,
  direction: string,
  members: ReadonlyMap<string, string>,
): readonly One[] {
  const [, sign = '', name = '', after = ''] =
    /^([-+]?)([^\s:,]+)(?:[\s:,](\w+))?/.exec(order) ?? [];
  const member = members.get(plainName(name));
  if (member === undefined) return items;
  const isDown = sign === '-' || /^desc/i.test(after) || /^(?:desc|-1)/i.test(direction);
  const keyOf = ({ value }: One): JsonValue => valueAt(value, [member]) ?? null;
  return items.toSorted((a, b) => compareScalars(keyOf(a), keyOf(b)) * (isDown ? -1 : 1));
}
