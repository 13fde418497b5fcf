import type { Contract } from '../../contract/contract.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { isOfResource, type Resource } from '../../contract/resource/resource.ts';
import { readTrace } from '../family/read-trace.ts';
import { isLeftover } from '../generate/tag.ts';
import { addedByPut } from '../judge/trace/collection.ts';
import { readItem } from '../judge/trace/item.ts';
import {
  isWithin,
  itemOf,
  itemsOf,
  parentOf,
  pathIdOf,
  pathValuesOf,
  type Reading,
  renderPlain,
  scopeIn,
  scopeOf,
} from '../judge/trace/trace.ts';
import { once } from '../memo/once.ts';
import { dropCuts, isCut } from '../transport/cut.ts';
import { type Exchange, headerOf } from '../transport/exchange.ts';
import {
  blankNames,
  lastWord,
  pathPrefixes,
  plainName,
  singularsOf,
  type PathPrefix,
} from '../transport/path-template.ts';
import { validParameterValue } from '../transport/request-parts.ts';
import type { Within } from '../transport/session.ts';
import { identifierOf, isCarriedByPaths, takesText } from './identifier.ts';

/** What an item of the run's own is for: to be changed, removed, to stay as it is, or to hold others. */
export type Purpose = 'replace' | 'update' | 'race' | 'remove' | 'stay' | 'parent';

/** Values for the parameters of a path, and which of them are guesses. */
export interface PathChoice extends Within {
  /** What the path names was added by this run. */
  readonly isOwn: boolean;
}

/** The items of one collection of a resource, by identifier. */
interface KnownCollection {
  readonly listed: Map<string, JsonObject>;
  readonly added: Map<string, { item: JsonObject; exchange: Exchange }>;
  readonly claims: Map<Purpose, string>;
}

/** Something that a response showed at any path, with the path values of what it is in. */
interface Shown {
  readonly parents: readonly string[];
  readonly item: JsonValue;
  readonly isOwn: boolean;
}

/** Most items of one collection that are kept as shown. */
const most = 50;

/**
 * What a run has learnt about the target's items, by which probes choose their requests: those of
 * resources by their identifiers, and at all paths what a path parameter may name.
 */
export class KnownItems {
  readonly #contract: Contract;
  readonly #references: ReadonlyMap<string, JsonValue>;
  readonly #ids: ReadonlyMap<string, string>;
  readonly #collections = new Map<string, KnownCollection>();
  /** By the path of the collection, without names: `/users/{}/pets/{}`. */
  readonly #byKey = new Map<string, Shown[]>();
  /** By the word for what holds it: `pets`, `pet`. */
  readonly #byWord = new Map<string, Shown[]>();
  /** Values of path parameters that name something in any path: `petid`. */
  readonly #values = new Map<string, string>();
  /** Keys with the path values of what was removed. */
  readonly #removed = new Set<string>();
  /** Members for which the target took only records that exist. */
  readonly restricted = new Set<string>();

