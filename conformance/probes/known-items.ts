import type { Contract } from '../../contract/contract.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  renderJson,
} from '../../contract/json/value.ts';
import { listConstants, type Operation } from '../../contract/openapi/operation.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import { idNamesFor, lastWord, plainName, singularNames } from '../../contract/resource/names.ts';
import { type Resource, resourceOf } from '../../contract/resource/resource.ts';
import { readTrace } from '../family/read-trace.ts';
import { isLeftover } from '../generate/tag.ts';
import { addedByPut, listingOf } from '../judge/trace/collection.ts';
import { shownItem } from '../judge/trace/item.ts';
import {
  idIn,
  idOf,
  isVaried,
  itemOf,
  locationOf,
  parentOf,
  pathIdOf,
  pathValuesOf,
  type Reading,
  renderPlain,
  scopeIn,
  scopeOf,
} from '../judge/trace/trace.ts';
import { once } from '../../contract/memo/once.ts';
import { referredResource } from '../generate/reference.ts';
import { dropCuts } from '../transport/cut.ts';
import type { Exchange } from '../transport/exchange.ts';
import { blankNames, pathPrefixes, type PathPrefix } from '../transport/path-template.ts';
import { validParameterValue } from '../transport/request-parts.ts';
import type { Within } from '../transport/session.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';

/**
 * What one of the run's own items is used for: to be changed, removed, kept unchanged, or to be a
 * parent.
 */
export type Purpose = 'replace' | 'update' | 'race' | 'remove' | 'stay' | 'parent';

/** Values for the parameters of a path, and which of them are guesses. */
export interface PathChoice extends Within {
  /** This run added the item that the path refers to. */
  readonly isOwn: boolean;
}

/** The items of one collection of a resource, by id. */
interface KnownCollection {
  readonly listed: Map<string, JsonObject>;
  readonly added: Map<string, { item: JsonObject; exchange: Exchange }>;
  readonly removed: Set<string>;
  readonly claims: Map<Purpose, string>;
}

/** An object or id from a response, with the path values of its parents. */
interface Shown {
  readonly parents: readonly string[];
  readonly item: JsonValue;
  readonly isOwn: boolean;
}

/** Items per collection that are remembered. */
const most = 50;

/**
 * What a run has learnt about the target's items, from which probes choose their requests: the
 * items of resources by id, and possible values of path parameters for all other paths.
 */
export class KnownItems {
  readonly #contract: Contract;
  readonly #references: ReadonlyMap<string, JsonValue>;
  readonly #ids: ReadonlyMap<string, string>;
  readonly #collections = new Map<string, KnownCollection>();
  /**
   * By the collection's path without parameter names, `/users/{}/pets/{}`; by the words for its
   * container, `pets` and `pet`; and by a parameter name that is unique across paths, `{petid}`.
   */
  readonly #shown = new Map<string, Shown[]>();
  /** Collection paths with the path values of removed items. */
  readonly #removed = new Set<string>();
  /** The parents of nested collections that are no items of a known one, by the id of the list. */
  readonly #parents = new Map<string, PathChoice>();
  /** Members for which the target accepted only existing records. */
  readonly restricted = new Set<string>();

  /**
   * Starts with what the user provides: `references` by member, and `ids` of items by path
   * parameter or collection.
   */
  constructor(
    contract: Contract,
    references: Readonly<Record<string, JsonValue>>,
    ids: Readonly<Record<string, string>> = {},
  ) {
    this.#contract = contract;
    this.#references = new Map(Object.entries(references));
    this.#ids = new Map(Object.entries(ids).map(([name, value]) => [plainName(name), value]));
  }

  note(exchange: Exchange): void {
    const [reading] = readTrace(this.#contract, [exchange]).readings;
    if (reading === undefined) return;
    const resource = resourceOf(this.#contract.resources, reading.operation);
    if (resource !== undefined && this.#isFound(reading, resource)) return;
    if (resource !== undefined) this.#noteItems(reading, resource);
    if (reading.isServed && !isVaried(reading)) this.#noteShown(reading);
  }

  #collectionIn(resource: Resource, scope: string): KnownCollection {
    const key = `${resource.collectionPath} ${scope}`;
    const known = this.#collections.get(key) ?? {
      listed: new Map(),
      added: new Map(),
      removed: new Set(),
      claims: new Map(),
    };
    this.#collections.set(key, known);
    return known;
  }

  #current(resource: Resource): KnownCollection {
    return this.#collectionIn(resource, scopeIn(resource, this.within(resource).path));
  }

