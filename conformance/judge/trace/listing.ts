import { requirementId, type ParameterFacet } from '../../../contract/requirement/requirement.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../contract/json/value.ts';
import type { Resource } from '../../../contract/resource/resource.ts';
import { headerOf, type Exchange } from '../../transport/exchange.ts';
import { readItem, type Item } from './item.ts';
import { queryOf, renderPlain, type Reading, type Trace } from './trace.ts';
import { once } from '../../memo/once.ts';

/** A list as it was answered, with what was asked for. */
export interface Listing {
  readonly reading: Reading;
  /** The items whose identifier can be read. */
  readonly items: readonly Item[];
  /** How many there are, those included that cannot be read. */
  readonly size: number;
  readonly ids: ReadonlySet<string>;
  /** The limit that was sent; undefined if none was. */
  readonly asked: number | undefined;
  /** The limit that holds: the one sent, else the document's default; undefined for less than one item. */
  readonly limit: number | undefined;
  /** The filters that were sent, by property. */
  readonly filters: ReadonlyMap<string, string>;
  /** There may be further items: the response hints at them, or the request left some out. */
  readonly more: boolean;
}

/** The lists of a resource that valid requests got, in the order of their responses. */
export function listingsOf(trace: Trace, resource: Resource): readonly Listing[] {
  const read = listingOf(resource);
  return trace.readings.flatMap((reading) =>
    reading.operation.id === resource.list.id ? (read(reading) ?? []) : [],
  );
}

const listingOf = once((resource: Resource) =>
  once((reading: Reading) => readListing(reading, resource)),
);

function readListing(reading: Reading, resource: Resource): Listing | undefined {
  const { exchange, succeeded, json: values } = reading;
  const isList = exchange.intent.kind === 'valid' && succeeded;
  if (!isList || !isJsonArray(values)) return undefined;
  const items = values.flatMap((value) => readItem(value, resource) ?? []);
  const sent = resource.limit && queryOf(reading.exchange, resource.limit.parameter.name);
  const asked = sent === undefined ? undefined : Number(sent);
  return {
    reading,
    items,
    size: values.length,
    ids: new Set(items.map(({ id }) => id)),
    asked,
    limit: asked === undefined ? resource.limit?.default : asked >= 1 ? asked : undefined,
    filters: readFilters(reading.exchange, resource),
    more: hintsAtMore(reading) || isNarrowed(reading, resource),
  };
}

function readFilters(exchange: Exchange, resource: Resource): ReadonlyMap<string, string> {
  return new Map(
    resource.filters.flatMap(({ parameter, property }) => {
      const value = queryOf(exchange, parameter.name);
      return value === undefined ? [] : [[property, value] as const];
    }),
  );
}

/** A parameter was sent of which nobody knows what it leaves out: a page, a search. */
function isNarrowed({ exchange }: Reading, { list, limit, filters }: Resource): boolean {
  const known = new Set([limit?.parameter, ...filters.map(({ parameter }) => parameter)]);
  return list.parameters.some(
    (parameter) =>
      parameter.in === 'query' &&
      !parameter.required &&
      !known.has(parameter) &&
      queryOf(exchange, parameter.name) !== undefined,
  );
}

/** A `Link` to the next page (RFC 8288), or a header whose name speaks of one. */
function hintsAtMore({ response }: Reading): boolean {
  if (/;\s*rel\s*=\s*(next\b|"[^"]*\bnext\b[^"]*")/i.test(headerOf(response, 'link') ?? ''))
    return true;
  return response.headers.some(
    ([name, value]) => /next|cursor|continuation|page-?token|has-?more/i.test(name) && value !== '',
  );
}

/**
 * Leaves out of an item what no list of the resource shows: the items of a list may contain less than
 * the item itself.
 */
export function listedPart(trace: Trace, resource: Resource): (item: JsonObject) => JsonObject {
  const shown = membersListed(trace)(resource);
  return (item) => keepMembers(item, '', shown);
}

