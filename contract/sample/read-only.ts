import { appendPointer } from '../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../json/value.ts';
import { memberPointers, type Part } from './view/part.ts';
import type { SchemaView } from './view/schema-view.ts';

/** The value without members that are readOnly; discriminators stay, as a union needs them. */
export function withoutReadOnly(
  value: JsonValue,
  pointers: readonly string[],
  view: SchemaView,
): JsonValue {
  if (typeof value !== 'object' || value === null || pointers.length === 0) return value;
  const parts = chosenParts(value, pointers, view);
  if (isJsonArray(value))
    return value.map((item, index) => withoutReadOnly(item, itemPlaces(parts, index), view));
  const kept = Object.entries(value).flatMap(([name, member]) => {
    const places = memberPointers(parts, name) ?? [];
    const isReadOnly = view.parts(places)?.some(({ schema }) => schema.readOnly === true) ?? false;
    if (member === undefined || (isReadOnly && !isDiscriminator(name, parts))) return [];
    return [[name, withoutReadOnly(member, places, view)] as const];
  });
  return Object.fromEntries(kept);
}

/** Of the choices that the schemas leave, the one that the value made. */
function chosenParts(
  value: JsonValue,
  pointers: readonly string[],
  view: SchemaView,
): readonly Part[] {
  const choices = [...view.conjunctions(pointers)].slice(0, 24);
  const [first] = choices;
  if (choices.length === 1 || first === undefined) return first?.parts ?? [];
  return (
    choices.find(({ parts }) =>
      view.fits(
        parts.map(({ pointer }) => pointer),
        value,
      ),
    ) ?? first
  ).parts;
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