  /**
   * The parent that the run's requests to a nested collection use: an item of its own, else an
   * existing one, else a guess. It stays the same for the run.
   */
  within(resource: Resource): Within {
    const { parents, list } = resource;
    if (parents.length === 0) return { path: {}, guessed: [] };
    const parent = this.isGiven(list) ? undefined : parentOf(this.#contract, resource);
    if (parent === undefined) return this.#parentIn(list);
    const outer = this.within(parent);
    const around = this.#collectionIn(parent, scopeIn(parent, outer.path));
    const id = ownOf(around, 'parent') ?? foundIn(around).keys().next().value;
    if (id === undefined) return this.choose(list);
    const names = new Map(parent.parents.map((name, at) => [name, parents[at] ?? '']));
    const path = Object.entries(outer.path).map(([name, value]) => [names.get(name) ?? '', value]);
    return {
      path: { ...Object.fromEntries(path), [parents.at(-1) ?? '']: id },
      guessed: outer.guessed.map((name) => names.get(name) ?? ''),
    };
  }

  /** Of the items that may be the parents, the first one of the run, until it is removed. */
  #parentIn(list: Operation): Within {
    const kept = this.#parents.get(list.id);
    if (kept !== undefined && !this.#isRemoved(pathPrefixes(list), Object.values(kept.path)))
      return kept;
    const choice = this.choose(list);
    if (choice.isOwn) this.#parents.set(list.id, choice);
    return choice;
  }

  /** Items from lists, by id. */
  listed(resource: Resource): ReadonlyMap<string, JsonObject> {
    return this.#current(resource).listed;
  }

  /**
   * The listed items without leftovers of runs, as recognised by their texts: those before the
   * first leftover, or else those after the last. All listed items if that leaves none.
   */
  found(resource: Resource): ReadonlyMap<string, JsonObject> {
    return foundIn(this.#current(resource));
  }

  /** Items that this run added by valid requests, by id, with the exchange. */
  added(resource: Resource): KnownCollection['added'] {
    return this.#current(resource).added;
  }

  /** Items that this run added and removed. */
  removed(resource: Resource): ReadonlySet<string> {
    return this.#current(resource).removed;
  }

  /**
   * An item that this run added, reserved for one purpose until it is removed. Of the items added
   * concurrently, one is never handed out. Undefined if none is free.
   */
  own(resource: Resource, purpose: Purpose): string | undefined {
    return ownOf(this.#current(resource), purpose);
  }

  /** Whether a POST returned an item of others, which the run must not change. */
  #isFound(reading: Reading, resource: Resource): boolean {
    if (reading.operation.id !== resource.create?.id) return false;
    const { listed, added } = this.#collectionIn(resource, scopeOf(resource, reading));
    const id = idOf(itemOf(reading) ?? {}, resource);
    return listed.has(id) && !added.has(id);
  }

  #noteItems(reading: Reading, resource: Resource): void {
    const { exchange, status, operation } = reading;
    const { id } = operation;
    const around = this.#collectionIn(resource, scopeOf(resource, reading));
    const { listed, added, removed, claims } = around;
    const list = id === resource.list.id ? listingOf(resource)(reading) : undefined;
    for (const item of list?.items ?? []) listed.set(item.id, item.members);
    if (id === resource.remove?.id && status < 300) {
      const gone = pathIdOf(reading, resource) ?? '';
      if (added.has(gone)) removed.add(gone);
      for (const known of [listed, added]) known.delete(gone);
      for (const [claim, claimed] of claims) if (claimed === gone) claims.delete(claim);
    }
    const isPosted = id === resource.create?.id && reading.isValid && !isVaried(reading);
    const shown = shownItem(reading, resource);
    const own = isPosted ? shown?.id : addedByPut(reading, resource);
    if (own === undefined || !isCarriedByPaths(own)) return;
    added.set(own, { item: shown?.members ?? {}, exchange });
    removed.delete(own);
  }

  #first(resource: Resource): JsonObject | undefined {
    const [listed] = this.found(resource).values();
    const [added] = this.added(resource).values();
    return listed ?? added?.item;
  }

