import { entryBytes, placeBytes, textBytes, valueBytes } from './weight.ts';
import type { Entity } from './entity.ts';

/** What a partition is made of. */
export interface PartitionParts {
  /** By key, in their order. */
  readonly entities: ReadonlyMap<string, Entity>;
  readonly aliases: ReadonlyMap<string, string>;
  readonly removed: ReadonlySet<string>;
  readonly isOrphaned: boolean;
  readonly isDisclosed: boolean;
  readonly made: number;
  readonly version: number;
}

/** The entities of one collection within its parents: `/stores/7/pets`. */
export class Partition {
  readonly #entities = new Map<string, Entity>();
  /** Other names of entities, such as a slug: name to key. */
  readonly #aliases = new Map<string, string>();
  readonly #removed = new Set<string>();
  /** What was here went with an item that it was within. */
  #isOrphaned = false;
  #isDisclosed = false;
  /** How often an id was made here. */
  #made = 0;
  #version = 0;
  #bytes = entryBytes;

  /** What it costs in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Grows with every change. */
  get version(): number {
    return this.#version;
  }

  /** A client was shown ids of this place, by a list or a creation. */
  get isDisclosed(): boolean {
    return this.#isDisclosed;
  }

  disclose(): void {
    this.#isDisclosed = true;
  }

  /** In the order in which they came. */
  get entities(): readonly Entity[] {
    return [...this.#entities.values()];
  }

  /** The entity that a text in a path names. */
  find(name: string): Entity | undefined {
    const own = this.#entities.get(name);
    if (own !== undefined || this.#removed.has(name)) return own;
    return this.#entities.get(this.#aliases.get(name) ?? '');
  }

  has(key: string): boolean {
    return this.#entities.has(key);
  }

  /** True where an entity of that name was removed, by itself or with what it was within. */
  isRemoved(name: string): boolean {
    return (this.#removed.has(name) || this.#isOrphaned) && !this.#entities.has(name);
  }

  /** True for a name whose entity went with what it was within, and was not removed since. */
  isOrphan(name: string): boolean {
    return this.#isOrphaned && !this.#removed.has(name) && !this.#entities.has(name);
  }

  /** Stores an entity, in place of one with its key. */
  put(entity: Entity, aliases: Iterable<string> = []): void {
    this.#version += 1;
    this.#comeBack(entity.key);
    this.#bytes += entityBytes(entity) - entityBytes(this.#entities.get(entity.key));
    this.#entities.set(entity.key, entity);
    for (const alias of aliases) {
      if (alias === entity.key) continue;
      if (!this.#aliases.has(alias)) this.#bytes += nameBytes(alias);
      this.#aliases.set(alias, entity.key);
      this.#comeBack(alias);
    }
  }

  /** Removes the entity of a name; later requests find that it is gone. */
  remove(name: string): Entity | undefined {
    const entity = this.find(name);
    this.#version += 1;
    this.#leave(name);
    if (entity === undefined) return undefined;
    this.#leave(entity.key);
    this.#bytes -= entityBytes(entity);
    this.#entities.delete(entity.key);
    return entity;
  }

  #leave(name: string): void {
    if (!this.#removed.has(name)) this.#bytes += nameBytes(name);
    this.#removed.add(name);
  }

  #comeBack(name: string): void {
    if (this.#removed.delete(name)) this.#bytes -= nameBytes(name);
  }

  /** Removes all entities, since what they are within is removed. */
  orphan(): void {
    this.#isOrphaned = true;
    for (const entity of this.#entities.values()) this.#bytes -= entityBytes(entity);
    this.#entities.clear();
    this.#version += 1;
  }

  /** A number that was not given before. */
  nextNumber(): number {
    this.#made += 1;
    return this.#made;
  }

  get parts(): PartitionParts {
    return {
      entities: this.#entities,
      aliases: this.#aliases,
      removed: this.#removed,
      isOrphaned: this.#isOrphaned,
      isDisclosed: this.#isDisclosed,
      made: this.#made,
      version: this.#version,
    };
  }

  copy(): Partition {
    return Partition.of(this.parts);
  }

  /** A partition of its own, made of these. */
  static of(parts: PartitionParts): Partition {
    const copy = new Partition();
    for (const [key, entity] of parts.entities) copy.#entities.set(key, entity);
    for (const [alias, key] of parts.aliases) copy.#aliases.set(alias, key);
    for (const name of parts.removed) copy.#removed.add(name);
    copy.#isDisclosed = parts.isDisclosed;
    copy.#isOrphaned = parts.isOrphaned;
    copy.#made = parts.made;
    copy.#version = parts.version;
    copy.#bytes = partsBytes(parts);
    return copy;
  }
}

/** What a partition of these costs in memory. */
export function partsBytes({ entities, aliases, removed }: PartitionParts): number {
  let bytes = entryBytes;
  for (const entity of entities.values()) bytes += entityBytes(entity);
  for (const alias of aliases.keys()) bytes += nameBytes(alias);
  for (const name of removed) bytes += nameBytes(name);
  return bytes;
}

function entityBytes(entity: Entity | undefined): number {
  if (entity === undefined) return 0;
  const { key, members, made } = entity;
  // Responses keep what they show of it beside it.
  return entryBytes + textBytes(key) + 2 * valueBytes(members) + valueBytes(made);
}

function nameBytes(name: string): number {
  return placeBytes + textBytes(name);
}
