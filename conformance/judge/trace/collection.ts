import { refusalStatuses } from '../../../contract/openapi/response.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../contract/json/value.ts';
import { renderPointer } from '../../../contract/json/pointer.ts';
import { requirementId, type ParameterFacet } from './requirement.ts';
import {
  type InferredResource,
  mayAdd,
  operationsOf,
  type Resource,
  resourceOf,
  shownSchema,
} from '../../../contract/resource/resource.ts';
import { referredResource } from '../../generate/reference.ts';
import { headerOf, statusOf, type Exchange } from '../../transport/exchange.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import type { Parameter } from '../../../contract/openapi/parameter.ts';
import { schemaAt } from '../../../contract/resource/item-view.ts';
import { memberNamed, plainName } from '../../../contract/resource/names.ts';
import { trimEnd } from '../../../contract/http/address.ts';
import { operationOf, writes } from '../../transport/target.ts';
import { largest, smallest } from '../../../contract/list/list.ts';
import { lazy, once } from '../../../contract/memo/once.ts';
import { blankNames } from '../../transport/path-template.ts';
import type { Contract } from '../../../contract/contract.ts';
import type { SchemaNode } from '../../../contract/schema/schema-node.ts';
import {
  isFreeText,
  isRight,
  isSame,
  memberComesBack,
  memberNames,
  memberSchema,
  readItem,
  settableNames,
  shownItem,
  shownNames,
  type Item,
} from './item.ts';
import {
  idIn,
  isVaried,
  itemOf,
  parentOf,
  pathIdOf,
  pathValuesOf,
  queryOf,
  scopeOf,
  renderPlain,
  type Reading,
  type Trace,
} from './trace.ts';

/** A list response, with the parameters of its request. */
export interface Listing {
  readonly reading: Reading;
  /** The items whose id can be read. */
  readonly items: readonly Item[];
  /** Number of items, including those whose id cannot be read. */
  readonly size: number;
  readonly ids: ReadonlySet<string>;
  /** The `limit` that was sent; undefined if none was. */
  readonly asked: number | undefined;
  /** The effective limit: the one sent, else the document's default; undefined if it is below 1. */
  readonly limit: number | undefined;
  /** How many items the list may hold; undefined if unknown. */
  readonly room: number | undefined;
  readonly filters: ReadonlyMap<string, string>;
  /**
   * Whether there may be further items: the response hints at a next page, or the request skipped
   * some.
   */
  readonly more: boolean;
  /** Paths of the members of its items, at any depth: `owner/name`, `tags/[]/name`. */
  readonly members: () => ReadonlySet<string>;
}

/** An item that the suite added: what it sent and what came back. */
export interface Addition {
  readonly sent: JsonObject;
  /** The response, plus the sent members that its schema does not include. */
  readonly answered: Item;
  readonly reading: Reading;
  /**
   * Members that later came back with another value, and whose value here only the response shows.
   */
  readonly untrusted: readonly string[];
}

/**
 * What a log shows of the items of one resource: lists, additions, and requests that touched an
 * item. A nested resource has one collection for each of its parent items.
 */
export class Collection {
  readonly trace: Trace;
  readonly resource: Resource;
  /** The parent items, in the form of `scopeOf`. */
  readonly scope: string;
  /** The lists returned for valid requests, in the order of their responses. */
  readonly listings: readonly Listing[];
  /**
   * The items added by valid requests of this run, in the order of their responses, without those
   * that were found.
   */
  readonly additions: readonly Addition[];

  constructor(trace: Trace, resource: Resource, scope: string) {
    this.trace = trace;
    this.resource = resource;
    this.scope = scope;
    const listings = this.of(resource.list).flatMap((each) => listingOf(resource)(each) ?? []);
    // A longer list proves that the target does not truncate lists of this size.
    const longest = largest(
      listings.map(({ filters, size }) => (filters.size === 0 ? size : 0)),
      leastPage,
    );
    this.listings = isUnpaged(resource)
      ? listings.map((listing) => ({ ...listing, room: longest }))
      : listings;
    const answered = this.of(resource.create).flatMap(
      (reading) => readAddition(reading, resource) ?? [],
    );
    const namesakes = Map.groupBy(answered, (each) => each.answered.id);
    this.additions = answered.filter(
      (each) => each.reading.status === 201 || !this.#isFound(each, namesakes),
    );
  }