  /**
   * Values of a member that refer to records which exist: those in listed or added items, and the ids
   * of the items that the member, or one within it, refers to by its name.
   */
  references(resource: Resource): ReadonlyMap<string, JsonValue> {
    const references = new Map<string, JsonValue>();
    for (const [name, target] of targetsOf(this.#contract)(resource)) {
      const first = this.#first(target);
      const id = first && idIn(first, target);
      if (id !== undefined) references.set(name, id);
    }
    for (const [name, value = null] of Object.entries(this.#first(resource) ?? {}))
      if (value !== null) references.set(name, value);
    for (const [name, value] of this.#references) references.set(name, value);
    return references;
  }

  /** Whether any list or addition showed which records exist. */
  knowsReferences(resource: Resource): boolean {
    return this.references(resource).size > 0;
  }

  #noteShown(reading: Reading): void {
    const { operation, exchange } = reading;
    const { method, path } = operation;
    const found = Object.values(pathValuesOf(operation, exchange.request.target));
    const key = blankNames(path);
    if (method === 'DELETE') {
      this.#removed.add([key, ...found].join(' '));
      return;
    }
    this.#noteOwnPath(reading, found);
    const isOwn = method === 'POST' || method === 'PUT';
    const own = plainName(lastWord(path));
    const resource = resourceOf(this.#contract.resources, operation);
    const idAt = (item: JsonValue) => resource && idIn(item, resource);
    for (const { word, item, isElement } of itemsIn(dropCuts(reading.json), own)) {
      if (!isElement && !isOwn && !path.endsWith('}')) continue;
      const isOfPath = word === own || singularNames(own).includes(word);
      // A new item may have a list of names that is called like it: `permissions.ROLE`.
      const isAdded = isOfPath && isJsonObject(item);
      if (isElement ? !isOwn || isAdded : isOwn && isOfPath)
        this.#add(`${key}/{}`, { parents: found, item: idAt(item) ?? item, isOwn });
      for (const name of new Set([word, ...singularNames(word)]))
        this.#add(name, { parents: found, item, isOwn: isOwn && isOfPath });
    }
    if (!isOwn) return;
    this.#noteLocation(reading);
    const added = resource?.create?.id === operation.id ? itemOf(reading) : undefined;
    const id = added && idAt(added);
    if (id === undefined || resource?.itemPath !== undefined) return;
    // Items of `/channels/{id}/messages` may have the path `/messages/{id}`.
    for (const { itemPath = '', parents, showing, viewOf } of this.#contract.inferredResources)
      if (
        parents.length === 0 &&
        showing.some(
          (one) => one.path === itemPath && viewOf(one)?.item.pointer === resource?.item.pointer,
        )
      )
        this.#add(blankNames(itemPath), { parents, item: id, isOwn: true });
  }

  #add(name: string, shown: Shown): void {
    const all = this.#shown.get(name) ?? [];
    if (all.length < most || shown.isOwn) all.push(shown);
    this.#shown.set(name, all);
  }

  /** A successful request proves that the item in its path exists. */
  #noteOwnPath({ operation, exchange, status }: Reading, found: readonly string[]): void {
    const { intent, request } = exchange;
    const isAddition = operation.method === 'PUT' && status === 201;
    // What is within an item of the run is its own, too.
    let isOwn = false;
    for (const [index, prefix] of pathPrefixes(operation).entries()) {
      const { key, name, collection } = prefix;
      const item = found[index];
      // A server may return an empty list for a parent that does not exist.
      const isGuess = intent.kind === 'valid' && intent.guessed?.includes(name);
      const isLast = operation.path.endsWith(`{${name}}`);
      if (item === undefined || (isGuess && !isLast)) continue;
      const parents = found.slice(0, index);
      const known = (this.#shown.get(key) ?? []).filter(
        (each) =>
          identifierOf(each.item, prefix) === item && each.parents.join() === parents.join(),
      );
      isOwn = isOwn || (isAddition && isLast) || known.some((each) => each.isOwn);
      const shown = { parents, item, isOwn };
      if (known.length === 0 && request.credential === 'valid') this.#add(key, shown);
      if (isTelling(name, collection)) this.#shown.set(`{${plainName(name)}}`, [shown]);
    }
  }

  #noteLocation(reading: Reading): void {
    const { operation, values } = locationOf(reading, this.#contract) ?? {};
    const prefix = operation && pathPrefixes(operation).at(-1);
    const parents = Object.values(values ?? {});
    const item = parents.pop();
    if (item !== undefined && prefix) this.#add(prefix.key, { parents, item, isOwn: true });
  }

  #isRemoved(prefixes: readonly PathPrefix[], chain: readonly string[]): boolean {
    return chain.some((_value, at) =>
      this.#removed.has([prefixes[at]?.key ?? '', ...chain.slice(0, at + 1)].join(' ')),
    );
  }

  /**
   * Path values up to the longest known prefix, all of one existing item; the run's own items
   * first. `mustBeOwn`: no others.
   */
  #findChain(
    prefixes: readonly PathPrefix[],
    mustBeOwn: boolean,
  ): { readonly chain: readonly string[]; readonly isOwn: boolean } {
    for (const [after, prefix] of [...prefixes.entries()].toReversed()) {
      const chains = (this.#shown.get(prefix.key) ?? []).flatMap(({ parents, item, isOwn }) => {
        const id = parents.length === after ? identifierOf(item, prefix) : undefined;
        return id === undefined ? [] : [{ chain: [...parents, id], isOwn }];
      });
      const left = chains.filter(({ chain }) => !this.#isRemoved(prefixes, chain));
      const found = left.findLast(({ isOwn }) => isOwn) ?? (mustBeOwn ? undefined : left[0]);
      if (found !== undefined) return found;
    }
    return mustBeOwn ? this.#findChain(prefixes, false) : { chain: [], isOwn: false };
  }

  /** Values for an operation's path: of items that the run added, else of other existing ones. */
  choose(operation: Operation): PathChoice {
    const prefixes = pathPrefixes(operation);
    // A PUT may add what was not there, so it goes where the run may add something.
    const known = this.#findChain(prefixes, operation.method === 'PUT');
    // Only the values distinguish paths that differ in the names of parameters alone.
    const isRival = rivalsOf(this.#contract, operation).length > 0;
    const path: Record<string, string> = {};
    const guessed: string[] = [];
    let isOwn = false;
    for (const [index, prefix] of prefixes.entries()) {
      const { name, parameter } = prefix;
      const [usual] = isRival && parameter ? shownTexts(parameter) : [];
      const given = this.#givenTo(prefix) ?? usual ?? known.chain[index];
      const other = given === undefined ? this.#findElsewhere(prefix) : undefined;
      const example = parameter && validParameterValue(parameter);
      path[name] = given ?? other?.id ?? renderPlain(example ?? 1);
      // The values of an enumeration are never guesses.
      const isClosed = parameter?.schema.shape().values !== undefined;
      if (given === undefined && other === undefined && !isClosed) guessed.push(name);
      // A made-up child of the run's own item counts as its own, too.
      const isWithinOwn: boolean = isOwn && given === undefined;
      isOwn = index < known.chain.length ? known.isOwn : (other?.isOwn ?? isWithinOwn);
    }
    return { path, guessed, isOwn };
  }

  /** An id that was shown under another path, found by the name of its collection or parameter. */
  #findElsewhere(prefix: PathPrefix): { readonly id: string; readonly isOwn: boolean } | undefined {
    const { collection, name, key } = prefix;
    // `/groups/{groupId}/members/{userId}` needs a user.
    const named = this.#contract.resources.find(
      ({ parents, idParameter, itemPath = '', collectionPath }) =>
        idParameter?.name === name &&
        parents.length === 0 &&
        blankNames(itemPath) !== key &&
        singularNames(collectionPath).some((word) => plainName(name).startsWith(word)),
    );
    const own = named && this.own(named, 'parent');
    if (own !== undefined) return { id: own, isOwn: true };
    const words = [collection, ...singularNames(collection), `{${plainName(name)}}`];
    const shown = words.flatMap((word) =>
      (this.#shown.get(word) ?? []).flatMap(({ item, isOwn }) => {
        const id = identifierOf(item, prefix);
        return id === undefined ? [] : [{ id, isOwn }];
      }),
    );
    return shown.findLast(({ isOwn }) => isOwn) ?? shown[0];
  }

  #givenTo({ name, collection }: PathPrefix): string | undefined {
    return this.#ids.get(plainName(name)) ?? this.#ids.get(collection);
  }

  /** Whether the user provided the last parameter of an operation's path. */
  isGiven(operation: Operation): boolean {
    const last = pathPrefixes(operation).at(-1);
    return last !== undefined && operation.method !== 'DELETE' && this.#givenTo(last) !== undefined;
  }
}

