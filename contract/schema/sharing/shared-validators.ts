import { type JsonObject, renderJson } from '../../json/value.ts';

/** What was compiled for schemas, so that others that say the same need no code of their own. */
export interface SharedValidators<Compiled> {
  /** What was compiled for a schema of the same text, as if it stood at the pointer. */
  find(pointer: string, schema: JsonObject | boolean): Compiled | undefined;
  add(pointer: string, schema: JsonObject | boolean, compiled: Compiled): void;
}

/** Texts that are longer are seldom there twice. */
const mostShared = 400;

/**
 * Most schemas of a large document are as short as `{"type":"string"}`, and few differ. `move`: the
 * same code, whose pointers are changed.
 */
export function createSharedValidators<Compiled>(
  move: (compiled: Compiled, change: (pointer: string) => string) => Compiled,
): SharedValidators<Compiled> {
  const known = new Map<string, { readonly pointer: string; readonly compiled: Compiled }>();
  return {
    find(pointer, schema) {
      const text = textOf(schema);
      const found = text === undefined ? undefined : known.get(text);
      return found && move(found.compiled, (place) => pointer + place.slice(found.pointer.length));
    },
    add(pointer, schema, compiled) {
      const text = textOf(schema);
      if (text !== undefined) known.set(text, { pointer, compiled });
    },
  };
}

/** Undefined where it cannot be shared: what it refers to has a place that does not move with it. */
function textOf(schema: JsonObject | boolean): string | undefined {
  const text = renderJson(schema);
  return text.length > mostShared || /"\$(?:ref|dynamicRef)"/.test(text) ? undefined : text;
}