  /**
   * Whether a POST returned an item that was there, as services do that add no second one with the
   * same name: an earlier response shows the same values, and one of them is a text or a number
   * that was sent. Where the document lists 201 for additions, a text that was sent is enough, as
   * the rest may have been changed.
   */
  #isFound(
    { reading: { exchange, operation }, sent, answered }: Addition,
    namesakes: ReadonlyMap<string, readonly Addition[]>,
  ): boolean {
    const { resource } = this;
    const listed = this.firstSeen().get(answered.id);
    const before = [
      ...(namesakes.get(answered.id) ?? []).map((each) => [each.answered, each.reading] as const),
      ...(listed === undefined ? [] : [[listed.item, listed.listing.reading] as const]),
    ].filter(([, reading]) => isBefore(reading.exchange, exchange));
    if (before.length === 0) return false;
    const isOther = operation.responses.some(({ status }) => status === '201');
    const settable = settableNames(resource);
    const isIn = ({ members }: Item, name: string, value: JsonValue | undefined): boolean =>
      isSame(value, members[name], memberSchema(resource, name));
    const named = Object.entries(sent).filter(
      ([name, value]) =>
        ['string', 'number', 'bigint'].includes(typeof value) &&
        memberSchema(resource, name)?.shape().values === undefined,
    );
    const isUnchanged = ({ members }: Item): boolean =>
      Object.entries(members).every(
        ([name, value]) => !settable.has(name) || isIn(answered, name, value),
      );
    const isNamed = named.some(([name, value]) => isIn(answered, name, value));
    return before.some(([item]) => {
      if (isUnchanged(item)) return isOther || isNamed;
      return (
        isOther &&
        named.some(([name, value]) => typeof value === 'string' && isIn(item, name, value))
      );
    });
  }

  /** The readings of an operation on this collection or its items. */
  of(operation: Operation | undefined): readonly Reading[] {
    return operation === undefined || this.resource.parents.length === 0
      ? this.trace.of(operation)
      : (readingsByScope(this.trace)(this.resource)(operation).get(this.scope) ?? []);
  }

  /** The items that lists and additions show, each as often as it is shown. */
  readonly shown = lazy((): readonly Item[] => [
    ...this.additions.map(({ answered }) => answered),
    ...this.listings.flatMap(({ items }) => items),
  ]);

  /** The items of lists by id, each as the first list shows it. */
  readonly firstSeen = lazy(() => firstSightings(this.listings));

  /** The ids of the items that this run added. Other clients may change and remove theirs. */
  readonly ownIds = lazy(() => {
    const { resource } = this;
    const put = this.of(resource.replace).flatMap((each) => addedByPut(each, resource) ?? []);
    return new Set([...this.additions.map(({ answered }) => answered.id), ...put]);
  });

  /**
   * The additions that later responses can be compared with, by id. Left out are ids that were
   * assigned twice or listed before. A member that once came back with another value is trusted
   * only as it was sent.
   */
  readonly trusted = lazy((): ReadonlyMap<string, Addition> => {
    const wrong = new Set<string>();
    for (const { sent, answered, reading } of this.additions)
      for (const name of reading.succeeded ? shownNames(this.resource)(reading.operation) : []) {
        const received = answered.members[name];
        // A missing member may be hidden in a malformed response.
        const isEchoed = received !== undefined || answered.valid;
        const isKept = (): boolean =>
          memberComesBack(name, [sent[name], received], reading.operation, this.resource);
        if (Object.hasOwn(sent, name) && isEchoed && !isKept()) wrong.add(name);
      }
    const shared = new Set<string>();
    for (const [{ answered }, { owner, hasTwin }] of this.owners())
      if (owner !== undefined || hasTwin) shared.add(answered.id);
    const trusted = this.additions.filter(({ answered }) => !shared.has(answered.id));
    return new Map(trusted.map((each) => [each.answered.id, withoutEcho(each, wrong)]));
  });

  /** Additions and changes that the target should have refused, by the id of their item. */
  readonly wronglyWritten = lazy((): ReadonlyMap<string, readonly Reading[]> => {
    const { resource } = this;
    const written = [resource.create, resource.replace, resource.update]
      .flatMap((operation) => this.of(operation))
      .filter(({ exchange, succeeded }) => succeeded && exchange.intent.kind === 'invalid');
    const idOfWritten = (reading: Reading): string =>
      pathIdOf(reading, resource) ?? renderPlain(idIn(itemOf(reading), resource) ?? '');
    return Map.groupBy(written, idOfWritten);
  });

  /**
   * The additions, each with the earlier exchange in which another item had its id. `isTouched`:
   * the run changed or removed that earlier item. `hasTwin`: an earlier addition has the same id.
   */
  readonly owners = lazy(() => {
    const namesakes = Map.groupBy(this.additions, ({ answered }) => answered.id);
    return new Map(
      this.additions.map((addition) => {
        const { exchange } = addition.reading;
        const { id } = addition.answered;
        const own = namesakes.get(id) ?? [];
        const before = [...own, this.firstSeen().get(id)?.listing].find(
          (other) => other && isBefore(other.reading.exchange, exchange),
        );
        const owner = before && {
          exchange: before.reading.index,
          isTouched: !this.isUntouched(id, exchange),
        };
        return [addition, { owner, hasTwin: own[0] !== addition }] as const;
      }),
    );
  });

  /**
   * The requests that tried to change an item, answered or not, by its id; under '' those that may
   * have changed any item. The effect of operations outside of all resources is unknown, so they
   * may have removed it, and so may operations that change a parent item.
   */
  readonly attempts = lazy((): ReadonlyMap<string, readonly Exchange[]> => {
    const { trace, resource, scope } = this;
    const { contract } = trace;
    const limit = contract.rateLimit?.status ?? 429;
    const found = new Map<string, Exchange[]>();
    for (const exchange of trace.exchanges) {
      const operation = operationOf(contract, exchange.request.operation);
      const status = statusOf(exchange);
      if (operation === undefined || status === limit) continue;
      for (const id of this.#referrers(operation, exchange)) noteAt(found, id, exchange);
      const reach = reachOf(contract)(resource)(operation);
      if (reach === undefined) continue;
      if (!reach.isOwn && isRefusalStatus(status ?? 0)) continue;
      const values = pathValuesOf(operation, exchange.request.target);
      if (!isWithinScope(scope, Object.values(values).slice(0, reach.shared))) continue;
      noteAt(found, values[reach.idParameter] ?? '', exchange);
    }
    return found;
  });

  /** The ids of the items that refer to one that a request removes: the service may change them, too. */
  #referrers(operation: Operation, exchange: Exchange): readonly string[] {
    const { trace, resource } = this;
    const target = ownersOf(trace.contract).get(operation);
    const isRemoval = target?.remove === operation;
    const names = isRemoval ? namesOf(trace.contract, resource, target) : [];
    if (names.length === 0 || isRefusalStatus(statusOf(exchange) ?? 0)) return [];
    const removed = Object.values(pathValuesOf(operation, exchange.request.target)).at(-1);
    return [resource.create, resource.replace, resource.update]
      .flatMap((each) => this.of(each))
      .filter((reading) =>
        [reading.sent, itemOf(reading)].some(
          (item) =>
            isJsonObject(item) &&
            names.some((name) => scalarsIn(item[name]).some((one) => one === removed)),
        ),
      )
      .map(
        (reading) =>
          pathIdOf(reading, resource) ?? renderPlain(idIn(itemOf(reading), resource) ?? ''),
      );
  }

  /**
   * The requests to other operations that may have changed what the service computes of an item, such
   * as the number of replies to a message, by its id: those with the id in their path or body. Under
   * '' those that changed or removed items which may refer to any.
   */
  readonly #mentions = lazy((): ReadonlyMap<string, readonly Exchange[]> => {
    const { trace, resource } = this;
    const own = new Set(operationsOf(resource).map((operation) => operation?.id));
    const found = new Map<string, Exchange[]>();
    for (const { exchange, operation, body } of trace.readings) {
      if (!writes(operation) || own.has(operation.id) || isRefusalStatus(statusOf(exchange) ?? 0))
        continue;
      const owner = resourceOf(trace.contract.resources, operation);
      const isChange = owner !== undefined && owner.create !== operation;
      const values = Object.values(pathValuesOf(operation, exchange.request.target));
      const isOfAny = isChange && namesOf(trace.contract, owner, resource).length > 0;
      for (const id of new Set([...values, ...scalarsIn(body), ...(isOfAny ? [''] : [])]))
        noteAt(found, id, exchange);
    }
    return found;
  });

  readonly #membersListed = lazy((): ReadonlySet<string> => {
    const shown = new Set<string>();
    for (const { members } of this.listings) for (const place of members()) shown.add(place);
    return shown;
  });

  /**
   * Whether no request that may have changed or removed an item was sent before or at the same time
   * as an exchange, except those up to `since`: by default, those before the item was added.
   */
  isUntouched(id: string, exchange: Exchange, since = this.#addedBy().get(id)): boolean {
    const attempts = [id, ''].flatMap((each) => this.attempts().get(each) ?? []);
    return attempts.every(
      (each) => isBefore(exchange, each) || each === since || (since && isBefore(each, since)),
    );
  }

  /** Whether what the service computes of an item may have changed between two requests. */
  isOvertaken(id: string, since: Exchange, until: Exchange): boolean {
    const all = [id, ''].flatMap((each) => this.#mentions().get(each) ?? []);
    return all.some(({ index }) => index > since.index && index < until.index);
  }

  /** The first addition of each item, by identifier. */
  readonly #addedBy = lazy(
    (): ReadonlyMap<string, Exchange> =>
      new Map(this.additions.toReversed().map((each) => [each.answered.id, each.reading.exchange])),
  );

  /**
   * Whether an earlier request may have removed an item: one that tried to change it and was not
   * refused, or one that may have changed any item and failed or is still in progress (202).
   */
  isInDoubt(id: string, exchange: Exchange): boolean {
    const [own = [], all = []] = [id, ''].map((each) => this.attempts().get(each));
    return [
      ...own.filter((each) => !isRefusalStatus(statusOf(each) ?? 500)),
      ...all.filter((each) => statusOf(each) === 202 || (statusOf(each) ?? 500) >= 300),
    ].some((each) => each !== exchange && !isBefore(exchange, each));
  }

  /** The untouched additions that a list must show if it has room for them. */
  expectedIn(listing: Listing): readonly Addition[] {
    const { exchange } = listing.reading;
    return [...this.trusted().values()].filter(
      ({ answered, reading }) =>
        isBefore(reading.exchange, exchange) &&
        isWanted(listing, answered, this.resource) === true &&
        this.isUntouched(answered.id, exchange),
    );
  }

  /** Drops members that no list shows, because list items may be summaries. */
  listedPart(item: JsonObject): JsonObject {
    return keepMembers(item, '', this.#membersListed());
  }

  /**
   * A lower bound for the number of items when a request is answered, from earlier lists and from
   * what the run added. If items can be removed, only from adjacent lists.
   */
  leastSize(exchange: Exchange): number {
    const before = this.listings.filter(({ reading }) => isBefore(reading.exchange, exchange));
    if (this.resource.remove !== undefined) {
      const after = this.listings.find(({ reading }) => isBefore(exchange, reading.exchange));
      return Math.min(before.at(-1)?.size ?? 0, after?.size ?? 0);
    }
    const shown = before.reduce((most, { size }) => Math.max(most, size), 0);
    return Math.max(shown, new Set(before.flatMap(({ ids }) => [...ids])).size);
  }
}

