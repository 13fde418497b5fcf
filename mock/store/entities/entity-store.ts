import { Partition } from './partition.ts';

/** What the entities of a sandbox were. */
export interface EntitiesMark {
  readonly partitions: ReadonlyMap<string, Partition>;
  /** By path, those that may have changed, as they were. */
  readonly noted: ReadonlyMap<string, Partition>;
}

/** The entities of one sandbox, by the paths that they are kept under. */
export class EntityStore {
  readonly #partitions = new Map<string, Partition>();
  /** Where partitions are noted before they change; undefined while nobody wants to know. */
  #noted: Map<string, Partition> | undefined;

  /** The partition of a path with the ids of its parents; `seed` fills it when it is first used. */
  open(path: string, seed: (partition: Partition) => void): Partition {
    const known = this.#partitions.get(path);
    if (known !== undefined) {
      this.#note(path, known);
      return known;
    }
    const partition = new Partition();
    this.#partitions.set(path, partition);
    seed(partition);
    return partition;
  }

  /** The partition of a path, where it was used before. */
  find(path: string): Partition | undefined {
    return this.#partitions.get(path);
  }

  /** How many entities are kept, by path; of paths that were used. */
  get counts(): ReadonlyMap<string, number> {
    return new Map([...this.#partitions].map(([path, { entities }]) => [path, entities.length]));
  }

  /** Removes all entities within the item of a path. */
  removeWithin(path: string): void {
    for (const [other, partition] of this.#partitions)
      if (other.startsWith(`${path}/`)) {
        this.#note(other, partition);
        partition.orphan();
      }
  }

  /** By path. */
  get partitions(): ReadonlyMap<string, Partition> {
    return this.#partitions;
  }

  /** The entities as they are; from now on it notes what may change. */
  mark(): EntitiesMark {
    this.#noted = new Map();
    return { partitions: new Map(this.#partitions), noted: this.#noted };
  }

  /** Makes them what they were; later marks are undone before. */
  undo({ partitions, noted }: EntitiesMark): void {
    const now = new Map(this.#partitions);
    this.#partitions.clear();
    for (const [path, partition] of partitions)
      this.#partitions.set(path, noted.get(path) ?? now.get(path) ?? partition);
  }

  /** Puts a partition at a path, after all others where it is new; undefined for none. */
  put(path: string, partition: Partition | undefined): void {
    if (partition === undefined) this.#partitions.delete(path);
    else this.#partitions.set(path, partition);
  }

  #note(path: string, partition: Partition): void {
    if (this.#noted?.has(path) === false) this.#noted.set(path, partition.copy());
  }

  /** Forgets all entities: seeds come back. */
  clear(): void {
    this.#partitions.clear();
  }

  /** The entities as they are now; later changes do not reach them. */
  keep(): ReadonlyMap<string, Partition> {
    return new Map([...this.#partitions].map(([path, partition]) => [path, partition.copy()]));
  }

  restore(kept: ReadonlyMap<string, Partition>): void {
    this.clear();
    for (const [path, partition] of kept) this.#partitions.set(path, partition.copy());
  }
}
