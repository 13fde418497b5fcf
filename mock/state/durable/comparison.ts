import { type JsonValue, renderJson } from '../../../contract/index.ts';
import type { PartName } from './facts.ts';

/** A part of a sandbox that differs from what is stored. */
export interface Change {
  readonly part: PartName;
  /** Undefined for a part that was removed. */
  readonly text: () => string | undefined;
  /** Notes that it is stored now. */
  readonly commit: () => void;
}

/** Stored values by path, then by key. */
export type ByPath<Key, Value> = Map<string, Map<Key, Value>>;

/** How a source is compared and stored. */
export interface Form<Source, Key, Value> {
  readonly key: (source: Source) => Key;
  /** The same source has the same value, by reference. */
  readonly value: (source: Source) => Value;
  readonly render: (value: Value) => string;
}

/** The form of entries of a map. */
export function entryForm<Key, Value>(
  render: (value: Value) => string,
): Form<readonly [Key, Value], Key, Value> {
  return { key: ([key]) => key, value: ([, value]) => value, render };
}

/** Compares what is in memory with what is stored, by reference. */
export class Comparison {
  readonly changes: Change[] = [];

  /** `part`: what the names of the parts begin with. */
  add<Source, Key extends JsonValue, Value>(
    part: PartName,
    live: Iterable<Source>,
    stored: Map<Key, Value>,
    form: Form<Source, Key, Value>,
  ): void {
    let known = 0;
    for (const source of live) {
      const key = form.key(source);
      const value = form.value(source);
      const before = stored.get(key);
      if (before !== undefined) known += 1;
      if (before === value) continue;
      const commit = (): void => void stored.set(key, value);
      this.changes.push({ part: [...part, key], text: () => form.render(value), commit });
    }
    if (known === stored.size) return;
    const gone = new Set(stored.keys());
    for (const source of live) gone.delete(form.key(source));
    for (const key of gone) {
      const commit = (): void => void stored.delete(key);
      this.changes.push({ part: [...part, key], text: () => undefined, commit });
    }
  }

  /** The same for each path but those that are known to be the same. */
  addPaths<Source, Key extends JsonValue, Value>(
    kind: string,
    live: ReadonlyMap<string, Iterable<Source>>,
    stored: ByPath<Key, Value>,
    form: Form<Source, Key, Value>,
    isKnown: (path: string) => boolean = () => false,
  ): void {
    for (const path of new Set([...live.keys(), ...stored.keys()]))
      if (!isKnown(path)) this.add([kind, path], live.get(path) ?? [], within(stored, path), form);
  }
}

/** The values of a path. */
export function within<Key, Value>(all: ByPath<Key, Value>, path: string): Map<Key, Value> {
  const known = all.get(path);
  if (known !== undefined) return known;
  const values = new Map<Key, Value>();
  all.set(path, values);
  return values;
}

/** All changes as one text. */
export function renderChanges(changes: readonly Change[]): string {
  return changes.map(({ part, text }) => `${renderJson(part)} ${text()}`).join('\n');
}
