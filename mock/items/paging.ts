import { valueAt, withValueAt, without } from '../../contract/json/place.ts';
import { type JsonValue, isJsonObject } from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import { membersOf } from '../../contract/resource/item-view.ts';
import { plainName } from '../../contract/resource/names.ts';
import { type PageParameters, isTextParameter } from '../../contract/resource/page-parameters.ts';
import { type SchemaNode, possibleDefault } from '../../contract/schema/schema-node.ts';
import { argumentKey } from '../http/parameter-text.ts';
import { queryValues } from '../http/query.ts';
import { totalNames } from '../operation/response/headers.ts';
import type { Call, Input } from '../operation/response/outcome.ts';
import { type Refusal, refuse } from '../operation/response/refusal.ts';
import type { Collection } from './collection.ts';
import type { Inventory } from './store/inventory.ts';

/** The part of a list that a request asks for. */
export interface PageRequest {
  readonly offset: number;
  readonly size: number;
  /** Seeds the order where none lasts; the pages of one list share it. */
  readonly orderSeed: number | undefined;
}

/** How clients go through a list page by page. */
export interface Paging {
  /** A `Link` header leads to the next page, by an open question. */
  readonly isLinked: boolean;
  /** The page that a request asks for; a refusal for one that cannot be. */
  read(input: Input, call: Call, inventory: Inventory): PageRequest | Refusal;
  /** The query parameter that leads to the page from an offset on, and its value. */
  argumentFor(
    offset: number,
    size: number,
    orderSeed: number | undefined,
  ): readonly [name: string, value: string] | undefined;
}

/** Compiles the parameters of a document, and the ways that it leaves open. */
export function compilePaging(
  list: Operation,
  found: PageParameters,
  collection: Collection,
): Paging {
  const way = collection.choices.choose('paging', list.pointer).id;
  const { certain } = collection.resource;
  const limit = certain?.list === list ? certain.limit : undefined;
  const sizeBy = limit?.parameter ?? found.size;
  const usual =
    limit === undefined
      ? standardSize(found.size)
      : (limit.default ?? limit.maximum ?? Number.POSITIVE_INFINITY);
  const cursorName = way === 'link-header' ? 'cursor' : found.cursor?.name;
  const readDocumented = (input: Input, inventory: Inventory, size: number): Position => {
    const cursor = valueOf(input, found.cursor);
    const position = isScalar(cursor) ? parseCursor(`${cursor}`, inventory) : undefined;
    if (position !== undefined) return position;
    const offset = count(valueOf(input, found.offset));
    if (offset !== undefined) return { offset };
    const page = count(valueOf(input, found.page)) ?? found.firstPage;
    return { offset: offsetOf(page - found.firstPage, size) };
  };
  const readUndocumented = (
    query: string,
    inventory: Inventory,
    size: number,
  ): Position | Refusal => {
    const [text] = queryValues(query, way === 'link-header' ? 'cursor' : 'page');
    if (text === undefined) return { offset: 0 };
    if (way === 'link-header')
      return (
        parseCursor(text, inventory) ?? refuseParameter('cursor', 'is not a cursor of this list')
      );
    return /^[1-9]\d*$/.test(text)
      ? { offset: offsetOf(Number(text) - 1, size) }
      : refuseParameter('page', 'must be an integer of at least 1');
  };
  return {
    isLinked: way === 'link-header',
    read(input, call, inventory) {
      const size = count(valueOf(input, sizeBy)) ?? usual;
      const position =
        way === 'none'
          ? readDocumented(input, inventory, size)
          : readUndocumented(call.query, inventory, size);
      if ('kind' in position) return position;
      const isDrawn = inventory.form.order === 'none' && position.orderSeed === undefined;
      const orderSeed = isDrawn ? call.sandbox.listCount++ : position.orderSeed;
      return { offset: position.offset, size, orderSeed };
    },
    argumentFor(offset, size, orderSeed) {
      if (cursorName !== undefined) {
        const isNumber = found.cursor !== undefined && !isTextParameter(found.cursor);
        return [cursorName, isNumber ? `${offset}` : renderCursor(offset, orderSeed)];
      }
      if (found.offset !== undefined) return [found.offset.name, `${offset}`];
      return found.page && [found.page.name, `${Math.floor(offset / size) + found.firstPage}`];
    },
  };
}

function valueOf(input: Input, parameter: Parameter | undefined): JsonValue | undefined {
  return parameter && input.parameters.get(argumentKey(parameter));
}

interface Position {
  readonly offset: number;
  readonly orderSeed?: number;
}

/** Where a page begins; the one before the first is the first. */
function offsetOf(pagesBefore: number, size: number): number {
  return pagesBefore <= 0 ? 0 : pagesBefore * size;
}

/** Where a list can be gone through page by page: with how many items on one. */
const usualSize = 20;

