import { type JsonObject, type JsonValue, isJsonObject } from '../../../contract/json/value.ts';
import type { SchemaNode } from '../../../contract/schema/schema-node.ts';
import { parsePointer } from '../../../contract/json/pointer.ts';
import { valueAt, withValueAt } from '../../../contract/json/place.ts';

/** A member that is to be laid over a value. */
export interface Layer {
  readonly name: string;
  /** Undefined: the member is to go. */
  readonly value: JsonValue | undefined;
}

const mostRounds = 6;
const mostSingle = 40;

/**
 * Lays members over the object at a place of a value, as far as the whole stays valid: a member that
 * does not fit is merged with what was there, and left out where that does not fit either.
 */
export function layOver(
  base: JsonValue,
  place: readonly string[],
  layers: readonly Layer[],
  schema: SchemaNode,
): JsonValue {
  const under = valueAt(base, place);
  const object = isJsonObject(under) ? under : {};
  let current = layers;
  const merged = new Set<string>();
  for (let round = 0; round < mostRounds; round += 1) {
    const value = withValueAt(base, place, apply(object, current));
    const issues = schema.validate(value);
    if (issues.length === 0) return value;
    const faulty = new Set(
      issues.flatMap(({ at }) => {
        const name = parsePointer(at)[place.length];
        return name === undefined ? [] : [name];
      }),
    );
    const next = current.flatMap((layer) => {
      if (!faulty.has(layer.name)) return [layer];
      const mixed = merged.has(layer.name) ? undefined : mix(object[layer.name], layer.value);
      merged.add(layer.name);
      return mixed === undefined ? [] : [{ name: layer.name, value: mixed }];
    });
    if (next.every((layer, index) => layer === current[index]) && next.length === current.length)
      break;
    current = next;
  }
  return layOneByOne(base, place, layers, schema);
}

/** Of each member alone it is seen whether it fits: a union says no more about what is wrong. */
function layOneByOne(
  base: JsonValue,
  place: readonly string[],
  layers: readonly Layer[],
  schema: SchemaNode,
): JsonValue {
  let value = base;
  for (const layer of layers.slice(0, mostSingle)) {
    const under = valueAt(value, place);
    const object = isJsonObject(under) ? under : {};
    const mixed = mix(object[layer.name], layer.value);
    const tries = mixed === undefined ? [layer] : [layer, { name: layer.name, value: mixed }];
    const fitting = tries
      .map((one) => withValueAt(value, place, apply(object, [one])))
      .find((one) => schema.validate(one).length === 0);
    value = fitting ?? value;
  }
  return value;
}

function apply(object: JsonObject, layers: readonly Layer[]): JsonObject {
  const members = new Map<string, JsonValue | undefined>(Object.entries(object));
  for (const { name, value } of layers)
    if (value === undefined) members.delete(name);
    else members.set(name, value);
  return Object.fromEntries(members);
}

/** What was there with what is sent over it, for objects; undefined for anything else. */
function mix(under: JsonValue | undefined, over: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(under) || !isJsonObject(over)) return undefined;
  const names = Object.keys(over).map((name) => {
    const value = over[name] ?? null;
    return [name, mix(under[name], value) ?? value] as const;
  });
  return { ...under, ...Object.fromEntries(names) };
}