/**
 * Whether the parent of a collection certainly existed when a request was answered: it served
 * another request, or the run added it, or a list showed it and it cannot be removed. Always true
 * for top-level collections.
 */
export function isWithinKnown(trace: Trace, resource: Resource, reading: Reading): boolean {
  const { exchange } = reading;
  if (resource.parents.length === 0) return true;
  const collection = collectionOf(trace, resource, reading);
  const touched = collection.attempts().get('') ?? [];
  if (touched.some((attempt) => !isBefore(exchange, attempt))) return false;
  if (operationsOf(resource).some((each) => collection.of(each).some(({ isServed }) => isServed)))
    return true;
  const parent = parentIn(collection);
  if (parent === undefined) return false;
  const { id, around } = parent;
  const mayBeGone = around.resource.remove !== undefined;
  return around.ownIds().has(id) || (!mayBeGone && around.firstSeen().has(id));
}

/** The parent item of a nested collection, and the collection that it is in; undefined without one. */
export function parentIn({ trace, resource, scope }: Collection) {
  const parent = parentOf(trace.contract, resource);
  const steps = scope.split('/');
  return (
    parent && {
      id: decodeURIComponent(steps.at(-1) ?? ''),
      around: collectionIn(trace, parent, steps.slice(0, -1).join('/')),
    }
  );
}

