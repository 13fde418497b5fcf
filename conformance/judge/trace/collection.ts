import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../contract/json/value.ts';
import { renderPointer } from '../../../contract/json/pointer.ts';
import { requirementId, type ParameterFacet } from './requirement.ts';
import { refusalStatuses } from '../../../contract/openapi/refusal.ts';
import { answersItem, mayAdd, type Resource } from '../../../contract/resource/resource.ts';
import { headerOf, statusOf, type Exchange } from '../../transport/exchange.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { plainName } from '../../../contract/resource/names.ts';
import { trimEnd } from '../../../contract/http/address.ts';
import { operationOf, writes } from '../../transport/target.ts';
import { largest } from '../../../contract/list/list.ts';
import { lazy, once } from '../../memo/once.ts';
import { blankNames } from '../../transport/path-template.ts';
import type { Contract } from '../../../contract/contract.ts';
import {
  comesBack,
  isRight,
  memberNames,
  memberSchema,
  readItem,
  shownItem,
  shownNames,
  type Item,
} from './item.ts';
import {
  idIn,
  idOf,
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
  /** How many items it may hold; undefined where nobody knows. */
  readonly room: number | undefined;
  readonly filters: ReadonlyMap<string, string>;
  /** There may be further items: the response hints at them, or the request left some out. */
  readonly more: boolean;
  /** The members of its items, at any depth: `owner/name`, `tags/[]/name`. */
  readonly members: () => ReadonlySet<string>;
}

/** An item that the suite itself had added: what it sent and what came back. */
export interface Addition {
  readonly sent: JsonObject;
  /** With the members as sent that the response, by its schema, does not show. */
  readonly answered: Item;
  readonly reading: Reading;
  /** Members that came back wrong elsewhere, and that only the response gave this item. */
  readonly untrusted: readonly string[];
}

/**
 * What a log shows of the items of one resource: lists, additions, and requests that touched one. Of a
 * resource within others there is one collection for each of the items that it is within.
 */
export class Collection {
  readonly trace: Trace;
  readonly resource: Resource;
  /** As `scopeOf` names it. */
  readonly scope: string;
  /** The lists that valid requests got, in the order of their responses. */
  readonly listings: readonly Listing[];
  /** The items that valid requests of this run added, in response order. */
  readonly additions: readonly Addition[];

  constructor(trace: Trace, resource: Resource, scope: string) {
    const read = listingOf(resource);
    this.trace = trace;
    this.resource = resource;
    this.scope = scope;
    const listings = this.of(resource.list).flatMap((reading) => read(reading) ?? []);
    // A list that was longer shows that the target does not cut lists of this size.
    const longest = largest(
      listings.map(({ filters, size }) => (filters.size === 0 ? size : 0)),
      leastPage,
    );
    this.listings = isUnpaged(resource)
      ? listings.map((listing) => ({ ...listing, room: longest }))
      : listings;
    this.additions = this.of(resource.create).flatMap(
      (reading) => readAddition(reading, resource) ?? [],
    );
  }

  /** The readings of an operation on this collection or its items. */
  of(operation: Operation | undefined): readonly Reading[] {
    return operation === undefined || this.resource.parents.length === 0
      ? this.trace.of(operation)
      : (readingsByScope(this.trace)(this.resource)(operation).get(this.scope) ?? []);
  }

  /** The items of lists by identifier, each as the first list shows it. */
  readonly firstSeen = lazy(() => firstSightings(this.listings));

  /** The identifiers of the items that this run added; others may change and remove theirs. */
  readonly ownIds = lazy(() => {
    const { resource } = this;
    const put = this.of(resource.replace).flatMap((each) => addedByPut(each, resource) ?? []);
    return new Set([...this.additions.map(({ answered }) => answered.id), ...put]);
  });