  /**
   * Knows nothing at first but what the user vouches for: `references`, by member, and `ids` of items,
   * by the name of a path parameter or of a collection.
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
    for (const resource of this.#contract.resources)
      if (isOfResource(reading.operation, [resource])) this.#noteItems(reading, resource);
    if (reading.succeeded && exchange.intent.kind === 'valid') this.#noteShown(reading);
  }

  #collectionIn(resource: Resource, scope: string): KnownCollection {
    const key = `${resource.collectionPath} ${scope}`;
    const known = this.#collections.get(key) ?? {
      listed: new Map(),
      added: new Map(),
      claims: new Map(),
    };
    this.#collections.set(key, known);
    return known;
  }

  #current(resource: Resource): KnownCollection {
    return this.#collectionIn(resource, scopeIn(resource, this.within(resource).path));
  }

  /**
   * What the run's requests to a collection are within: an item of its own, else one that is there, else
   * a guess. All that follows is known of the items in it.
   */
  within(resource: Resource): Within {
    const { parents, list } = resource;
    if (parents.length === 0) return { path: {}, guessed: [] };
    const parent = parentOf(this.#contract, resource);
    if (parent === undefined || this.isGiven(list)) return this.choose(list);
    const id = this.own(parent, 'parent') ?? [...this.found(parent).keys()][0];
    if (id === undefined) return this.choose(list);
    const outer = this.within(parent);
    const names = new Map(parent.parents.map((name, at) => [name, parents[at] ?? '']));
    const path = Object.entries(outer.path).map(([name, value]) => [names.get(name) ?? '', value]);
    return {
      path: { ...Object.fromEntries(path), [parents.at(-1) ?? '']: id },
      guessed: outer.guessed.map((name) => names.get(name) ?? ''),
    };
  }

  /** Items that lists showed, by identifier. */
  listed(resource: Resource): ReadonlyMap<string, JsonObject> {
    return this.#current(resource).listed;
  }

  /** Of those the ones that no run added, as far as can be seen; all of them where there are none. */
  found(resource: Resource): ReadonlyMap<string, JsonObject> {
    return withoutLeftovers(this.listed(resource));
  }

  /** Items that this run added by valid requests, by identifier, with the exchange. */
  added(resource: Resource): KnownCollection['added'] {
    return this.#current(resource).added;
  }

  /**
   * An item that this run added, for one purpose alone: the same until it is removed. Of those added
   * beside others one is left as it was. Undefined where none is free.
   */
  own(resource: Resource, purpose: Purpose): string | undefined {
    const { added, claims } = this.#current(resource);
    const taken = claims.get(purpose);
    if (taken !== undefined) return taken;
    const all = [...added];
    const beside = all.filter(([, { exchange }]) => exchange.group !== undefined).slice(0, -1);
    const alone = all.filter(([, { exchange }]) => exchange.group === undefined);
    const others = [...claims.values()];
    const isKept = purpose === 'stay' || purpose === 'parent';
    const wanted = isKept ? [...alone, ...beside] : [...beside, ...alone];
    const found = wanted.find(([id]) => !others.includes(id))?.[0];
    if (found !== undefined) claims.set(purpose, found);
    return found;
  }

  #noteItems(reading: Reading, resource: Resource): void {
    const {
      exchange,
      operation: { id },
    } = reading;
    const { listed, added, claims } = this.#collectionIn(resource, scopeOf(resource, reading));
    for (const value of id === resource.list.id ? (itemsOf(reading) ?? []) : []) {
      const item = readItem(value, resource);
      if (item !== undefined) listed.set(item.id, item.members);
    }
    if (id === resource.remove?.id && reading.response.status < 300) {
      const gone = pathIdOf(reading, resource) ?? '';
      for (const known of [listed, added]) known.delete(gone);
      for (const [claim, claimed] of claims) if (claimed === gone) claims.delete(claim);
    }
    const isPosted = id === resource.create?.id && exchange.intent.kind === 'valid';
    const shown = readItem(itemOf(reading), resource);
    const own = isPosted ? shown?.id : addedByPut(reading, resource);
    if (own !== undefined && isCarriedByPaths(own))
      added.set(own, { item: shown?.members ?? {}, exchange });
  }

