import { Partition } from './partition.ts';

/** The entities of one sandbox, by the paths that they are kept under. */
export class EntityStore {
  readonly #partitions = new Map<string, Partition>();
  #bytes = 0;
  /** What of each partition is in `#bytes`. */
  #counted = new Map<Partition, number>();
  /** Partitions that may have changed since they were counted. */
  readonly #touched = new Set<Partition>();
  /** Nothing more may be kept: what is read for the first time is made, and forgotten. */
  isFull = false;

  /** What the entities cost in memory. */
  get bytes(): number {
    if (this.#touched.size === 0) return this.#bytes;
    for (const partition of this.#touched) {
      this.#bytes += partition.bytes - (this.#counted.get(partition) ?? 0);
      this.#counted.set(partition, partition.bytes);
    }
    this.#touched.clear();
    return this.#bytes;
  }

  /** The partition of a path with the ids of its parents; `seed` fills it when it is first used. */
  open(path: string, seed: (partition: Partition) => void): Partition {
    const known = this.#partitions.get(path);
    if (known !== undefined) {
      this.#touched.add(known);
      return known;
    }
    const partition = new Partition();
    if (!this.isFull) {
      this.#partitions.set(path, partition);
      this.#touched.add(partition);
    }
    seed(partition);
    return partition;
  }

  /** Something here was used. */
  get isUsed(): boolean {
    return this.#partitions.size > 0;
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
        this.#touched.add(partition);
        partition.orphan();
      }
  }

  /** By path. */
  get partitions(): ReadonlyMap<string, Partition> {
    return this.#partitions;
  }

  /** Puts a partition at a path, after all others where it is new; undefined for none. */
  put(path: string, partition: Partition | undefined): void {
    const before = this.#partitions.get(path);
    if (before !== undefined) {
      this.#bytes -= this.#counted.get(before) ?? 0;
      this.#counted.delete(before);
      this.#touched.delete(before);
    }
    if (partition === undefined) this.#partitions.delete(path);
    else {
      this.#partitions.set(path, partition);
      this.#touched.add(partition);
    }
  }

  #countAnew(): void {
    this.#bytes = 0;
    this.#counted = new Map();
    this.#touched.clear();
    for (const partition of this.#partitions.values()) this.#touched.add(partition);
  }

  /** Forgets all entities: seeds come back. */
  clear(): void {
    this.#partitions.clear();
    this.#countAnew();
  }

  /** The entities as they are now; later changes do not reach them. */
  keep(): ReadonlyMap<string, Partition> {
    return new Map([...this.#partitions].map(([path, partition]) => [path, partition.copy()]));
  }

  restore(kept: ReadonlyMap<string, Partition>): void {
    this.clear();
    for (const [path, partition] of kept) this.#partitions.set(path, partition.copy());
    this.#countAnew();
  }
}