  /**
   * The additions that later responses can be compared with, by identifier: none that was given twice,
   * or that a list had shown before; a member that once came back wrong is only trusted as it was sent.
   */
  readonly trusted = lazy((): ReadonlyMap<string, Addition> => {
    const wrong = new Set<string>();
    for (const { sent, answered, reading } of this.additions)
      for (const name of reading.succeeded ? shownNames(this.resource)(reading.operation) : []) {
        const received = answered.members[name];
        // A member that is not there may be malformed.
        const isEchoed = received !== undefined || answered.valid;
        const node = memberSchema(this.resource, name);
        if (Object.hasOwn(sent, name) && isEchoed && !comesBack(sent[name], received, node))
          wrong.add(name);
      }
    const shared = new Set<string>();
    for (const [{ answered }, { owner, hasTwin }] of this.owners())
      if (owner !== undefined || hasTwin) shared.add(answered.id);
    const trusted = this.additions.filter(({ answered }) => !shared.has(answered.id));
    return new Map(trusted.map((each) => [each.answered.id, withoutEcho(each, wrong)]));
  });

  /** What added items that the target had to refuse, by identifier. */
  readonly wronglyAdded = lazy((): ReadonlyMap<string, Reading> => {
    const added = this.of(this.resource.create).flatMap((reading) => {
      const isInvalid = reading.exchange.intent.kind === 'invalid';
      const id = isInvalid ? idIn(itemOf(reading), this.resource) : undefined;
      return id === undefined ? [] : [[renderPlain(id), reading] as const];
    });
    return new Map(added);
  });

  /**
   * The additions, each with the exchange in which its identifier was another item's before; `isTouched`:
   * the run removed that item, or changed it. `hasTwin`: an earlier addition has the same one.
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
   * The requests that tried to change each item, answered or not, by its identifier; by '' those that
   * may have changed any. What an operation outside of all resources does nobody knows: it may remove
   * the item. So may one that changes what the collection is within.
   */
  readonly attempts = lazy((): ReadonlyMap<string, readonly Exchange[]> => {
    const { trace, resource, scope } = this;
    const { contract } = trace;
    const limit = contract.rateLimit?.status ?? 429;
    const found = new Map<string, Exchange[]>();
    for (const exchange of trace.exchanges) {
      const operation = operationOf(contract, exchange.request.operation);
      const reach = operation && reachOf(contract)(resource)(operation);
      const status = statusOf(exchange);
      if (operation === undefined || reach === undefined || status === limit) continue;
      if (!reach.isOwn && isRefusalStatus(status ?? 0)) continue;
      const values = pathValuesOf(operation, exchange.request.target);
      if (!isWithinScope(scope, Object.values(values).slice(0, reach.shared))) continue;
      const id = values[reach.idParameter] ?? '';
      const known = found.get(id) ?? [];
      if (known.length === 0) found.set(id, known);
      known.push(exchange);
    }
    return found;
  });