function standardSize(parameter: Parameter | undefined): number {
  const standard = parameter && possibleDefault(parameter.schema);
  const maximum = parameter?.schema.shape().maximum;
  if (typeof standard === 'number' && standard > 0) return standard;
  const most = maximum === undefined ? usualSize : Math.floor(Number(maximum.value));
  return parameter === undefined
    ? Number.POSITIVE_INFINITY
    : Math.max(1, Math.min(most, usualSize));
}

function isScalar(value: JsonValue | undefined): value is string | number | bigint {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
}

/** A number of items or pages: beyond all that there are where it is larger than a double holds exactly. */
function count(value: JsonValue | undefined): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const number = Number(value);
  const isCount = number >= 0 && (Number.isInteger(number) || number > Number.MAX_SAFE_INTEGER);
  return isCount ? Math.min(number, Number.MAX_SAFE_INTEGER) : undefined;
}

function refuseParameter(name: string, reason: string): Refusal {
  return refuse('invalid_parameter', `${name} ${reason} (query parameter ${name})`);
}

/** The cursor of a position. */
function renderCursor(offset: number, orderSeed: number | undefined): string {
  return btoa(`after ${offset}${orderSeed === undefined ? '' : ` ${orderSeed}`}`).replaceAll(
    '=',
    '',
  );
}

/** One that was given, the id of the item before, or an offset. */
function parseCursor(text: string, inventory: Inventory): Position | undefined {
  const before = inventory.find(text);
  if (before !== undefined) return { offset: inventory.items.indexOf(before) + 1 };
  const [, offset, orderSeed] = /^after (\d{1,9})(?: (\d{1,15}))?$/.exec(decodeBase64(text)) ?? [];
  if (offset !== undefined)
    return {
      offset: Number(offset),
      ...(orderSeed === undefined ? {} : { orderSeed: Number(orderSeed) }),
    };
  return /^\d+$/.test(text)
    ? { offset: Math.min(Number(text), Number.MAX_SAFE_INTEGER) }
    : undefined;
}

function decodeBase64(text: string): string {
  try {
    return atob(text);
  } catch {
    return '';
  }
}

/** What an envelope may tell of a page. */
export interface PageFacts {
  readonly total: number;
  /** Items on this page. */
  readonly count: number;
  /** Infinite where pages have no bound. */
  readonly size: number;
  readonly offset: number;
  readonly firstPage: number;
  /** Reference to a page of the same list, and the value that leads there; undefined for none. */
  readonly next: PageTarget | undefined;
  readonly previous: PageTarget | undefined;
  /** Reference to this page. */
  readonly self: string;
}

export interface PageTarget {
  readonly link: string;
  /** A cursor where the list has cursors, else the number of the page or the offset. */
  readonly argument: string;
  readonly offset: number;
}

interface Edit {
  readonly place: readonly string[];
  /** Undefined: the member goes. */
  readonly value: JsonValue | undefined;
}

/** `none`: there is nothing to tell, such as a next page after the last one. */
type PageMember = { readonly value: JsonValue } | 'none';

const mostDepth = 3;

/** Fills the members of an envelope that tell of paging; it stays valid by its schema. */
export function fillEnvelope(
  body: JsonValue,
  schema: SchemaNode,
  itemsPlace: readonly string[],
  facts: PageFacts,
): JsonValue {
  const edits = editsOf(body, schema, [], itemsPlace, facts);
  if (edits.length === 0) return body;
  const whole = edits.reduce(applyEdit, body);
  if (schema.validate(whole).length === 0) return whole;
  return edits.reduce((value, edit) => {
    const edited = applyEdit(value, edit);
    return schema.validate(edited).length === 0 ? edited : value;
  }, body);
}

function applyEdit(body: JsonValue, { place, value }: Edit): JsonValue {
  if (value !== undefined) return withValueAt(body, place, value);
  const holder = valueAt(body, place.slice(0, -1));
  const rest = isJsonObject(holder) ? without(holder, new Set(place.slice(-1))) : {};
  return withValueAt(body, place.slice(0, -1), rest);
}

function editsOf(
  body: JsonValue,
  schema: SchemaNode,
  place: readonly string[],
  itemsPlace: readonly string[],
  facts: PageFacts,
): readonly Edit[] {
  if (!isJsonObject(body) || place.length > mostDepth) return [];
  const { required } = schema.shape();
  const members = membersOf(schema);
  const siblings = new Set([...members.keys(), ...Object.keys(body)].map(plainName));
  return [...new Set([...members.keys(), ...Object.keys(body)])].flatMap(
    (name): readonly Edit[] => {
      const at = [...place, name];
      if (at.length === itemsPlace.length && at.every((one, index) => one === itemsPlace[index]))
        return [];
      const member = members.get(name);
      const value = body[name];
      if (isJsonObject(value) && member !== undefined)
        return editsOf(value, member, at, itemsPlace, facts);
      const found = tell(name, place, value, member, siblings, facts);
      if (found === undefined) return [];
      if (found !== 'none') return [{ place: at, value: found.value }];
      if (value === undefined) return [];
      const types = member?.shape().types ?? [];
      if (types.includes('null')) return [{ place: at, value: null }];
      if (!required.has(name)) return [{ place: at, value: undefined }];
      return types.includes('string') ? [{ place: at, value: '' }] : [];
    },
  );
}

