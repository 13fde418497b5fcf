import { isJsonArray, isJsonObject, type JsonValue } from '../../contract/json/value.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { once } from '../memo/once.ts';
import { readTrace } from '../family/read-trace.ts';
import { isWithin, pathValuesOf, renderPlain, type Reading } from '../judge/trace/trace.ts';
import { headerOf, type Exchange } from '../transport/exchange.ts';
import { dropCuts, isCut } from '../transport/cut.ts';
import { validParameterValue } from '../transport/request-parts.ts';
import { identifierOf, takesText } from './identifier.ts';
import {
  blankNames,
  lastWord,
  pathPrefixes,
  plainName,
  singularsOf,
  type PathPrefix,
} from '../transport/path-template.ts';

/** Values for the parameters of a path, and which of them are guesses. */
export interface PathChoice {
  readonly path: Readonly<Record<string, string>>;
  /** Names of parameters whose value is an example of the document, or made up. */
  readonly guessed: readonly string[];
  /** What the path names was added by this run. */
  readonly isOwn: boolean;
}

/** What a run has learnt about the paths of a target: which items there are, under which parents. */
export interface KnownPaths {
  readonly note: (exchange: Exchange) => void;
  /** Values for an operation's path: of items that the run added, else of others that are there. */
  readonly choose: (operation: Operation) => PathChoice;
  /** Whether the user gave the value of the last parameter of an operation's path is. */
  readonly isGiven: (operation: Operation) => boolean;
}

/** Something that a response showed, with the path values of what it is in. */
interface Shown {
  readonly parents: readonly string[];
  readonly item: JsonValue;
  readonly isOwn: boolean;
}

/** Most items of one collection that are kept. */
const most = 50;