  readonly #membersListed = lazy((): ReadonlySet<string> => {
    const shown = new Set<string>();
    for (const { members } of this.listings) for (const place of members()) shown.add(place);
    return shown;
  });

  /** Whether no request before an exchange tried to change or remove an item, nor one beside it. */
  isUntouched(id: string, exchange: Exchange): boolean {
    return this.#attemptsOn(id).every((attempt) => isBefore(exchange, attempt));
  }

  /** Those that may have changed an item or all: what was over before it was added did not. */
  #attemptsOn(id: string): readonly Exchange[] {
    const attempts = [id, ''].flatMap((each) => this.attempts().get(each) ?? []);
    const added = attempts.length === 0 ? undefined : this.#addedBy().get(id);
    return added === undefined ? attempts : attempts.filter((each) => !isBefore(each, added));
  }

  /** The first addition of each item, by identifier. */
  readonly #addedBy = lazy(
    (): ReadonlyMap<string, Exchange> =>
      new Map(this.additions.toReversed().map((each) => [each.answered.id, each.reading.exchange])),
  );

  /**
   * Whether nobody can say what became of an item: a request before an exchange that tried to change
   * it was not answered, failed, answered another item, is still under way (202), or was served
   * though it had to be refused.
   */
  isInDoubt(id: string, exchange: Exchange): boolean {
    return this.#attemptsOn(id).some((attempt) => {
      const status = statusOf(attempt) ?? 500;
      const isServed = status < 300 && status !== 202 && attempt.intent.kind === 'valid';
      const isClear = isServed ? !this.#isRenamed(attempt, id) : isRefusalStatus(status);
      return !isClear && attempt !== exchange && !isBefore(exchange, attempt);
    });
  }

  /** It was answered with another identifier than it was sent to. */
  #isRenamed(attempt: Exchange, wanted: string): boolean {
    const reading = this.trace.readings.find(({ exchange }) => exchange === attempt);
    if (reading === undefined || !answersItem(reading.operation, this.resource)) return false;
    const item = itemOf(reading);
    return item !== undefined && idOf(item, this.resource) !== wanted;
  }

  /**
   * Leaves out of an item what no list shows: the items of a list may contain less than the item
   * itself.
   */
  listedPart(item: JsonObject): JsonObject {
    return keepMembers(item, '', this.#membersListed());
  }

  /**
   * How many items there are at least when a request is answered: by the lists before it and what
   * the run added. Where items can be removed, by the lists next to it.
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
 * Whether what a collection is within was surely there when a request was answered: it served another
 * request, or the run added what it is within, or a list showed that and nobody can remove it. Always
 * true where it is within nothing.
 */
export function isWithinKnown(trace: Trace, resource: Resource, reading: Reading): boolean {
  const { exchange } = reading;
  if (resource.parents.length === 0) return true;
  const collection = collectionOf(trace, resource, reading);
  const touched = collection.attempts().get('') ?? [];
  if (touched.some((attempt) => !isBefore(exchange, attempt))) return false;
  if (operationsOf(resource).some((each) => collection.of(each).some(({ isServed }) => isServed)))
    return true;
  const parent = parentOf(trace.contract, resource);
  if (parent === undefined) return false;
  const steps = collection.scope.split('/');
  const around = collectionIn(trace, parent, steps.slice(0, -1).join('/'));
  const id = decodeURIComponent(steps.at(-1) ?? '');
  return around.ownIds().has(id) || (parent.remove === undefined && around.firstSeen().has(id));
}

/** Targets that cut lists without saying so have pages of at least as many items. */
const leastPage = 10;

/** Whether a request for a list can only filter it: the document knows no pages. */
export function isUnpaged({ list, limit, filters }: Resource): boolean {
  const known = new Set(filters.map(({ parameter }) => parameter));
  return (
    limit === undefined &&
    list.parameters.every(
      (parameter) => known.has(parameter) || !['query', 'querystring'].includes(parameter.in),
    )
  );
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

/** What a log shows of the items of a resource: of the collection that a request goes to. */
export function collectionOf(
  trace: Trace,
  resource: Resource,
  request: Pick<Reading, 'operation' | 'exchange'>,
): Collection {
  return collectionIn(trace, resource, scopeOf(resource, request));
}

/** What a log shows of the items of one collection of a resource. */
export function collectionIn(trace: Trace, resource: Resource, scope: string): Collection {
  const known = collections(trace)(resource);
  const collection = known.get(scope) ?? new Collection(trace, resource, scope);
  known.set(scope, collection);
  return collection;
}

/** The collections that responses show something of. */
export function collectionsOf(trace: Trace): readonly Collection[] {
  return trace.contract.resources.flatMap((resource) => {
    const readings = operationsOf(resource).flatMap((each) => trace.of(each));
    const scopes = new Set(readings.map((reading) => scopeOf(resource, reading)));
    return [...scopes].map((scope) => collectionIn(trace, resource, scope));
  });
}

/** The collections of the resources that the operation of a reading belongs to; nothing is remembered. */
export function readCollections(trace: Trace, reading: Reading): readonly Collection[] {
  const resources = resourcesByOperation(trace.contract).get(reading.operation.id) ?? [];
  return resources.map((resource) => new Collection(trace, resource, scopeOf(resource, reading)));
}

const resourcesByOperation = once(
  ({ operations, resources }: Contract): ReadonlyMap<string, readonly Resource[]> =>
    new Map(
      operations.map(({ id }) => [
        id,
        resources.filter((resource) => operationsOf(resource).some((each) => each?.id === id)),
      ]),
    ),
);

function operationsOf({ list, create, get, replace, update, remove }: Resource) {
  return [list, create, get, replace, update, remove];
}

const listingOf = once((resource: Resource) =>
  once((reading: Reading) => readListing(reading, resource)),
);

function readListing(reading: Reading, resource: Resource): Listing | undefined {
  const { exchange, listed: values } = reading;
  if (!reading.isServed || values === undefined) return undefined;
  const schema = resource.shown.get(resource.list.id)?.schema ?? resource.item;
  const [at, areRight] = [renderPointer(reading.place), isRight(reading, schema)];
  const items = values.flatMap(
    (value, index) => readItem(value, resource, schema, `${at}/${index}`, areRight) ?? [],
  );
  const sent = resource.limit && queryOf(exchange, resource.limit.parameter.name);
  const asked = sent === undefined ? undefined : Number(sent);
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
      hintsAtMore(reading) ||
      envelopeHintsAtMore(reading.json, values) ||
      isNarrowed(reading, resource),
    members: lazy(() => {
      const found = new Set<string>();
      for (const item of values) noteMembers(item, '', found);
      return found;
    }),
  };
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

/** Names of members that lead to further items, or say that there are some. */
const nextNames = /next|more|cursor|continuation|token/i;

/** Whether what surrounds the items of a list shows a larger total, or a next page. */
function envelopeHintsAtMore(
  json: JsonValue | undefined,
  items: readonly JsonValue[],
  name = '',
): boolean {
  if (json === items) return false;
  if (isJsonObject(json))
    return Object.entries(json).some(
      ([inner, value]) =>
        envelopeHintsAtMore(value, items, inner) || (nextNames.test(inner) && isJsonObject(value)),
    );
  if (typeof json === 'number' || typeof json === 'bigint') {
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
  const isMeant = kind === 'valid' || kind === 'open';
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

/** An item as a list shows it. */
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

/** What services leave out of lists unless asked for: by the plain names of boolean members. */
const hiding = new Set(
  'active archived deleted disabled draft enabled hidden private public published visible'.split(
    ' ',
  ),
);

interface Hider {
  readonly property: string;
  /** The parameter of the list that overrules it; undefined where there is none. */
  readonly parameter: string | undefined;
}

/**
 * The members by which a list may leave items out though no filter was sent: those that a parameter with
 * a default is named after, such as `status` or `include_archived`, and flags that services hide items by.
 */
const hidersOf = once(({ list, limit, item }: Resource): readonly Hider[] => {
  const presets = list.parameters.filter((parameter) => {
    const preset = parameter.schema.shape().default;
    const isPreset = preset !== undefined && preset !== null && preset !== '';
    return isPreset && parameter.in === 'query' && parameter !== limit?.parameter;
  });
  return [...item.shape().properties].flatMap(([property, node]) => {
    const { types, values } = node.shape();
    const own = plainName(property);
    // `isArchived`, `archived_at`
    const stem = own.replace(/^is(?=....)|(?<=....)at$/g, '');
    const parameter = presets.find(({ name, schema }) => {
      const isFlag = schema.shape().types.includes('boolean') && stem.length > 3;
      return plainName(name) === own || (isFlag && plainName(name).includes(stem));
    })?.name;
    const isFlag = types.includes('boolean');
    const isHider =
      parameter === undefined
        ? isFlag && hiding.has(stem)
        : isFlag || values !== undefined || types.includes('string');
    return isHider ? [{ property, parameter }] : [];
  });
});

/** Whether a list has to show an item, by what is known of its members; undefined where nobody can say. */
export function isWanted(listing: Listing, item: Item, resource: Resource): boolean | undefined {
  const isPassing = passes(item, listing.filters);
  const isHidden = isPassing === true && isHidable(listing, (name) => item.members[name], resource);
  return isHidden ? undefined : isPassing;
}

/**
 * Whether a list may leave an item out by a value that none of the items which it shows has. `valueOf`:
 * what the item has, by the name of a member.
 */
export function isHidable(
  listing: Listing,
  valueOf: (name: string) => JsonValue | undefined,
  resource: Resource,
): boolean {
  return hidersOf(resource).some(({ property, parameter }) => {
    const value = valueOf(property);
    if (
      value === undefined ||
      (parameter && queryOf(listing.reading.exchange, parameter) !== undefined)
    )
      return false;
    return !flagsIn(resource)(listing).has(`${property} ${renderPlain(value)}`);
  });
}

/** Names and values of the members of listed items that items may be hidden by. */
const flagsIn = once((resource: Resource) =>
  once(({ items }: Listing) => {
    const found = new Set<string>();
    for (const { members } of items)
      for (const { property } of hidersOf(resource))
        found.add(`${property} ${renderPlain(members[property] ?? null)}`);
    return found;
  }),
);

/** Every item can be read, and no more are hinted at: what is missing is not there. */
export function isReadable(listing: Listing): boolean {
  return !listing.more && listing.items.length === listing.size;
}

/** Whether a list is readable and had room for more: it holds all that there is. */
export function hasRoom(listing: Listing): boolean {
  return isReadable(listing) && listing.room !== undefined && listing.size < listing.room;
}

/** Whether a list shows that an added item is not there: an empty one has room for it, however short lists may be. */
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

/** The identifier of the item that a PUT added; undefined where it added none. */
export function addedByPut(reading: Reading, resource: Resource): string | undefined {
  const { operation, status, isServed, exchange } = reading;
  if (!isServed || !mayAdd(operation)) return undefined;
  const created = requirementId.state(operation.id, 'created');
  const isMeant = exchange.intent.kind === 'valid' && exchange.intent.exercises.includes(created);
  return (status === 201 || isMeant) && operation.id === resource.replace?.id
    ? pathIdOf(reading, resource)
    : undefined;
}

/** Whether one exchange was over before another one was sent. */
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

/** The operations of a resource that change a single item or remove it, with what they do. */
export function changesOf(resource: Resource) {
  return acts.flatMap((act) => {
    const { [act]: operation } = resource;
    return operation === undefined ? [] : [{ act, operation }];
  });
}

interface Reach {
  readonly isOwn: boolean;
  /** The path parameter that names the item; any item where the path has none of that name. */
  readonly idParameter: string;
  /** How many of its path parameters also name what the collection is within. */
  readonly shared: number;
}

/** What an operation may change of a collection of a resource; undefined for nothing. */
const reachOf = once((contract: Contract) =>
  once((resource: Resource) =>
    once((operation: Operation): Reach | undefined => {
      const { parents, idParameter, create, item } = resource;
      const isChangeOf = (each: Resource): boolean =>
        changesOf(each).some((change) => change.operation === operation);
      if (isChangeOf(resource))
        return { isOwn: true, idParameter: idParameter?.name ?? '', shared: parents.length };
      if (!writes(operation) || operation === create) return undefined;
      const path = trimEnd(blankNames(operation.path), '/');
      const own = trimEnd(blankNames(resource.collectionPath), '/');
      const isBelow = (top: string): boolean => path === top || path.startsWith(`${top}/`);
      const owner = contract.resources.find(
        (each) => each.create === operation || isChangeOf(each),
      );
      const foreign = { isOwn: false, idParameter: '' };
      const isOfItem = path.startsWith(`${own}/{}`);
      if (isBelow(own) && (owner === undefined || isOfItem)) {
        const [, named = ''] = [...operation.path.matchAll(/\{([^{}]*)\}/g)][parents.length] ?? [];
        return { isOwn: false, idParameter: isOfItem ? named : '', shared: parents.length };
      }
      if (owner?.item.pointer === item.pointer && isChangeOf(owner))
        return { ...foreign, idParameter: owner.idParameter?.name ?? '', shared: 0 };
      // A path outside of all collections may have the same items, by another name.
      const isSameItem = contract.inferredResources.some(({ showing, viewOf }) => {
        const isOf = showing.some((each) => each.path === operation.path);
        return isOf && showing.some((each) => viewOf(each)?.item.pointer === item.pointer);
      });
      if (owner === undefined && isSameItem) return { ...foreign, shared: 0 };
      const above = [...own.matchAll(/\{\}(?=\/)/g)].map(({ index }) => own.slice(0, index + 2));
      const shared = above.findLastIndex(isBelow) + 1;
      const isReached = owner === undefined || above.includes(path);
      return shared > 0 && isReached ? { ...foreign, shared } : undefined;
    }),
  ),
);

/** Whether a collection is within the items that the first path values of a request name. */
function isWithinScope(scope: string, values: readonly string[]): boolean {
  const own = scope.split('/');
  return values.every((value, at) => encodeURIComponent(value) === own[at]);
}

/** Whether a status says that a request was refused and nothing was done. */
export function isRefusalStatus(status: number): boolean {
  return refusalStatuses.some((each) => each === status);
}
