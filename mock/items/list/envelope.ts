import {
  type JsonValue,
  type SchemaNode,
  isJsonObject,
  membersOf,
  plainName,
} from '../../../contract/index.ts';
import { totalNames } from '../../operation/response/headers.ts';
import { withValueAt, without, valueAt } from '../view/place.ts';

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
}

interface Edit {
  readonly place: readonly string[];
  /** Undefined: the member goes. */
  readonly value: JsonValue | undefined;
}

/** `none`: there is nothing to tell, such as a next page after the last one. */
type Told = { readonly value: JsonValue } | 'none';

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
      const told = tell(name, place, value, member, siblings, facts);
      if (told === undefined) return [];
      if (told !== 'none') return [{ place: at, value: told.value }];
      if (value === undefined) return [];
      const types = member?.shape().types ?? [];
      if (types.includes('null')) return [{ place: at, value: null }];
      if (!required.has(name)) return [{ place: at, value: undefined }];
      return types.includes('string') ? [{ place: at, value: '' }] : [];
    },
  );
}

const totals = new Set([
  ...totalNames,
  ...listWords('odatacount recordcount resultcount numfound count itemcount length'),
]);
const counts = new Set(
  listWords('count numberofelements pagecount returned numresults results currentpagesize'),
);
const sizes = new Set(listWords('limit perpage pagesize itemsperpage size pagelimit maxresults'));
const offsets = new Set(listWords('offset skip startindex startat start'));
const pages = new Set(listWords('page currentpage pagenumber number pageindex current'));
const pageTotals = new Set(listWords('totalpages lastpage pages pagecount pagestotal numpages'));
const more = new Set(
  listWords(`hasmore hasnext hasnextpage more moreresults istruncated truncated hasmoreitems
  hasmoreresults`),
);
const before = new Set(listWords('hasprevious hasprev haspreviouspage hasprevpage'));
const cursors = new Set(
  listWords(`nextcursor nextpagetoken nexttoken nextpagecursor continuationtoken endcursor
  nextmarker cursor after iterator nextcontinuationtoken paginationtoken`),
);
const nextLinks = new Set(
  listWords(`next nextpage nextpagenumber nextoffset nextskip nextstart nexturl nextlink nextpageurl nextpageuri odatanextlink nexturi
  nexthref`),
);
const previousLinks = new Set(
  listWords(`prev previous prevpage previouspage previousoffset prevoffset previousurl previouspageurl previouspageuri
  prevpageurl prevurl prevcursor previouscursor prevlink previouslink`),
);

/** What a member tells by its name; undefined where it tells nothing of paging. */
function tell(
  name: string,
  place: readonly string[],
  value: JsonValue | undefined,
  member: SchemaNode | undefined,
  siblings: ReadonlySet<string>,
  facts: PageFacts,
): Told | undefined {
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
    if (previousLinks.has(holder)) return target(facts.previous, true);
    return holder === 'self' ? { value: facts.self } : undefined;
  }
  if (nextLinks.has(plain))
    return target(facts.next, isLink(value, member, facts.next), isNumber && !isText);
  if (previousLinks.has(plain))
    return target(facts.previous, isLink(value, member, facts.previous), isNumber && !isText);
  if (cursors.has(plain)) return isText ? target(facts.next, false) : undefined;
  if (plain === 'self' && isText) return { value: facts.self };
  if (more.has(plain)) return { value: facts.next !== undefined };
  if (before.has(plain)) return { value: offset > 0 };
  if (!isNumber) return undefined;
  const hasTotal = [...totals].some((one) => one !== 'count' && siblings.has(one));
  if (counts.has(plain) && (plain !== 'count' || hasTotal)) {
    if (plain !== 'pagecount') return { value: count };
  } else if (totals.has(plain)) return { value: total };
  if (sizes.has(plain)) return { value: pageSize };
  if (offsets.has(plain)) return { value: offset };
  if (pages.has(plain)) return { value: Math.floor(offset / pageSize) + firstPage };
  if (pageTotals.has(plain)) return { value: Math.max(1, Math.ceil(total / pageSize)) };
  return undefined;
}

function target(page: PageTarget | undefined, asLink: boolean, asNumber = false): Told {
  if (page === undefined) return 'none';
  if (asLink) return { value: page.link };
  return { value: asNumber && /^\d+$/.test(page.argument) ? Number(page.argument) : page.argument };
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

/** The words of a text: long lists of names are read more easily so. */
function listWords(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