/** Whether a parameter name identifies the resource on its own: `petId`, but not `id`. */
function isTelling(name: string, collection: string): boolean {
  return collection !== '' && !/^(id|uuid|guid|key|slug|code|name|number)$/i.test(name);
}

const routesOf = once(({ operations }: Contract) =>
  Map.groupBy(operations, ({ method, path }) => `${method} ${blankNames(path)}`),
);

/** Whether an operation reads an item that only a PUT can add, such as the member of a group. */
export function isMadeByPut({ method, path }: Operation, contract: Contract): boolean {
  const [routes, at] = [routesOf(contract), blankNames(path)];
  const isItem = method === 'GET' && at.endsWith('/{}');
  return isItem && routes.has(`PUT ${at}`) && !routes.has(`POST ${at.slice(0, -'/{}'.length)}`);
}

/** The other operations that the same requests match, except for what is in the path. */
function rivalsOf(contract: Contract, operation: Operation): readonly Operation[] {
  const route = routesOf(contract).get(`${operation.method} ${blankNames(operation.path)}`) ?? [];
  const constants = renderJson(listConstants(operation));
  return route.filter((one) => one !== operation && renderJson(listConstants(one)) === constants);
}

/** The texts of a parameter that the document shows, its default first. */
function shownTexts({ schema, examples }: Parameter): readonly string[] {
  const { default: usual, examples: own } = schema.shape();
  const values = [usual, ...own, ...examples.map(({ value }) => value)];
  return values.flatMap((value = null) => (typeof value === 'object' ? [] : [renderPlain(value)]));
}