/** The members that items of lists have, at any depth: `owner/name`, `tags/[]/name`. */
const membersListed = once((trace: Trace) =>
  once((resource: Resource): ReadonlySet<string> => {
    const shown = new Set<string>();
    for (const listing of listingsOf(trace, resource))
      for (const place of membersOfItems(listing)) shown.add(place);
    return shown;
  }),
);

const membersOfItems = once(({ reading: { json } }: Listing): ReadonlySet<string> => {
  const found = new Set<string>();
  for (const item of isJsonArray(json) ? json : []) noteMembers(item, '', found);
  return found;
});

function noteMembers(value: JsonValue | undefined, place: string, found: Set<string>): void {
  if (isJsonArray(value)) for (const item of value) noteMembers(item, `${place}[]/`, found);
  else if (isJsonObject(value))
    for (const [name, member] of Object.entries(value)) {
      found.add(place + name);
      noteMembers(member, `${place}${name}/`, found);
    }
}

function keepMembers(item: JsonObject, place: string, shown: ReadonlySet<string>): JsonObject {
  const keep = (value: JsonValue, at: string): JsonValue => {
    if (isJsonArray(value)) return value.map((each) => keep(each, `${at}[]/`));
    return isJsonObject(value) ? keepMembers(value, at, shown) : value;
  };
  return Object.fromEntries(
    Object.entries(item).flatMap(([name, value]) =>
      value !== undefined && shown.has(place + name)
        ? [[name, keep(value, `${place}${name}/`)] as const]
        : [],
    ),
  );
}

/** The id of a requirement about the parameter that limits a list. */
export function limitId({ list, limit }: Resource, facet: ParameterFacet): string {
  return requirementId.parameter(list.id, limit?.parameter.name ?? '', facet);
}

/** The id of the requirement about the parameter that filters by a property. */
export function filterId(resource: Resource, property: string): string {
  const filter = resource.filters.find((each) => each.property === property);
  return requirementId.parameter(resource.list.id, filter?.parameter.name ?? property, 'filter');
}

/** Every item can be read, and no more are hinted at: what is missing is not there. */
export function isReadable(listing: Listing): boolean {
  return !listing.more && listing.items.length === listing.size;
}

/** Whether a list is readable and had room for more: it holds all that there is. */
export function hasRoom(listing: Listing): boolean {
  return isReadable(listing) && listing.asked !== undefined && listing.size < listing.asked;
}

/**
 * How many items there are at least when a request is answered: by the lists before it and what the
 * run added. Where items can be removed, by the lists next to it.
 */
export function leastSize(trace: Trace, resource: Resource, exchange: Exchange): number {
  const all = listingsOf(trace, resource);
  const before = all.filter(({ reading }) => isBefore(reading.exchange, exchange));
  if (resource.remove !== undefined) {
    const after = all.find(({ reading }) => isBefore(exchange, reading.exchange));
    return Math.min(before.at(-1)?.size ?? 0, after?.size ?? 0);
  }
  const shown = before.reduce((most, { size }) => Math.max(most, size), 0);
  const ids = new Set(before.flatMap((listing) => [...listing.ids]));
  return Math.max(shown, ids.size);
}

/** Whether an item passes filters; undefined where it does not show the property. */
export function passes(
  { members }: Item,
  filters: ReadonlyMap<string, string>,
): boolean | undefined {
  let all: boolean | undefined = true;
  for (const [property, wanted] of filters) {
    const value = members[property];
    if (value === undefined) all = all === false ? false : undefined;
    else if (renderPlain(value) !== wanted) all = false;
  }
  return all;
}

/** The first list that showed each item, by identifier. */
export function firstSightings(listings: readonly Listing[]): ReadonlyMap<string, Listing> {
  const first = new Map<string, Listing>();
  for (const listing of listings) {
    for (const id of listing.ids) if (!first.has(id)) first.set(id, listing);
  }
  return first;
}

/** Whether one exchange was over before another one was sent. */
export function isBefore(earlier: Exchange, later: Exchange): boolean {
  return (
    earlier.index < later.index && (earlier.group === undefined || earlier.group !== later.group)
  );
}
