import { largest } from '../list/list.ts';
import { appendPointer } from '../json/pointer.ts';
import { isJsonObject, renderJson, type JsonValue, listOf } from '../json/value.ts';
import { maxItems, minItems } from '../schema/keyword/count.ts';
import { enumeration } from '../schema/keyword/enum.ts';
import type { Built, Place, SampleMaker } from './place.ts';
import type { Part } from './schema-view.ts';
import { mostSampleItems } from '../limits/index.ts';

/** How often an item is drawn again that the list has already. */
const mostRedraws = 12;

/** An array that fits the parts; undefined where an item that must be there cannot be made. */
export function buildArray(
  parts: readonly Part[],
  place: Place,
  maker: SampleMaker,
): Built | undefined {
  const schemas = parts.map(({ schema }) => schema);
  const contained = parts.flatMap(containedOf);
  const demanded = contained.reduce((sum, { count }) => sum + count, 0);
  const least = Math.max(minItems.limit(schemas)?.value ?? 0, demanded);
  const most = Math.min(maxItems.limit(schemas)?.value ?? Infinity, mostSampleItems);
  const tuple = largest(
    schemas.map(({ prefixItems }) => listOf(prefixItems).length),
    1,
  );
  const count = Math.min(Math.max(least, maker.isWhole(place) ? tuple : 0), most);
  const list: ItemList = {
    maker,
    place: {
      ...place,
      allowance: Math.floor((place.allowance - 1) / Math.max(1, count)) - 1,
    },
    contained,
    isUnique: schemas.some((schema) => schema.uniqueItems === true),
    items: [],
    texts: new Set(),
  };
  let isSound = least <= most;
  for (let index = 0; index < count; index += 1) {
    const pointers = itemPointers(parts, index);
    const made = pointers && makeItem(list, pointers, index);
    if (made === undefined && index < least) return undefined;
    if (made === undefined || (!made.isSound && index >= least)) break;
    isSound &&= made.isSound;
    list.items.push(made.value);
    list.texts.add(renderJson(made.value));
  }
  return { value: list.items, isSound };
}

interface ItemList {
  readonly maker: SampleMaker;
  /** The place of the list, with the allowance of each item. */
  readonly place: Place;
  readonly contained: readonly Contained[];
  readonly isUnique: boolean;
  readonly items: JsonValue[];
  readonly texts: Set<string>;
}

function makeItem(list: ItemList, pointers: readonly string[], index: number): Built | undefined {
  const { maker, place, isUnique, texts } = list;
  const outsider = findOutsider(list, pointers, index);
  if (outsider !== undefined) return { value: outsider, isSound: true };
  const all = [...pointers, ...pointersContained(list.contained, index)];
  let last: Built | undefined;
  for (let tries = 0; tries < (isUnique ? mostRedraws : 1); tries += 1) {
    last = maker.build(all, {
      ...place,
      pointer: appendPointer(place.pointer, index + tries * 1e6),
      isRepeated: place.isRepeated || index + tries > 0,
    });
    if (last === undefined || !isUnique || !texts.has(renderJson(last.value))) return last;
  }
  const unused = listValues(list, all).find(
    (value) => !texts.has(renderJson(value)) && maker.view.fits(all, value),
  );
  return unused === undefined
    ? last && { ...last, isSound: false }
    : { value: unused, isSound: true };
}

/** The values of an enumeration. */
function listValues({ maker }: ItemList, pointers: readonly string[]): readonly JsonValue[] {
  const parts = maker.view.parts(pointers) ?? [];
  return enumeration.limit(parts.map(({ schema }) => schema))?.value ?? [];
}

/** An item that `contains` does not count, where it counts no further ones. */
function findOutsider(
  { maker: { view }, contained, isUnique, texts }: ItemList,
  pointers: readonly string[],
  index: number,
): JsonValue | undefined {
  const full = contained.filter(({ most }) => index >= most).map(({ pointer }) => pointer);
  if (full.length === 0) return undefined;
  return strangers.find(
    (value) =>
      view.fits(pointers, value) &&
      full.every((pointer) => !view.fits([pointer], value)) &&
      !(isUnique && texts.has(renderJson(value))),
  );
}

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
export function itemPointers(parts: readonly Part[], index: number): readonly string[] | undefined {
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
