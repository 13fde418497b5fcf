import { largest } from '../list/list.ts';
import { documentLimits } from '../limits/index.ts';
import { appendPointer } from '../json/pointer.ts';
import { isJsonObject, jsonEquals, type JsonValue } from '../json/value.ts';
import { maxItems } from '../schema/keyword/count.ts';
import { enumeration } from '../schema/keyword/enum.ts';
import { minItems } from '../schema/keyword/count.ts';
import { listOf, type Part } from './view/part.ts';
import type { Conjunction } from './view/schema-view.ts';
import type { Built, Place, Workshop } from './place.ts';

/** An array that fits the parts; undefined where an item that must be there cannot be made. */
export function buildArray(
  { parts }: Conjunction,
  place: Place,
  workshop: Workshop,
): Built | undefined {
  const schemas = parts.map(({ schema }) => schema);
  const contained = parts.flatMap(containedOf);
  const least = Math.max(
    minItems.limit(schemas)?.value ?? 0,
    contained.reduce((count, one) => count + one.count, 0),
  );
  const most = Math.min(
    maxItems.limit(schemas)?.value ?? Infinity,
    documentLimits.sampleItems.most,
  );
  const isTight = !workshop.isWhole(place);
  const tuple = largest(
    schemas.map(({ prefixItems }) => listOf(prefixItems).length),
    1,
  );
  const count = Math.min(Math.max(least, isTight ? 0 : tuple), most);
  const isUnique = schemas.some((schema) => schema.uniqueItems === true);
  const allowance = Math.floor((place.allowance - 1) / Math.max(1, count)) - 1;
  const items: JsonValue[] = [];
  const unusedOf = new Map<string, Generator<JsonValue, void>>();
  let isSound = least <= most;
  for (let index = 0; index < count; index += 1) {
    const made = makeItem(index);
    if (made === undefined && index < least) return undefined;
    if (made === undefined || (!made.isSound && index >= least)) break;
    isSound &&= made.isSound;
    items.push(made.value);
  }
  return { value: items, isSound };

  function makeItem(index: number): Built | undefined {
    const pointers = itemPointers(parts, index);
    if (pointers === undefined) return undefined;
    const outsider = findOutsider(pointers, index);
    if (outsider !== undefined) return { value: outsider, isSound: true };
    const all = [...pointers, ...pointersContained(contained, index)];
    const unused = findUnused(all);
    if (unused !== undefined) return { value: unused, isSound: true };
    let last: Built | undefined;
    for (let tries = 0; tries < (isUnique ? 12 + 2 * index : 1); tries += 1) {
      const pointer = appendPointer(place.pointer, index + tries * count);
      const drawn = tries < 2 ? place.pointer : pointer;
      last = workshop.build(all, {
        ...place,
        pointer: isUnique ? pointer : appendPointer(drawn, index),
        allowance,
      });
      if (last === undefined) return undefined;
      const { value } = last;
      if (!isUnique || !items.some((item) => jsonEquals(item, value))) return last;
    }
    return last && { ...last, isSound: false };
  }

  /** A value of an enumeration that the list does not have yet, of one that wants different items. */
  function findUnused(pointers: readonly string[]): JsonValue | undefined {
    if (!isUnique || items.length < chanceItems) return undefined;
    const key = pointers.join(' ');
    const unused = unusedOf.get(key) ?? listUnused(pointers);
    unusedOf.set(key, unused);
    for (let next = unused.next(); next.done !== true; next = unused.next()) {
      const { value } = next;
      if (!items.some((item) => jsonEquals(item, value))) return value;
    }
    return undefined;
  }

  /** Goes through the values once, as those that the list has stay in it. */
  function* listUnused(pointers: readonly string[]): Generator<JsonValue, void> {
    const all = workshop.view.parts(pointers) ?? [];
    const values = enumeration.limit(all.map(({ schema }) => schema))?.value ?? [];
    for (const value of values) if (workshop.view.fits(pointers, value)) yield value;
  }

  /** An item that `contains` does not count, where it counts no further ones. */
  function findOutsider(pointers: readonly string[], index: number): JsonValue | undefined {
    const full = contained.filter(({ most }) => index >= most).map(({ pointer }) => pointer);
    if (full.length === 0) return undefined;
    return strangers.find(
      (value) =>
        workshop.view.fits(pointers, value) &&
        full.every((pointer) => !workshop.view.fits([pointer], value)) &&
        !(isUnique && items.some((item) => jsonEquals(item, value))),
    );
  }
}

/** Different items that are left to chance before an enumeration is gone through in order. */
const chanceItems = 8;

/** Values of each type. */
const strangers: readonly JsonValue[] = [null, 'other', '', 0, -1, 1, 0.5, true, false, [], {}];

interface Contained {
  readonly pointer: string;
  readonly count: number;
  readonly most: number;
}

function containedOf({ pointer, schema }: Part): readonly Contained[] {
  if (schema.contains === undefined) return [];
  const { minContains, maxContains } = schema;
  const count = typeof minContains === 'number' ? minContains : 1;
  const most = typeof maxContains === 'number' ? maxContains : Infinity;
  return [{ pointer: appendPointer(pointer, 'contains'), count, most }];
}

/** Those of `contains` whose turn it is: the first ones of the array in the order of the parts. */
function pointersContained(contained: readonly Contained[], index: number): readonly string[] {
  let start = 0;
  for (const { pointer, count } of contained) {
    start += count;
    if (index < start) return [pointer];
  }
  return [];
}

/** The schemas of an item by its index; undefined where none may be there. */
function itemPointers(parts: readonly Part[], index: number): readonly string[] | undefined {
  const found: string[] = [];
  for (const { pointer, schema } of parts) {
    const prefix = listOf(schema.prefixItems);
    const name = ['items', 'unevaluatedItems'].find((one) => schema[one] !== undefined);
    if (index < prefix.length) found.push(appendPointer(pointer, 'prefixItems', index));
    else if (name !== undefined && schema[name] === false) return undefined;
    else if (name !== undefined && isJsonObject(schema[name]))
      found.push(appendPointer(pointer, name));
  }
  return found;
}