/** Targets that silently truncate lists have pages of at least this many items. */
const leastPage = 10;

/** Whether the document says that lists show changes only later. */
export function mayBeLate({ summary, description }: Operation): boolean {
  return /eventual(?:ly)? consisten/i.test(`${summary} ${description}`);
}

/** Names of parameters that search. Any other text may select a page. */
const searches =
  /^(?:q|query|(?:full)?search(?:text|term|query|string)?|terms?|keywords?|text|prefix)$/;

/**
 * Whether the list has filters and parameters like `search` only: the document has no paging
 * parameters.
 */
export function isUnpaged({ list, limit, filters }: Resource): boolean {
  const known = new Set(filters.map(({ parameter }) => parameter));
  return (
    limit === undefined &&
    list.parameters.every(
      (parameter) =>
        known.has(parameter) ||
        isSearch(parameter) ||
        !['query', 'querystring'].includes(parameter.in),
    )
  );
}

function isSearch({ name, in: place, required, schema }: Parameter): boolean {
  const isText = isFreeText(schema.shape()) && schema.shape().default === undefined;
  return place === 'query' && !required && isText && searches.test(plainName(name));
}

const collections = once((_trace: Trace) =>
  once((_resource: Resource) => new Map<string, Collection>()),
);

const readingsByScope = once((trace: Trace) =>
  once((resource: Resource) =>
    once((operation: Operation) =>
      Map.groupBy(trace.of(operation), (reading) => scopeOf(resource, reading)),
    ),
  ),
);

