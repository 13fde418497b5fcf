import type { JsonValue } from '../../../contract/json/value.ts';
import { type ItemId, isItemId } from '../../items/store/item.ts';

/** What a part is: its kind, then the path of a collection and the id of an item, for example. */
export type PartName = readonly JsonValue[];

/** A part of a sandbox that differs from what is stored. */
export interface Change {
  readonly part: PartName;
  /** Undefined for a part that was removed. */
  readonly text: () => string | undefined;
  /** Notes that it is stored now. */
  readonly commit: () => void;
}

/** How the values of a kind are stored. */
interface Form<Value> {
  /** What follows the kind in a name: nothing, a key, or a path and a key. */
  readonly depth: 0 | 1 | 2;
  readonly render: (value: Value) => string;
  readonly read: (text: string) => Value;
  /** By default, a value is the same as another if it is the same reference or an equal text. */
  readonly isSame?: (one: Value, other: Value) => boolean;
}

/** Texts are stored as they are. */
export const asText = { render: (text: string) => text, read: (text: string) => text };

/** Calls back with each key and value of a source. */
type Visit<Source, Value> = (source: Source, visit: (key: ItemId, value: Value) => void) => void;

/** The parts of one kind that are stored, as immutable values by path, then by key. */
export class StoredKind<Value> {
  readonly #kind: string;
  readonly #form: Form<Value>;
  readonly #values = new Map<string, Map<ItemId, Value>>();

  constructor(kind: string, form: Form<Value>) {
    this.#kind = kind;
    this.#form = form;
  }

  /** The values of a path, by key. */
  at(path = ''): Map<ItemId, Value> {
    const known = this.#values.get(path);
    if (known !== undefined) return known;
    const values = new Map<ItemId, Value>();
    this.#values.set(path, values);
    return values;
  }

  /** Notes what is stored. False for a name of another form. */
  put(rest: PartName, text: string | undefined): boolean {
    const { depth, read } = this.#form;
    const path = depth === 2 ? rest[0] : '';
    const key = depth === 0 ? '' : rest[depth - 1];
    if (typeof path !== 'string' || !isItemId(key)) return false;
    if (text === undefined) this.at(path).delete(key);
    else this.at(path).set(key, read(text));
    return true;
  }

  /** Adds what differs from what is stored, apart from the paths that are known to be the same. */
  compare<Source>(
    changes: Change[],
    live: ReadonlyMap<string, Source>,
    visit: Visit<Source, Value>,
    isKnown: (path: string) => boolean = () => false,
  ): void {
    for (const path of new Set([...live.keys(), ...this.#values.keys()]))
      if (!isKnown(path)) this.#comparePath(changes, path, live.get(path), visit);
  }

  #comparePath<Source>(
    changes: Change[],
    path: string,
    source: Source | undefined,
    visit: Visit<Source, Value>,
  ): void {
    const { render, isSame = Object.is } = this.#form;
    const stored = this.at(path);
    let known = 0;
    if (source !== undefined)
      visit(source, (key, value) => {
        const before = stored.get(key);
        if (before !== undefined) known += 1;
        if (before !== undefined && isSame(before, value)) return;
        const commit = (): void => void stored.set(key, value);
        changes.push({ part: this.#nameOf(path, key), text: () => render(value), commit });
      });
    if (known === stored.size) return;
    const gone = new Set(stored.keys());
    if (source !== undefined) visit(source, (key) => gone.delete(key));
    for (const key of gone) {
      const commit = (): void => void stored.delete(key);
      changes.push({ part: this.#nameOf(path, key), text: () => undefined, commit });
    }
  }

  #nameOf(path: string, key: ItemId): PartName {
    const { depth } = this.#form;
    if (depth === 0) return [this.#kind];
    return depth === 1 ? [this.#kind, key] : [this.#kind, path, key];
  }
}