/** Knows nothing at first but `given`: identifiers by the name of a parameter or of a collection. */
export function createKnownPaths(
  contract: Contract,
  given: ReadonlyMap<string, string>,
): KnownPaths {
  const byName = new Map([...given].map(([name, value]) => [plainName(name), value]));
  const byKey = new Map<string, Shown[]>();
  const byWord = new Map<string, Shown[]>();
  const values = new Map<string, string>();
  const removed = new Set<string>();
  const add = (map: Map<string, Shown[]>, name: string, shown: Shown): void => {
    const all = map.get(name) ?? [];
    if (all.length < most || shown.isOwn) all.push(shown);
    map.set(name, all);
  };

  const note = (exchange: Exchange): void => {
    const [reading] = readTrace(contract, [exchange]).readings;
    if (reading?.succeeded !== true || exchange.intent.kind !== 'valid') return;
    const { operation } = reading;
    const found = Object.values(pathValuesOf(operation, exchange.request.target));
    const key = blankNames(operation.path);
    if (operation.method === 'DELETE') {
      removed.add([key, ...found].join(' '));
      return;
    }
    noteOwnPath(reading, found);
    const isOwn = operation.method === 'POST' || operation.method === 'PUT';
    const parents = found;
    const own = lastWord(operation.path);
    const isSingle = isOwn || operation.path.endsWith('}');
    for (const { word, item, isElement } of itemsIn(dropCuts(reading.json), own)) {
      if (!isElement && !isSingle) continue;
      const isOfPath = word === own || singularsOf(own).includes(word);
      if (isElement ? !isOwn || isOfPath : isOwn && isOfPath)
        add(byKey, `${key}/{}`, { parents, item, isOwn });
      for (const name of new Set([word, ...singularsOf(word)]))
        add(byWord, name, { parents, item, isOwn: isOwn && isOfPath });
    }
    if (isOwn) noteLocation(reading);
  };

  /** The path of a served request names something that is there. */
  const noteOwnPath = ({ operation, exchange }: Reading, found: readonly string[]): void => {
    for (const [index, { key, name, collection }] of pathPrefixes(operation).entries()) {
      const item = found[index];
      if (item === undefined) continue;
      const isKnown = (byKey.get(key) ?? []).some(
        (each) => each.item === item && each.parents.join() === found.slice(0, index).join(),
      );
      if (!isKnown && exchange.request.credential === 'valid')
        add(byKey, key, { parents: found.slice(0, index), item, isOwn: false });
      if (isTelling(name, collection)) values.set(plainName(name), item);
    }
  };

  const noteLocation = ({ response, exchange }: Reading): void => {
    const location = headerOf(response, 'location');
    const path =
      location && URL.parse(location, `http://target${exchange.request.target}`)?.pathname;
    if (path === undefined || path === '' || isCut(location ?? '')) return;
    for (const operation of itemOperations(contract)) {
      const target = [path, path.slice(contract.basePath.length)].find((each) =>
        isWithin(operation, { ...exchange.request, method: operation.method, target: each }),
      );
      const prefix = pathPrefixes(operation).at(-1);
      if (target === undefined || prefix === undefined) continue;
      const found = Object.values(pathValuesOf(operation, target));
      const item = found.at(-1);
      if (item !== undefined)
        add(byKey, prefix.key, { parents: found.slice(0, -1), item, isOwn: true });
    }
  };

  /** Path values up to a prefix, of one thing that is there; own ones first. */
  const findChain = (
    prefixes: readonly PathPrefix[],
    length: number,
  ): { readonly chain: readonly string[]; readonly isOwn: boolean } | undefined => {
    const last = prefixes[length - 1];
    if (last === undefined) return undefined;
    const all = byKey.get(last.key) ?? [];
    const chains = all
      .filter(({ parents }) => parents.length === length - 1)
      .flatMap(({ parents, item, isOwn }) => {
        const id = identifierOf(item, last);
        return id === undefined ? [] : [{ chain: [...parents, id], isOwn }];
      })
      .filter(({ chain }) => !isRemoved(prefixes, chain));
    return chains.findLast(({ isOwn }) => isOwn) ?? chains[0];
  };

  const isRemoved = (prefixes: readonly PathPrefix[], chain: readonly string[]): boolean =>
    chain.some((_value, index) =>
      removed.has([prefixes[index]?.key ?? '', ...chain.slice(0, index + 1)].join(' ')),
    );

  const choose = (operation: Operation): PathChoice => {
    const prefixes = pathPrefixes(operation);
    const path: Record<string, string> = {};
    const guessed: string[] = [];
    let isOwn = false;
    let known = 0;
    for (let length = prefixes.length; length > 0 && known === 0; length -= 1) {
      const found = findChain(prefixes, length);
      if (found === undefined) continue;
      known = length;
      isOwn = found.isOwn && length === prefixes.length;
      for (const [index, value] of found.chain.entries()) path[prefixes[index]?.name ?? ''] = value;
    }
    for (const [index, prefix] of prefixes.entries()) {
      const { name, parameter } = prefix;
      const wanted = givenTo(prefix);
      if (wanted !== undefined) path[name] = wanted;
      if (wanted !== undefined || index < known) continue;
      const other = findElsewhere(prefix);
      const example = parameter && validParameterValue(parameter);
      path[name] = other?.id ?? renderPlain(example ?? 1);
      if (other === undefined && !isClosed(prefix)) guessed.push(name);
      if (index === prefixes.length - 1) isOwn = other?.isOwn ?? false;
    }
    return { path, guessed, isOwn };
  };

  /** An identifier that was shown under another path, by the name of its collection or its own. */
  const findElsewhere = (
    prefix: PathPrefix,
  ): { readonly id: string; readonly isOwn: boolean } | undefined => {
    const words = [prefix.collection, ...singularsOf(prefix.collection)];
    const items = words.flatMap((word) => byWord.get(word) ?? []);
    const shown = items.flatMap(({ item, isOwn }) => {
      const id = identifierOf(item, prefix);
      return id === undefined ? [] : [{ id, isOwn }];
    });
    const found = shown.findLast(({ isOwn }) => isOwn) ?? shown[0];
    const id = values.get(plainName(prefix.name));
    const fits = id !== undefined && (!prefix.parameter || takesText(prefix.parameter.schema, id));
    return found ?? (fits ? { id, isOwn: false } : undefined);
  };
  const givenTo = ({ name, collection }: PathPrefix): string | undefined =>
    byName.get(plainName(name)) ?? byName.get(collection);
  const isGiven = (operation: Operation): boolean => {
    const last = pathPrefixes(operation).at(-1);
    return last !== undefined && operation.method !== 'DELETE' && givenTo(last) !== undefined;
  };
  return { note, choose, isGiven };
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