  /** Values that listed or added items have in a member: records that exist. */
  references(resource: Resource): ReadonlyMap<string, JsonValue> {
    const [listed] = this.found(resource).values();
    const [added] = this.added(resource).values();
    const seen = Object.entries(listed ?? added?.item ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    return new Map([...seen, ...this.#references]);
  }

  /** Whether any list or addition showed which records exist. */
  knowsReferences(resource: Resource): boolean {
    return this.#references.size > 0 || this.references(resource).size > 0;
  }

  #noteShown(reading: Reading): void {
    const { operation, exchange } = reading;
    const found = Object.values(pathValuesOf(operation, exchange.request.target));
    const key = blankNames(operation.path);
    if (operation.method === 'DELETE') {
      this.#removed.add([key, ...found].join(' '));
      return;
    }
    this.#noteOwnPath(reading, found);
    const isOwn = operation.method === 'POST' || operation.method === 'PUT';
    const own = lastWord(operation.path);
    const isSingle = isOwn || operation.path.endsWith('}');
    for (const { word, item, isElement } of itemsIn(dropCuts(reading.json), own)) {
      if (!isElement && !isSingle) continue;
      const isOfPath = word === own || singularsOf(own).includes(word);
      if (isElement ? !isOwn || isOfPath : isOwn && isOfPath)
        this.#add(this.#byKey, `${key}/{}`, { parents: found, item, isOwn });
      for (const name of new Set([word, ...singularsOf(word)]))
        this.#add(this.#byWord, name, { parents: found, item, isOwn: isOwn && isOfPath });
    }
    if (isOwn) this.#noteLocation(reading);
  }

  #add(map: Map<string, Shown[]>, name: string, shown: Shown): void {
    const all = map.get(name) ?? [];
    if (all.length < most || shown.isOwn) all.push(shown);
    map.set(name, all);
  }

  /** The path of a served request names something that is there. */
  #noteOwnPath({ operation, exchange }: Reading, found: readonly string[]): void {
    for (const [index, { key, name, collection }] of pathPrefixes(operation).entries()) {
      const item = found[index];
      // A server may show an empty list within what is not there.
      const isGuess = exchange.intent.kind === 'valid' && exchange.intent.guessed?.includes(name);
      if (item === undefined || (isGuess && !operation.path.endsWith(`{${name}}`))) continue;
      const isKnown = (this.#byKey.get(key) ?? []).some(
        (each) => each.item === item && each.parents.join() === found.slice(0, index).join(),
      );
      if (!isKnown && exchange.request.credential === 'valid')
        this.#add(this.#byKey, key, { parents: found.slice(0, index), item, isOwn: false });
      if (isTelling(name, collection)) this.#values.set(plainName(name), item);
    }
  }

  #noteLocation({ response, exchange }: Reading): void {
    const location = headerOf(response, 'location');
    const path =
      location && URL.parse(location, `http://target${exchange.request.target}`)?.pathname;
    if (path === undefined || path === '' || isCut(location ?? '')) return;
    for (const operation of itemOperations(this.#contract)) {
      const target = [path, path.slice(this.#contract.basePath.length)].find((each) =>
        isWithin(operation, { ...exchange.request, method: operation.method, target: each }),
      );
      const prefix = pathPrefixes(operation).at(-1);
      if (target === undefined || prefix === undefined) continue;
      const found = Object.values(pathValuesOf(operation, target));
      const item = found.at(-1);
      if (item !== undefined)
        this.#add(this.#byKey, prefix.key, { parents: found.slice(0, -1), item, isOwn: true });
    }
  }

  /** Path values up to a prefix, of one thing that is there; own ones first. */
  #findChain(
    prefixes: readonly PathPrefix[],
  ): { readonly chain: readonly string[]; readonly isOwn: boolean } | undefined {
    const last = prefixes.at(-1);
    if (last === undefined) return undefined;
    const all = this.#byKey.get(last.key) ?? [];
    const chains = all
      .filter(({ parents }) => parents.length === prefixes.length - 1)
      .flatMap(({ parents, item, isOwn }) => {
        const id = identifierOf(item, last);
        return id === undefined ? [] : [{ chain: [...parents, id], isOwn }];
      })
      .filter(({ chain }) => !this.#isRemoved(prefixes, chain));
    return chains.findLast(({ isOwn }) => isOwn) ?? chains[0];
  }

  #isRemoved(prefixes: readonly PathPrefix[], chain: readonly string[]): boolean {
    return chain.some((_value, index) =>
      this.#removed.has([prefixes[index]?.key ?? '', ...chain.slice(0, index + 1)].join(' ')),
    );
  }

  /** Values for an operation's path: of items that the run added, else of others that are there. */
  choose(operation: Operation): PathChoice {
    const prefixes = pathPrefixes(operation);
    const path: Record<string, string> = {};
    const guessed: string[] = [];
    let isOwn = false;
    let known = 0;
    for (let length = prefixes.length; length > 0 && known === 0; length -= 1) {
      const found = this.#findChain(prefixes.slice(0, length));
      if (found === undefined) continue;
      known = length;
      isOwn = found.isOwn && length === prefixes.length;
      for (const [index, value] of found.chain.entries()) path[prefixes[index]?.name ?? ''] = value;
    }
    for (const [index, prefix] of prefixes.entries()) {
      const { name, parameter } = prefix;
      const wanted = this.#givenTo(prefix);
      if (wanted !== undefined) path[name] = wanted;
      if (wanted !== undefined || index < known) continue;
      const other = this.#findElsewhere(prefix);
      const example = parameter && validParameterValue(parameter);
      path[name] = other?.id ?? renderPlain(example ?? 1);
      if (other === undefined && !isClosed(prefix)) guessed.push(name);
      if (index === prefixes.length - 1) isOwn = other?.isOwn ?? false;
    }
    return { path, guessed, isOwn };
  }

