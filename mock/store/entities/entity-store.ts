import { Partition } from './partition.ts';

/** The entities of one sandbox, by the paths that they are kept under. */
export class EntityStore {
  readonly #partitions = new Map<string, Partition>();

  /** The partition of a path with the ids of its parents; `seed` fills it when it is first used. */
  open(path: string, seed: (partition: Partition) => void): Partition {
    const known = this.#partitions.get(path);
    if (known !== undefined) return known;
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
      if (other.startsWith(`${path}/`)) partition.orphan();
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