const totals = [
  ...totalNames,
  ...'odatacount recordcount resultcount numfound count itemcount length'.split(' '),
];
const counts = 'count numberofelements pagecount returned numresults results currentpagesize'.split(
  ' ',
);
const sizes = 'limit perpage pagesize itemsperpage size pagelimit maxresults'.split(' ');
const offsets = 'offset skip startindex startat start'.split(' ');
const pages = 'page currentpage pagenumber number pageindex current'.split(' ');
const pageTotals = 'totalpages lastpage pages pagecount pagestotal numpages'.split(' ');
const more = [
  ...'hasmore hasnext hasnextpage more moreresults istruncated truncated'.split(' '),
  ...'hasmoreitems hasmoreresults'.split(' '),
];
const before = 'hasprevious hasprev haspreviouspage hasprevpage'.split(' ');
const cursors = [
  ...'nextcursor nextpagetoken nexttoken nextpagecursor continuationtoken endcursor'.split(' '),
  ...'nextmarker cursor after iterator nextcontinuationtoken paginationtoken'.split(' '),
];
const nextLinks = [
  ...'next nextpage nextpagenumber nextoffset nextskip nextstart nexturl nextlink'.split(' '),
  ...'nextpageurl nextpageuri odatanextlink nexturi nexthref'.split(' '),
];
const previousLinks = [
  ...'prev previous prevpage previouspage previousoffset prevoffset previousurl'.split(' '),
  ...'previouspageurl previouspageuri prevpageurl prevurl prevcursor previouscursor'.split(' '),
  ...'prevlink previouslink'.split(' '),
];

/** The value of a member by its name; undefined if the name has nothing to do with paging. */
function tell(
  name: string,
  place: readonly string[],
  value: JsonValue | undefined,
  member: SchemaNode | undefined,
  siblings: ReadonlySet<string>,
  facts: PageFacts,
): PageMember | undefined {
  const plain = plainName(name);
  const holder = plainName(place.at(-1) ?? '');
  const { total, count, size, offset, firstPage } = facts;
  const types = member?.shape().types ?? [];
  const isNumber =
    types.includes('integer') || types.includes('number') || typeof value === 'number';
  const isText = types.includes('string') || typeof value === 'string';
  const pageSize = Number.isFinite(size) ? size : Math.max(1, total);
  if (plain === 'href' || plain === 'url') {
    if (holder === 'next') return target(facts.next, true);
    if (previousLinks.includes(holder)) return target(facts.previous, true);
    return holder === 'self' ? { value: facts.self } : undefined;
  }
  if (nextLinks.includes(plain))
    return target(facts.next, isLink(value, member, facts.next), isNumber && !isText);
  if (previousLinks.includes(plain))
    return target(facts.previous, isLink(value, member, facts.previous), isNumber && !isText);
  if (cursors.includes(plain)) return isText ? target(facts.next, false) : undefined;
  if (plain === 'self' && isText) return { value: facts.self };
  if (more.includes(plain)) return { value: facts.next !== undefined };
  if (before.includes(plain)) return { value: offset > 0 };
  if (!isNumber) return undefined;
  const hasTotal = totals.some((one) => one !== 'count' && siblings.has(one));
  if (counts.includes(plain) && (plain !== 'count' || hasTotal)) {
    if (plain !== 'pagecount') return { value: count };
  } else if (totals.includes(plain)) return { value: total };
  if (sizes.includes(plain)) return { value: pageSize };
  if (offsets.includes(plain)) return { value: offset };
  if (pages.includes(plain)) return { value: Math.floor(offset / pageSize) + firstPage };
  if (pageTotals.includes(plain)) return { value: Math.max(1, Math.ceil(total / pageSize)) };
  return undefined;
}

function target(page: PageTarget | undefined, asLink: boolean, asNumber = false): PageMember {
  if (page === undefined) return 'none';
  if (asLink) return { value: page.link };
  if (!asNumber) return { value: page.argument };
  return { value: /^\d+$/.test(page.argument) ? Number(page.argument) : page.offset };
}

/** A text that is an address, by its format or its sample; else the value of a parameter. */
function isLink(
  value: JsonValue | undefined,
  member: SchemaNode | undefined,
  page: PageTarget | undefined,
): boolean {
  const shape = member?.shape();
  if (shape?.format?.startsWith('uri') === true || shape?.format === 'url') return true;
  if (shape !== undefined && !shape.types.includes('string')) return false;
  if (typeof value === 'string' && /^(?:https?:\/\/|\/)/.test(value)) return true;
  return page !== undefined && /^\d*$/.test(page.argument);
}