  /** An identifier that was shown under another path, by the name of its collection or its own. */
  #findElsewhere(prefix: PathPrefix): { readonly id: string; readonly isOwn: boolean } | undefined {
    const words = [prefix.collection, ...singularsOf(prefix.collection)];
    const items = words.flatMap((word) => this.#byWord.get(word) ?? []);
    const shown = items.flatMap(({ item, isOwn }) => {
      const id = identifierOf(item, prefix);
      return id === undefined ? [] : [{ id, isOwn }];
    });
    const found = shown.findLast(({ isOwn }) => isOwn) ?? shown[0];
    const id = this.#values.get(plainName(prefix.name));
    const fits = id !== undefined && (!prefix.parameter || takesText(prefix.parameter.schema, id));
    return found ?? (fits ? { id, isOwn: false } : undefined);
  }

  #givenTo({ name, collection }: PathPrefix): string | undefined {
    return this.#ids.get(plainName(name)) ?? this.#ids.get(collection);
  }

  /** Whether the user gave the value of the last parameter of an operation's path. */
  isGiven(operation: Operation): boolean {
    const last = pathPrefixes(operation).at(-1);
    return last !== undefined && operation.method !== 'DELETE' && this.#givenTo(last) !== undefined;
  }
}

/**
 * The items without those of earlier runs, as far as their texts have a tag. Items without one that
 * are listed on the far side of a tagged one may be of earlier runs as well.
 */
function withoutLeftovers(
  listed: ReadonlyMap<string, JsonObject>,
): ReadonlyMap<string, JsonObject> {
  const all = [...listed];
  const first = all.findIndex(([, item]) => isLeftover(item));
  if (first === -1) return listed;
  const others =
    first > 0
      ? all.slice(0, first)
      : all.slice(all.findLastIndex(([, item]) => isLeftover(item)) + 1);
  return others.length === 0 ? listed : new Map(others);
}

/** Every value is listed by the document: nothing is guessed of it. */
function isClosed({ parameter }: PathPrefix): boolean {
  return parameter?.schema.shape().values !== undefined;
}

/** A name that says what it names in any path: `petId`, and not `id`. */
function isTelling(name: string, collection: string): boolean {
  return collection !== '' && !/^(id|uuid|guid|key|slug|code|name|number)$/i.test(name);
}

/** An operation of each path that ends with a parameter. */
const itemOperations = once(({ operations }: Contract): readonly Operation[] => {
  const items = operations.filter(({ path }) => path.endsWith('}'));
  return [...new Map(items.map((operation) => [operation.path, operation])).values()];
});

/** Something in a body, with the word for what holds it. */
interface BodyItem {
  readonly word: string;
  readonly item: JsonValue;
  /** It is an element of an array. */
  readonly isElement: boolean;
}

/** Members that hold the items of a list, or the one that is answered. */
const envelopes = /^(data|items?|results?|content|value|values|records|list|_?embedded)$/i;

/** The objects of a body and the items of its arrays, two levels down. */
function* itemsIn(json: JsonValue | undefined, word: string, depth = 0): Generator<BodyItem> {
  if (isJsonArray(json)) {
    for (const item of json.slice(0, most)) yield { word, item, isElement: true };
    return;
  }
  if (!isJsonObject(json)) return;
  yield { word, item: json, isElement: false };
  if (depth >= 2) return;
  for (const [name, member] of Object.entries(json))
    if (isJsonArray(member) || isJsonObject(member))
      yield* itemsIn(member, envelopes.test(name) ? word : plainName(name), depth + 1);
}