/** The collection that a request goes to. */
export function collectionOf(
  trace: Trace,
  resource: Resource,
  request: Pick<Reading, 'operation' | 'exchange'>,
): Collection {
  return collectionIn(trace, resource, scopeOf(resource, request));
}

/** One collection of a resource, by its parent items. */
export function collectionIn(trace: Trace, resource: Resource, scope: string): Collection {
  const known = collections(trace)(resource);
  const collection = known.get(scope) ?? new Collection(trace, resource, scope);
  known.set(scope, collection);
  return collection;
}

/** The collections that appear in responses. */
export function collectionsOf(trace: Trace): readonly Collection[] {
  const { contract, readings } = trace;
  const found = readings.flatMap((reading) => {
    const resource = resourceOf(contract.resources, reading.operation);
    return resource === undefined ? [] : [collectionOf(trace, resource, reading)];
  });
  const byResource = Map.groupBy(new Set(found), ({ resource }) => resource);
  return contract.resources.flatMap((resource) => byResource.get(resource) ?? []);
}

/** The list in a response; undefined if it is not one for a valid request. */
export const listingOf = once((resource: Resource) =>
  once((reading: Reading) => readListing(reading, resource)),
);

function readListing(reading: Reading, resource: Resource): Listing | undefined {
  const { exchange, listed: values, content, place } = reading;
  if (!reading.isServed || values === undefined) return undefined;
  const { maxItems = Infinity } = schemaAt(content?.schema, place)?.shape() ?? {};
  const schema = shownSchema(resource, resource.list);
  const [at, areRight] = [renderPointer(reading.place), isRight(reading, schema)];
  const items = values.flatMap(
    (value, index) => readItem(value, resource, schema, `${at}/${index}`, areRight) ?? [],
  );
  const sent = resource.limit && queryOf(exchange, resource.limit.parameter.name);
  const asked = sent === undefined ? undefined : Number(sent);
  // A total says nothing of a page that has room for more.
  const wanted = asked ?? resource.limit?.default ?? 0;
  const isFull = values.length >= Math.min(wanted, leastPage);
  const filters = resource.filters.flatMap(({ parameter, property }) => {
    const value = queryOf(exchange, parameter.name);
    return value === undefined ? [] : [[property, value] as const];
  });
  return {
    reading,
    items,
    size: values.length,
    ids: new Set(items.map(({ id }) => id)),
    asked,
    room: asked,
    limit: asked === undefined ? resource.limit?.default : asked >= 1 ? asked : undefined,
    filters: new Map(filters),
    more:
      values.length >= maxItems ||
      hintsAtMore(reading) ||
      envelopeHintsAtMore(reading.json, values, isFull) ||
      isNarrowed(reading, resource),
    members: lazy(() => {
      const found = new Set<string>();
      for (const item of values) noteMembers(item, '', found);
      return found;
    }),
  };
}

/**
 * Whether a parameter was sent whose effect on the list is unknown: a page, a search, or one that is
 * named like a member of the items. Other required ones are the same in all requests.
 */
