import type { Collection } from './collection.ts';
import type { Inventory } from './inventory.ts';

/** Inventories by collection path. They are shared by whoever holds them, so nobody changes them. */
export type StoredState = ReadonlyMap<string, Inventory>;

/**
 * What one sandbox stores. It reads the seed, or a state that was put in, until it first writes to a collection;
 * then that collection is copied. So a sandbox that only reads costs nothing, and keeping a state is free.
 */
export class Store {
  readonly #shared = new Map<string, Inventory>();
  readonly #own = new Map<string, Inventory>();

  /** The items of a collection, for reading only. */
  read({ path, seed }: Collection): Inventory {
    return this.#own.get(path) ?? this.#shared.get(path) ?? seed;
  }

  /** The items of a collection, for changing them. */
  write(collection: Collection): Inventory {
    const { path } = collection;
    const own = this.#own.get(path);
    if (own !== undefined) return own;
    const copy = this.read(collection).copy();
    this.#own.set(path, copy);
    return copy;
  }

  /** The state as it is now. Later changes do not reach it. */
  keep(collections: readonly Collection[]): StoredState {
    for (const [path, inventory] of this.#own) this.#shared.set(path, inventory);
    this.#own.clear();
    return new Map(collections.map((collection) => [collection.path, this.read(collection)]));
  }

  /** Puts a state in the place of everything. Collections that it leaves out have their seed. */
  restore(state: StoredState): void {
    this.#own.clear();
    this.#shared.clear();
    for (const [path, inventory] of state) this.#shared.set(path, inventory);
  }
}
