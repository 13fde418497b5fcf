import { appendPointer } from '../json/pointer.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listOf,
} from '../json/value.ts';
import { itemPointers } from './array.ts';
import { discriminatorNames } from './discriminator.ts';
import type { Place, SampleMaker } from './place.ts';
import { type Part, requiredOf, type SchemaView } from './schema-view.ts';
import { rotate } from './random.ts';

/**
 * What schemas show of a value themselves, by examples and defaults: with the wanted members, of a
 * request without what is `readOnly`, and where values are drawn with ids and dates of its own.
 */
export function listShown(
  parts: readonly Part[],
  pointers: readonly string[],
  place: Place,
  sampler: SampleMaker,
): readonly JsonValue[] {
  const { view, members, wanted } = sampler;
  const draw = sampler.draw(place);
  const shown: JsonValue[] = [];
  for (const { schema } of parts)
    for (const value of [schema.example, ...listOf(schema.examples), schema.default])
      if (value !== undefined)
        shown.push(view.direction === 'request' ? withoutReadOnly(value, pointers, view) : value);
  if (shown.length === 0) return shown;
  const required = requiredOf(parts);
  const ordered = draw === undefined ? shown : rotate(shown, draw);
  return ordered.flatMap((value): readonly JsonValue[] => {
    if (!isJsonObject(value)) return [value];
    const kept = new Map(
      Object.entries(value).filter(([name]) => members === 'all' || required.has(name)),
    );
    for (const [name, one] of place.pointer === '' ? wanted : []) {
      const isDeclared = parts.some((part) => view.member(part, name).length > 0);
      if (isDeclared && view.fits(view.memberPointers(parts, name) ?? [], one)) kept.set(name, one);
    }
    const object = Object.fromEntries(kept);
    return draw === undefined
      ? [object]
      : [{ ...object, ...drawVaried(object, parts, place, sampler) }, object];
  });
}

function drawVaried(
  object: JsonObject,
  parts: readonly Part[],
  place: Place,
  sampler: SampleMaker,
): JsonObject {
  const drawn: Record<string, JsonValue> = {};
  for (const [name, member] of Object.entries(object)) {
    if (sampler.wanted.has(name) || !['string', 'number'].includes(typeof member)) continue;
    const pointers = sampler.view.memberPointers(parts, name) ?? [];
    const schemas = sampler.view.parts(pointers);
    if (schemas === undefined || !isVaried(schemas, name)) continue;
    const pointer = appendPointer(place.pointer, name);
    const made = sampler.build(pointers, { ...place, pointer, name });
    if (made?.isSound === true) drawn[name] = made.value;
  }
  return drawn;
}

const variedFormats = ['uuid', 'guid', 'date', 'date-time', 'email', 'ipv4', 'ipv6'];

/** Whether a value is one that differs from item to item: an id, a name, an address, a date. */
export function isVaried(parts: readonly Part[], name: string): boolean {
  const schemas = parts.map(({ schema }) => schema);
  if (schemas.some(({ enum: values, const: only }) => values !== undefined || only !== undefined))
    return false;
  return (
    schemas.some(({ format }) => typeof format === 'string' && variedFormats.includes(format)) ||
    /(^|_)(id|key|code|sku|slug|name|title|email)$|(Id|ID|Name|Key|Code)$/.test(name)
  );
}

/** The value without members that are `readOnly`; discriminators stay, as a union needs them. */
function withoutReadOnly(
  value: JsonValue,
  pointers: readonly string[],
  view: SchemaView,
): JsonValue {
  if (typeof value !== 'object' || value === null || pointers.length === 0) return value;
  const parts = chosenParts(value, pointers, view);
  if (isJsonArray(value))
    return value.map((item, index) =>
      withoutReadOnly(item, itemPointers(parts, index) ?? [], view),
    );
  const discriminators = discriminatorNames(parts);
  const kept = Object.entries(value).flatMap(([name, member]) => {
    const places = view.memberPointers(parts, name) ?? [];
    const isReadOnly = view.parts(places)?.some(({ schema }) => schema.readOnly === true) ?? false;
    if (member === undefined || (isReadOnly && !discriminators.has(name))) return [];
    return [[name, withoutReadOnly(member, places, view)] as const];
  });
  return Object.fromEntries(kept);
}

/** Of the combinations of branches, the one that the value fits. */
function chosenParts(
  value: JsonValue,
  pointers: readonly string[],
  view: SchemaView,
): readonly Part[] {
  const choices = view.conjunctions(pointers);
  const [first = [], ...others] = choices;
  if (others.length === 0) return first;
  const fitting = choices.find((parts) =>
    view.fits(
      parts.map(({ pointer }) => pointer),
      value,
    ),
  );
  return fitting ?? first;
}