function isNarrowed({ exchange }: Reading, { list, limit, filters, item }: Resource): boolean {
  const known = new Set([limit?.parameter, ...filters.map(({ parameter }) => parameter)]);
  const members = [...item.shape().properties.keys()];
  return list.parameters.some(
    (parameter) =>
      parameter.in === 'query' &&
      !known.has(parameter) &&
      (!parameter.required || memberNamed(members, [plainName(parameter.name)]) !== undefined) &&
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

/** Names of members that link to, or announce, further items. */
const nextNames = /next|more|cursor|continuation|token/i;

/** Whether the envelope of a list has a larger total, or a next page. */
function envelopeHintsAtMore(
  json: JsonValue | undefined,
  items: readonly JsonValue[],
  isFull: boolean,
  name = '',
): boolean {
  if (json === items) return false;
  if (isJsonObject(json))
    return Object.entries(json).some(
      ([inner, value]) =>
        envelopeHintsAtMore(value, items, isFull, inner) ||
        (nextNames.test(inner) && isJsonObject(value)),
    );
  if (typeof json === 'number' || typeof json === 'bigint') {
    if (!isFull) return false;
    if (/pages/i.test(name)) return json > 1;
    return (
      /total|count|hits|found|match|results|items|elements|records/i.test(name) &&
      json > items.length
    );
  }
  if (/last/i.test(name)) return json === false;
  const isNext = nextNames.test(name) && !/prev/i.test(name);
  return isNext && (json === true || (typeof json === 'string' && json !== ''));
}

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

function readAddition(reading: Reading, resource: Resource): Addition | undefined {
  const { kind } = reading.exchange.intent;
  const answered = shownItem(reading, resource);
  const isMeant = (kind === 'valid' || kind === 'open') && !isVaried(reading);
  if (!isMeant || answered === undefined || !isJsonObject(reading.sent)) return undefined;
  const { sent } = reading;
  const shown = shownNames(resource)(reading.operation);
  const unshown = memberNames(resource).flatMap((name) =>
    shown.has(name) || sent[name] === undefined ? [] : [[name, sent[name]] as const],
  );
  const members = { ...Object.fromEntries(unshown), ...answered.members };
  return { sent, answered: { ...answered, members }, reading, untrusted: [] };
}

function withoutEcho(addition: Addition, wrong: ReadonlySet<string>): Addition {
  const untrusted = [...wrong].filter((name) => addition.sent[name] === undefined);
  if (untrusted.length === 0) return addition;
  const members = Object.fromEntries(
    Object.entries(addition.answered.members).filter(([name]) => !untrusted.includes(name)),
  );
  return { ...addition, answered: { ...addition.answered, members, valid: false }, untrusted };
}

/** An item as one list shows it. */
export interface Sighting {
  readonly item: Item;
  readonly listing: Listing;
}

export function firstSightings(listings: readonly Listing[]): ReadonlyMap<string, Sighting> {
  const first = new Map<string, Sighting>();
  for (const listing of listings)
    for (const item of listing.items)
      if (!first.has(item.id)) first.set(item.id, { item, listing });
  return first;
}

/** Plain names of boolean members by which services commonly hide items from lists. */
const hiding = new Set(
  'active archived deleted disabled draft enabled hidden private public published visible'.split(
    ' ',
  ),
);

interface HidingMember {
  readonly property: string;
  /** The query parameter that overrides it; undefined if there is none, or several. */
  readonly parameter: Parameter | undefined;
  /** The member is a date, and the list may be of a period. */
  readonly isDate: boolean;
}

/**
 * The members by which a list may hide items even without a filter: those that a parameter with a
 * default is named after, such as `status` or `include_archived`; flags by which services hide
 * items; and dates that clients set, if a parameter is about them: without it, a list may begin today.
 */
export const hidingMembersOf = once((resource: Resource): readonly HidingMember[] => {
  const { list, limit, item } = resource;
  const asked = list.parameters.filter((one) => one.in === 'query' && one !== limit?.parameter);
  const presets = asked.filter(({ schema }) => {
    const preset = schema.shape().default;
    return preset !== undefined && preset !== null && preset !== '';
  });
  const periods = asked
    .filter(({ schema, required }) => isDated(schema) && !required)
    .map(({ name }) => plainName(name));
  return [...item.shape().properties].flatMap(([property, node]) => {
    const { types, values } = node.shape();
    const own = plainName(property);
    // `isArchived`, `archived_at`
    const stem = own.replace(/^is(?=....)|(?<=....)at$/g, '');
    const parameter = presets.find(({ name, schema }) => {
      const isFlag = schema.shape().types.includes('boolean') && stem.length > 3;
      return plainName(name) === own || (isFlag && plainName(name).includes(stem));
    });
    const isFlag = types.includes('boolean');
    const event = own.replace(/(?:date|time|at|on)+$/, '');
    const isDate =
      isDated(node) &&
      settableNames(resource).has(property) &&
      periods.some((name) => anyPeriod.test(name) || (event !== '' && name.includes(event)));
    const isHider =
      parameter === undefined
        ? isDate || (isFlag && hiding.has(stem))
        : isFlag || values !== undefined || types.includes('string');
    return isHider ? [{ property, parameter, isDate: isDate && parameter === undefined }] : [];
  });
});

/** Names of parameters that may be about any date, in plain form. */
const anyPeriod = /^(?:from|to|until|since|after|before|start|end|min|max|date|time)+$/;

function isDated(node: SchemaNode): boolean {
  return /^date(?:-time)?$/.test(node.shape().format ?? '');
}

/** Whether a list must show an item, judging by its known members; undefined if unknown. */
export function isWanted(listing: Listing, item: Item, resource: Resource): boolean | undefined {
  const isPassing = passes(item, listing.filters);
  const isHidden = isPassing === true && isHidable(listing, (name) => item.members[name], resource);
  return isHidden ? undefined : isPassing;
}

/**
 * Whether a list may hide an item because none of the items in the list has the same value, or
 * because its date is not between theirs. `valueOf` returns the item's value of a member, by name.
 */
export function isHidable(
  listing: Listing,
  valueOf: (name: string) => JsonValue | undefined,
  resource: Resource,
): boolean {
  return hidingMembersOf(resource).some((hidingMember) => {
    const { property, parameter, isDate } = hidingMember;
    const value = valueOf(property);
    if (
      value === undefined ||
      (parameter && queryOf(listing.reading.exchange, parameter.name) !== undefined)
    )
      return false;
    const { texts, first, last } = shownIn(hidingMember)(listing);
    const date = isDate ? dateOf(value) : Number.NaN;
    return Number.isNaN(date) ? !texts.has(renderPlain(value)) : date < first || date > last;
  });
}

/** What a list shows of a member by which it may hide items: the values, and the range of dates. */
const shownIn = once(({ property }: HidingMember) =>
  once(({ items }: Listing) => {
    const values = items.map(({ members }) => members[property] ?? null);
    const dates = values.map(dateOf).filter((date) => !Number.isNaN(date));
    const texts = new Set(values.map(renderPlain));
    return { texts, first: smallest(dates), last: largest(dates) };
  }),
);

function dateOf(value: JsonValue): number {
  return typeof value === 'string' ? Date.parse(value) : Number.NaN;
}

/**
 * Whether the list is complete as far as it goes: every item has a readable id and nothing hints at
 * more, so a missing item is really missing.
 */
export function isReadable(listing: Listing): boolean {
  return !listing.more && listing.items.length === listing.size;
}

/** Whether the list holds everything: it is readable and below its limit. */
export function hasRoom(listing: Listing): boolean {
  return isReadable(listing) && listing.room !== undefined && listing.size < listing.room;
}

/**
 * Whether the absence of an added item from this list is evidence. An empty list always has room
 * for it.
 */
export function hasRoomForAdded(listing: Listing): boolean {
  const isEmpty = listing.size === 0 && listing.filters.size === 0 && (listing.asked ?? 1) > 0;
  return hasRoom(listing) || (isEmpty && isReadable(listing));
}

export function isWhole(listing: Listing): boolean {
  return listing.filters.size === 0 && hasRoom(listing);
}

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

/** The id of the item that a PUT created; undefined if it created none. */
export function addedByPut(reading: Reading, resource: Resource): string | undefined {
  const { operation, status, isServed, exchange } = reading;
  if (!isServed || !mayAdd(operation) || isVaried(reading)) return undefined;
  const created = requirementId.state(operation.id, 'created');
  const isMeant = exchange.intent.kind === 'valid' && exchange.intent.exercises.includes(created);
  return (status === 201 || isMeant) && operation.id === resource.replace?.id
    ? pathIdOf(reading, resource)
    : undefined;
}

/** Whether one exchange ended before another one was sent. */
export function isBefore(earlier: Exchange, later: Exchange): boolean {
  return (
    earlier.index < later.index && (earlier.group === undefined || earlier.group !== later.group)
  );
}

export function limitId({ list, limit }: Resource, facet: ParameterFacet): string {
  return requirementId.parameter(list.id, limit?.parameter.name ?? '', facet);
}

export function filterId(resource: Resource, property: string): string {
  const filter = resource.filters.find((each) => each.property === property);
  return requirementId.parameter(resource.list.id, filter?.parameter.name ?? property, 'filter');
}

export type ChangeAct = 'replace' | 'update' | 'remove';

const acts: readonly ChangeAct[] = ['replace', 'update', 'remove'];

/** The operations of a resource that change or remove a single item, with their effect. */
export function changesOf(resource: Resource) {
  return acts.flatMap((act) => {
    const { [act]: operation } = resource;
    return operation === undefined ? [] : [{ act, operation }];
  });
}

interface Reach {
  readonly isOwn: boolean;
  /**
   * Name of the path parameter with the item's id. Without it in the path, the operation may affect
   * any item.
   */
  readonly idParameter: string;
  /** How many of its path parameters also name parents of the collection. */
  readonly shared: number;
}

/** The resources by the operations that add, change and remove their items. */
const ownersOf = once(({ resources }: Contract): ReadonlyMap<Operation | undefined, Resource> => {
  const owned = resources.flatMap((resource) =>
    [resource.create, ...acts.map((act) => resource[act])].map((each) => [each, resource] as const),
  );
  return new Map(owned.toReversed());
});

/** Which items of a resource's collection an operation may change; undefined for none. */
const reachOf = once((contract: Contract) =>
  once((resource: Resource) =>
    once((operation: Operation): Reach | undefined => {
      const { parents, idParameter, create, item } = resource;
      const isChangeOf = (each: Resource): boolean => acts.some((act) => each[act] === operation);
      if (isChangeOf(resource))
        return { isOwn: true, idParameter: idParameter?.name ?? '', shared: parents.length };
      if (!writes(operation) || operation === create) return undefined;
      const path = trimEnd(blankNames(operation.path), '/');
      const own = trimEnd(blankNames(resource.collectionPath), '/');
      const isBelow = (top: string): boolean => path === top || path.startsWith(`${top}/`);
      const owner = ownersOf(contract).get(operation);
      const foreign = { isOwn: false, idParameter: '' };
      const isOfItem = path.startsWith(`${own}/{}`);
      if (isBelow(own) && (owner === undefined || isOfItem)) {
        const [, named = ''] = [...operation.path.matchAll(/\{([^{}]*)\}/g)][parents.length] ?? [];
        return { isOwn: false, idParameter: isOfItem ? named : '', shared: parents.length };
      }
      if (owner?.item.pointer === item.pointer && isChangeOf(owner))
        return { ...foreign, idParameter: owner.idParameter?.name ?? '', shared: 0 };
      // A path outside of all collections may refer to the same items by another name.
      const showsItem = ({ showing, viewOf }: InferredResource): boolean =>
        showing.some((each) => each.path === operation.path) &&
        showing.some((each) => viewOf(each)?.item.pointer === item.pointer);
      if (owner === undefined && contract.inferredResources.some(showsItem))
        return { ...foreign, shared: 0 };
      const above = [...own.matchAll(/\{\}(?=\/)/g)].map(({ index }) => own.slice(0, index + 2));
      const shared = above.findLastIndex(isBelow) + 1;
      const isReached = owner === undefined || above.includes(path);
      return shared > 0 && isReached ? { ...foreign, shared } : undefined;
    }),
  ),
);

/** Adds an exchange to those of an item. */
function noteAt(found: Map<string, Exchange[]>, id: string, exchange: Exchange): void {
  const known = found.get(id);
  if (known === undefined) found.set(id, [exchange]);
  else known.push(exchange);
}

/** The members of the items of a resource that are named after those of another one. */
function namesOf(contract: Contract, { item }: Resource, other: Resource): readonly string[] {
  const names = [...item.shape().properties.keys()];
  return names.filter((name) => referredResource(contract, name, undefined) === other);
}

/** The texts, and the numbers as texts, in a value. */
export function* scalarsIn(value: JsonValue | undefined): Generator<string> {
  if (typeof value !== 'object') yield renderPlain(value ?? '');
  else for (const one of Object.values(value ?? {})) yield* scalarsIn(one);
}

/** Whether a collection is nested in the items named by the first path values of a request. */
function isWithinScope(scope: string, values: readonly string[]): boolean {
  const own = scope.split('/');
  return values.every((value, at) => encodeURIComponent(value) === own[at]);
}

/** Whether a status means that the request was refused and had no effect. */
export function isRefusalStatus(status: number): boolean {
  return refusalStatuses.some((each) => each === status);
}
