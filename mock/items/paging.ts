import { withValueAt, withoutMember } from '../../contract/json/place.ts';
import { type JsonValue, isJsonObject, isNumeric } from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import { membersOf } from '../../contract/resource/item-view.ts';
import { plainName } from '../../contract/resource/names.ts';
import { type PageParameters, isTextParameter } from '../../contract/resource/list-parameters.ts';
import { type SchemaNode, possibleDefault } from '../../contract/schema/schema-node.ts';
import { argumentKey, queryValues } from '../http/parameter-text.ts';
import type { Call, Input } from '../operation/response/outcome.ts';
import { type Refusal, refuse } from '../operation/response/refusal.ts';
import { type Change, changeWithin, totalNames } from '../operation/response/representation.ts';
import type { Collection } from './collection.ts';
import type { Inventory } from './store/store.ts';

interface Position {
  readonly offset: number;
  /** Seed of random order. The pages of one list share it. */
  readonly orderSeed?: number | undefined;
}

/** The page that a request asks for. */
export interface PageRequest extends Position {
  readonly size: number;
}

/** How clients page through a list: by parameters of the document, or by an open question. */
export class Paging {
  /** A `Link` header refers to the next page, by an open question. */
  readonly isLinked: boolean;
  readonly #parameters: PageParameters;
  /** The kind of paging, by an open question; `none` for parameters of the document. */
  readonly #way: string;
  readonly #sizeBy: Parameter | undefined;
  readonly #usualSize: number;

  constructor(list: Operation, parameters: PageParameters, collection: Collection) {
    const { certain } = collection.resource;
    const limit = certain?.list === list ? certain.limit : undefined;
    this.#parameters = parameters;
    this.#way = collection.all.choices.choose('paging', list.pointer).id;
    this.isLinked = this.#way === 'link-header';
    this.#sizeBy = limit?.parameter ?? parameters.size;
    this.#usualSize =
      limit === undefined
        ? usualSize(parameters.size)
        : (limit.default ?? limit.maximum ?? Number.POSITIVE_INFINITY);
  }

  /** The requested page; a refusal for an invalid one. */
  read(input: Input, call: Call, inventory: Inventory): PageRequest | Refusal {
    const size = count(valueOf(input, this.#sizeBy)) ?? this.#usualSize;
    const position =
      this.#way === 'none'
        ? this.#readDocumented(input, inventory, size)
        : this.#readUndocumented(call.query, inventory, size);
    if ('kind' in position) return position;
    const isDrawn = inventory.order === 'none' && position.orderSeed === undefined;
    const orderSeed = isDrawn ? call.sandbox.listCount++ : position.orderSeed;
    return { offset: position.offset, size, orderSeed };
  }

  #readDocumented(input: Input, inventory: Inventory, size: number): Position {
    const { cursor: by, page: pageBy, offset: offsetBy } = this.#parameters;
    const { firstPage, firstOffset } = this.#parameters;
    const cursor = valueOf(input, by);
    const isScalar = typeof cursor === 'string' || isNumeric(cursor);
    const position = isScalar ? parseCursor(`${cursor}`, inventory) : undefined;
    if (position !== undefined) return position;
    const page = count(valueOf(input, pageBy)) ?? firstPage;
    const start = count(valueOf(input, offsetBy));
    return {
      offset:
        start === undefined ? offsetOf(page - firstPage, size) : Math.max(0, start - firstOffset),
    };
  }

  #readUndocumented(query: string, inventory: Inventory, size: number): Position | Refusal {
    const [text] = queryValues(query, this.isLinked ? 'cursor' : 'page');
    if (text === undefined) return { offset: 0 };
    if (this.isLinked)
      return (
        parseCursor(text, inventory) ?? refuseParameter('cursor', 'is not a cursor of this list')
      );
    return /^[1-9]\d*$/.test(text)
      ? { offset: offsetOf(Number(text) - 1, size) }
      : refuseParameter('page', 'must be an integer of at least 1');
  }

  /** The query parameter for the page at an offset, and its value. */
  argumentFor(
    offset: number,
    size: number,
    orderSeed: number | undefined,
  ): readonly [name: string, value: string] | undefined {
    const { cursor: by, offset: offsetBy, page, firstPage, firstOffset } = this.#parameters;
    const cursorName = this.isLinked ? 'cursor' : by?.name;
    if (cursorName !== undefined) return [cursorName, cursorAt({ offset, orderSeed }, by)];
    if (offsetBy !== undefined) return [offsetBy.name, `${offset + firstOffset}`];
    return page && [page.name, `${Math.floor(offset / size) + firstPage}`];
  }
}

function valueOf(input: Input, parameter: Parameter | undefined): JsonValue | undefined {
  return parameter && input.parameters.get(argumentKey(parameter));
}