function foundIn({ listed }: KnownCollection): ReadonlyMap<string, JsonObject> {
  const all = [...listed];
  const first = all.findIndex(([, item]) => isLeftover(item));
  const last = all.findLastIndex(([, item]) => isLeftover(item));
  const others = first > 0 ? all.slice(0, first) : all.slice(last + 1);
  return first === -1 || others.length === 0 ? listed : new Map(others);
}

function ownOf({ added, claims }: KnownCollection, purpose: Purpose): string | undefined {
  const taken = claims.get(purpose);
  if (taken !== undefined) return taken;
  const { beside = [], alone = [] } = Object.groupBy(added, ([, { exchange }]) =>
    exchange.group === undefined ? 'alone' : 'beside',
  );
  // The fullest one is left as it is, so that lists show it.
  const sizes = beside.map(([, { item }]) => renderJson(item).length);
  if (beside.length > 0) beside.splice(sizes.lastIndexOf(Math.max(...sizes)), 1);
  const isKept = purpose === 'stay' || purpose === 'parent';
  const others = [...claims.values()];
  const wanted = isKept ? [...alone, ...beside] : [...beside, ...alone];
  const found = wanted.find(([id]) => !others.includes(id))?.[0];
  if (found !== undefined) claims.set(purpose, found);
  return found;
}

/** In the order of the path. */
function pathParameters({ parameters, path }: Operation): readonly Parameter[] {
  return parameters
    .filter((one) => one.in === 'path')
    .toSorted((a, b) => path.indexOf(`{${a.name}}`) - path.indexOf(`{${b.name}}`));
}

/**
 * Whether a request to an operation may as well be meant for another one with the same path, because
 * that accepts the values in the path too, is as wide, and the document shows none of them for this
 * one alone.
 */
export function isAmbiguous(
  contract: Contract,
  operation: Operation,
  path: Readonly<Record<string, string>>,
): boolean {
  const texts = Object.values(path);
  const shows = (one: Operation): boolean =>
    pathParameters(one).some((parameter, index) =>
      shownTexts(parameter).includes(texts[index] ?? ''),
    );
  const accepts = (one: Operation): boolean =>
    pathParameters(one).every(({ schema }, index) => {
      const text = texts[index] ?? '';
      return [text, Number(text)].some((value) => schema.isValid(value));
    });
  return rivalsOf(contract, operation).some(
    (rival) =>
      accepts(rival) && !isNarrower(operation, rival) && (!shows(operation) || shows(rival)),
  );
}

/** Whether an operation refuses words in its path, as for a UUID, where another accepts them. */
function isNarrower(one: Operation, other: Operation): boolean {
  const [own, others] = [one, other].map((operation) =>
    pathParameters(operation).map(({ schema }) => schema.isValid('word')),
  );
  return own?.some((takesWords, index) => !takesWords && others?.[index] === true) === true;
}

/** An object in a body, with the word for its container. */
interface BodyItem {
  readonly word: string;
  readonly item: JsonValue;
  /** It is an element of an array. */
  readonly isElement: boolean;
}

/** Members of envelopes that contain the items of a list, or the single item. */
const envelopes = /^(data|items?|results?|content|value|values|records|list|_?embedded)$/i;

