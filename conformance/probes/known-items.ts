import type { Contract } from '../../contract/contract.ts';
import type { JsonObject, JsonValue } from '../../contract/json/value.ts';
import { isOfResource, type Resource } from '../../contract/resource/resource.ts';
import type { Exchange } from '../transport/exchange.ts';
import { isCarriedByPaths } from '../paths/identifier.ts';
import type { Within } from '../transport/session.ts';
import type { KnownPaths } from '../paths/known-paths.ts';
import { isLeftover } from '../generate/tag.ts';
import { addedByPut } from '../judge/trace/collection.ts';
import { readItem } from '../judge/trace/item.ts';
import { readTrace } from '../family/read-trace.ts';
import { itemOf, itemsOf, parentOf, pathIdOf, scopeIn, scopeOf } from '../judge/trace/trace.ts';

/** What an item of the run's own is for: to be changed, removed, to stay as it is, or to hold others. */
export type Purpose = 'replace' | 'update' | 'race' | 'remove' | 'stay' | 'parent';

interface KnownCollection {
  readonly listed: Map<string, JsonObject>;
  readonly added: Map<string, { item: JsonObject; exchange: Exchange }>;
  readonly claims: Map<Purpose, string>;
}

/** What a run has learnt about the target's items; probes choose their requests by it. */
export class KnownItems {
  readonly #contract: Contract;
  readonly #given: ReadonlyMap<string, JsonValue>;
  readonly #paths: KnownPaths;
  readonly #collections = new Map<string, KnownCollection>();
  /** Members for which the target took only records that exist. */
  readonly restricted = new Set<string>();

  /** Knows nothing at first but `given`: references that the user vouches for, by member. */
  constructor(contract: Contract, given: ReadonlyMap<string, JsonValue>, paths: KnownPaths) {
    this.#contract = contract;
    this.#given = given;
    this.#paths = paths;
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
    if (parent === undefined || this.#paths.isGiven(list)) return this.#paths.choose(list);
    const id = this.own(parent, 'parent') ?? [...this.found(parent).keys()][0];
    if (id === undefined) return this.#paths.choose(list);
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

  note(exchange: Exchange): void {
    const [reading] = readTrace(this.#contract, [exchange]).readings;
    if (reading === undefined) return;
    for (const resource of this.#contract.resources) {
      const { id } = reading.operation;
      if (!isOfResource(reading.operation, [resource])) continue;
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
  }

  /** Values that listed or added items have in a member: records that exist. */
  references(resource: Resource): ReadonlyMap<string, JsonValue> {
    const [listed] = this.found(resource).values();
    const [added] = this.added(resource).values();
    const seen = Object.entries(listed ?? added?.item ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    return new Map([...seen, ...this.#given]);
  }

  /** Whether any list or addition showed which records exist. */
  knowsReferences(resource: Resource): boolean {
    return this.#given.size > 0 || this.references(resource).size > 0;
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