/** Offset of a page; pages before the first are the first. */
function offsetOf(pagesBefore: number, size: number): number {
  return pagesBefore <= 0 ? 0 : pagesBefore * size;
}

/** Default page size if the document has none. */
const maxUsual = 20;

function usualSize(parameter: Parameter | undefined): number {
  if (parameter === undefined) return Number.POSITIVE_INFINITY;
  const standard = possibleDefault(parameter.schema);
  if (typeof standard === 'number' && standard > 0) return standard;
  const most = Math.floor(Number(parameter.schema.shape().maximum?.value ?? maxUsual));
  return Math.max(1, Math.min(most, maxUsual));
}

/** A number of items or pages. Numbers beyond 2^53 are beyond the last item. */
function count(value: JsonValue | undefined): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const number = Number(value);
  const isCount = number >= 0 && (Number.isInteger(number) || number > Number.MAX_SAFE_INTEGER);
  return isCount ? Math.min(number, Number.MAX_SAFE_INTEGER) : undefined;
}

function refuseParameter(name: string, reason: string): Refusal {
  return refuse('invalid_parameter', `${name} ${reason} (query parameter ${name})`);
}

const uuidBefore = '00000000-0000-4000-9000-';

/** The text of a cursor. A number or a UUID, where the parameter is one, has no seed of the order. */
function cursorAt({ offset, orderSeed }: Position, by: Parameter | undefined): string {
  if (by !== undefined && !isTextParameter(by)) return `${offset}`;
  if (by?.schema.shape().format === 'uuid') return uuidBefore + `${offset}`.padStart(12, '0');
  const seed = orderSeed === undefined ? '' : ` ${orderSeed}`;
  return btoa(`after ${offset}${seed}`).replaceAll('=', '');
}

