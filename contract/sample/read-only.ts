import { appendPointer } from '../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../json/value.ts';
import type { SchemaLookup } from '../schema/schema-node.ts';
import { collectParts, listConjunctions, memberPointers, type Part } from './conjunction.ts';

/** The value without members that are readOnly; discriminators stay, as a union needs them. */
export function withoutReadOnly(
  value: JsonValue,
  pointers: readonly string[],
  lookup: SchemaLookup,
): JsonValue {
  if (typeof value !== 'object' || value === null || pointers.length === 0) return value;
  const parts = chosenParts(value, pointers, lookup);
  if (isJsonArray(value))
    return value.map((item, index) => withoutReadOnly(item, itemPlaces(parts, index), lookup));
  const kept = Object.entries(value).flatMap(([name, member]) => {
    const places = memberPointers(parts, name) ?? [];
    const isReadOnly =
      collectParts(places, lookup)?.some(({ schema }) => schema.readOnly === true) ?? false;
    if (member === undefined || (isReadOnly && !isDiscriminator(name, parts))) return [];
    return [[name, withoutReadOnly(member, places, lookup)] as const];
  });
  return Object.fromEntries(kept);
}

/** Of the choices that the schemas leave, the one that the value made. */
function chosenParts(
  value: JsonValue,
  pointers: readonly string[],
  lookup: SchemaLookup,
): readonly Part[] {
  const choices = [...listConjunctions(pointers, lookup).take(40)];
  const [first] = choices;
  if (choices.length === 1 || first === undefined) return first?.parts ?? [];
  return (choices.find(({ parts }) => parts.every((part) => fits(value, part, lookup))) ?? first)
    .parts;
}

function fits(value: JsonValue, { pointer }: Part, lookup: SchemaLookup): boolean {
  try {
    return lookup.node(pointer).validate(value).length === 0;
  } catch {
    return true;
  }
}

function itemPlaces(parts: readonly Part[], index: number): readonly string[] {
  return parts.flatMap(({ pointer, schema }) => {
    const prefix = isJsonArray(schema.prefixItems) ? schema.prefixItems.length : 0;
    if (index < prefix) return [appendPointer(pointer, 'prefixItems', index)];
    return isJsonObject(schema.items) ? [appendPointer(pointer, 'items')] : [];
  });
}

function isDiscriminator(name: string, parts: readonly Part[]): boolean {
  return parts.some(
    ({ schema: { discriminator } }) =>
      isJsonObject(discriminator) && discriminator.propertyName === name,
  );
}