/** Those beside an id, which may be that of the response; the others are then parts of an item. */
const envelopesWithId = /^(data|result|_?embedded)$/i;

/** The objects of a body and the items of its arrays, two levels down. */
function* itemsIn(json: JsonValue | undefined, word: string, depth = 0): Generator<BodyItem> {
  if (isJsonArray(json)) {
    for (const item of json.slice(0, most)) yield { word, item, isElement: true };
    return;
  }
  if (!isJsonObject(json)) return;
  yield { word, item: json, isElement: false };
  if (depth >= 2) return;
  const hasId = Object.keys(json).some((name) => /^(?:id|uuid|guid)$/i.test(name));
  const wrappers = hasId ? envelopesWithId : envelopes;
  for (const [name, member] of Object.entries(json))
    if (isJsonArray(member) || isJsonObject(member))
      yield* itemsIn(member, wrappers.test(name) ? word : plainName(name), depth + 1);
}

/**
 * The path value that identifies an item: the member with the name of the path parameter, without
 * the resource's own name (`petId`: `id`), or a usual one, if the parameter accepts its value.
 */
function identifierOf(item: JsonValue, prefix: PathPrefix): string | undefined {
  if (!isJsonObject(item)) return asIdentifier(item, prefix);
  const members = new Map(
    Object.entries(item).map(([name, value]) => [plainName(name), value ?? null]),
  );
  for (const name of wantedNames(prefix)) {
    const value = members.get(name);
    const found = value === undefined ? undefined : asIdentifier(value, prefix);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Names that the parameter ends with, such as `slug` of `teamSlug`, go before those of any id. */
const wantedNames = once(({ name, collection }: PathPrefix): Iterable<string> => {
  const { inPath, all } = idNamesFor(collection, name);
  const ends = all.filter((each) => plainName(name).endsWith(each));
  return new Set([...inPath, ...ends, ...all]);
});

/** A scalar as a path segment, if the parameter accepts it. */
function asIdentifier(value: JsonValue, { parameter, key }: PathPrefix): string | undefined {
  if (value === null || typeof value === 'object' || typeof value === 'boolean') return undefined;
  const whole = renderPlain(value);
  // `publishers/12` identifies an item of `/v1/publishers/{publisher}` by its path.
  const steps = whole.split('/').filter((step) => step !== '');
  const template = key.split('/').slice(-steps.length);
  const isPath =
    steps.length > 1 && template.every((step, at) => step === '{}' || step === steps[at]);
  const text = isPath ? (steps.at(-1) ?? '') : whole;
  if (!isCarriedByPaths(text)) return undefined;
  return parameter === undefined || takesText(parameter.schema, text) ? text : undefined;
}

/** Few servers accept ids in a path that are long or have unusual characters. */
function isCarriedByPaths(text: string): boolean {
  return !/^(\.\.?)?$|^\s|\s$|[%\p{Cc}\p{Cs}]/u.test(text) && text.length <= 200;
}

/** Whether a path segment is valid for a schema, also as a number if it looks like one. */
function takesText(schema: SchemaNode, text: string): boolean {
  if (schema.isValid(text)) return true;
  return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) && schema.isValid(parseJson(text));
}

/** The resources that members of items, also nested ones, refer to by their names. */
const targetsOf = once((contract: Contract) =>
  once(
    (resource: Resource): ReadonlyMap<string, Resource> =>
      new Map(
        [...namesWithin(resource.item)].flatMap((name) => {
          const target = referredResource(contract, name, resource);
          return target === undefined ? [] : [[name, target] as const];
        }),
      ),
  ),
);

/** Deepest nesting in which references are known, and most objects and lists that are searched. */
const deepest = 3;
const mostSearched = 1000;

/** Names of the members of an object, and of those in its lists and objects. */
function namesWithin(item: SchemaNode): ReadonlySet<string> {
  const names = new Set<string>();
  const found = new Set([item]);
  let level = [item];
  for (let depth = 0; depth <= deepest; depth += 1) {
    const inner: SchemaNode[] = [];
    for (const node of level) {
      const { properties, items } = node.shape();
      for (const name of properties.keys()) names.add(name);
      for (const each of [...properties.values(), ...(items ? [items] : [])]) {
        if (found.has(each) || found.size >= mostSearched || !hasParts(each)) continue;
        found.add(each);
        inner.push(each);
      }
    }
    level = inner;
  }
  return names;
}

function hasParts(node: SchemaNode): boolean {
  const { properties, items } = node.shape();
  return properties.size > 0 || items !== undefined;
}