/** A cursor from a client: the id of the previous item, or an offset. */
function parseCursor(cursor: string, inventory: Inventory): Position | undefined {
  const before = inventory.find(cursor);
  if (before !== undefined) return { offset: inventory.items.indexOf(before) + 1 };
  const text = cursor.startsWith(uuidBefore) ? cursor.slice(uuidBefore.length) : cursor;
  const [, offset, orderSeed] = /^after (\d{1,9})(?: (\d{1,15}))?$/.exec(decodeBase64(text)) ?? [];
  if (offset !== undefined)
    return {
      offset: Number(offset),
      orderSeed: orderSeed === undefined ? undefined : Number(orderSeed),
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

/** What an envelope may show about a page. */
interface PageFacts {
  readonly total: number;
  /** Items on this page. */
  readonly count: number;
  /** Infinite if page size is unlimited. */
  readonly size: number;
  readonly offset: number;
  readonly firstPage: number;
  readonly firstOffset: number;
  /** URL of another page of the same list, and the parameter's value; undefined for none. */
  readonly next: PageTarget | undefined;
  readonly previous: PageTarget | undefined;
  /** URL of this page. */
  readonly self: string;
}

export interface PageTarget {
  readonly link: string;
  /** A cursor if the list has cursors, else the number of the page or the offset. */
  readonly argument: string;
  readonly offset: number;
}

const maxDepth = 3;

/** Fills the paging members of an envelope, which stays valid by its schema. */
export function fillEnvelope(
  body: JsonValue,
  schema: SchemaNode,
  itemsPlace: readonly string[],
  facts: PageFacts,
): JsonValue {
  const changes: Change[] = [];
  addChanges(changes, body, schema, [], itemsPlace.join('/'), facts);
  return changeWithin(body, changes, schema);
}

function addChanges(
  changes: Change[],
  body: JsonValue,
  schema: SchemaNode,
  place: readonly string[],
  itemsPlace: string,
  facts: PageFacts,
): void {
  if (!isJsonObject(body) || place.length > maxDepth) return;
  const members = membersOf(schema);
  const names = [...new Set([...members.keys(), ...Object.keys(body)])];
  const hasTotal = names.some((name) => kindOf(name) === 'total');
  for (const name of names) {
    const at = [...place, name];
    if (at.join('/') === itemsPlace) continue;
    const member = members.get(name);
    const value = body[name];
    if (isJsonObject(value) && member !== undefined) {
      addChanges(changes, value, member, at, itemsPlace, facts);
      continue;
    }
    const found = valueFor(at, value, member, hasTotal, facts);
    if (found === undefined || (found === null && value === undefined)) continue;
    // Nothing to show, such as a next page after the last one.
    const { types = [] } = member?.shape() ?? {};
    if (found !== null || types.includes('null'))
      changes.push((whole) => withValueAt(whole, at, found));
    else if (!schema.shape().required.has(name))
      changes.push((whole) => (isJsonObject(whole) ? withoutMember(whole, at) : whole));
    else if (types.includes('string')) changes.push((whole) => withValueAt(whole, at, ''));
  }
}

/** The meaning of member names. */
const memberNames = {
  total: `${totalNames.join(' ')} odatacount recordcount resultcount numfound itemcount length`,
  count: 'count numberofelements returned numresults results currentpagesize',
  size: 'limit perpage pagesize itemsperpage size pagelimit maxresults',
  offset: 'offset skip startindex startat start',
  page: 'page currentpage pagenumber number pageindex current',
  pages: 'totalpages lastpage pages pagecount pagestotal numpages',
  more: 'hasmore hasnext hasnextpage more moreresults istruncated truncated hasmoreitems hasmoreresults',
  before: 'hasprevious hasprev haspreviouspage hasprevpage',
  first: 'first isfirst isfirstpage',
  last: 'last islast islastpage',
  empty: 'empty isempty',
  cursor:
    'nextcursor nextpagetoken nexttoken nextpagecursor continuationtoken endcursor nextmarker cursor after iterator nextcontinuationtoken paginationtoken',
  next: 'next nextpage nextpagenumber nextoffset nextskip nextstart nexturl nextlink nextpageurl nextpageuri odatanextlink nexturi nexthref',
  previous:
    'prev previous prevpage previouspage previousoffset prevoffset previousurl previouspageurl previouspageuri prevpageurl prevurl prevcursor previouscursor prevlink previouslink',
  self: 'self',
};

const kinds: ReadonlyMap<string, string> = new Map(
  Object.entries(memberNames).flatMap(([kind, names]) =>
    names.split(' ').map((name) => [name, kind] as const),
  ),
);

function kindOf(name: string): string | undefined {
  return kinds.get(plainName(name));
}

/** The value of a member; undefined if it is not about paging, null if there is nothing to show. */
function valueFor(
  place: readonly string[],
  value: JsonValue | undefined,
  member: SchemaNode | undefined,
  hasTotal: boolean,
  facts: PageFacts,
): JsonValue | undefined {
  const { total, size, offset, next, previous } = facts;
  const [name = '', holder = ''] = place.toReversed();
  const { types = [] } = member?.shape() ?? {};
  const isNumber =
    types.includes('integer') || types.includes('number') || typeof value === 'number';
  const isText = types.includes('string') || typeof value === 'string';
  const isHref = ['href', 'url'].includes(plainName(name));
  const kind = kindOf(isHref ? holder : name) ?? '';
  const pageSize = Number.isFinite(size) ? size : Math.max(1, total);
  const pagesOf = (items: number): number => (pageSize > 0 ? items / pageSize : 0);
  if (isHref && !['next', 'previous', 'self'].includes(kind)) return undefined;
  switch (kind) {
    case 'next':
    case 'previous': {
      const page = kind === 'next' ? next : previous;
      if (page === undefined) return null;
      if (isHref || isLink(value, member, page)) return page.link;
      if (!isNumber || isText) return page.argument;
      return /^\d+$/.test(page.argument) ? Number(page.argument) : page.offset;
    }
    case 'self':
      return isText || isHref ? facts.self : undefined;
    case 'cursor':
      return isText ? (next?.argument ?? null) : undefined;
    case 'more':
      return next !== undefined;
    case 'before':
      return offset > 0;
    default:
      break;
  }
  const isFlag = types.join() === 'boolean' || (member === undefined && typeof value === 'boolean');
  const flags: Readonly<Record<string, boolean>> = {
    first: offset === 0,
    last: offset + facts.count >= total,
    // Elsewhere it may be about something else, as in `sort`.
    ...(place.length === 1 && { empty: facts.count === 0 }),
  };
  if (isFlag) return flags[kind];
  const numbers: Readonly<Record<string, number>> = {
    total,
    count: plainName(name) === 'count' && !hasTotal ? total : facts.count,
    size: pageSize,
    offset: offset + facts.firstOffset,
    page: Math.floor(pagesOf(offset)) + facts.firstPage,
    pages: Math.max(1, Math.ceil(pagesOf(total))),
  };
  return isNumber ? numbers[kind] : undefined;
}

/** A URL if the format or sample of the text is one; else the value of a parameter. */
function isLink(
  value: JsonValue | undefined,
  member: SchemaNode | undefined,
  page: PageTarget,
): boolean {
  const shape = member?.shape();
  if (shape?.format?.startsWith('uri') === true || shape?.format === 'url') return true;
  if (shape !== undefined && !shape.types.includes('string')) return false;
  if (typeof value === 'string' && /^(?:https?:\/\/|\/)/.test(value)) return true;
  return /^\d*$/.test(page.argument);
}
