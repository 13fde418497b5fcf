import * as fc from 'fast-check';
import { renderJson, type JsonValue, type SchemaNode } from '../../contract/index.ts';
import { patience, UndrawableSchema } from './undrawable.ts';

/** Draws for each item of a list before it counts as one that has too few different items. */
const drawsPerItem = 100;

/** How many items a list has. */
interface ListLengths {
  readonly minLength: number;
  readonly maxLength: number;
}

/**
 * Lists of different items, of the values of an enumeration or of drawn ones. Drawing gives null
 * where the enumeration has too few values, and throws `UndrawableSchema` where too few different
 * items are met: `fc.uniqueArray` itself would look for them without an end.
 */
export function arbitraryUniqueList(
  item: fc.Arbitrary<JsonValue>,
  { minLength, maxLength }: ListLengths,
  items: SchemaNode | undefined,
): fc.Arbitrary<JsonValue> {
  const values = items?.shape().values;
  if (items !== undefined && values !== undefined && values.length > 0)
    return ofValues(
      values.filter((value) => items.validate(value).length === 0),
      { minLength, maxLength },
    );
  let draws = 0;
  const counted = item.map((value) => {
    draws += 1;
    if (items !== undefined && draws > patience + drawsPerItem * maxLength)
      throw new UndrawableSchema(items, { what: `list of ${minLength} different items` });
    return value;
  });
  const options = { minLength, maxLength, size: 'max', selector: renderJson } as const;
  return fc.uniqueArray(counted, options).map((list) => {
    draws = 0;
    return list;
  });
}

function ofValues(
  values: readonly JsonValue[],
  { minLength, maxLength }: ListLengths,
): fc.Arbitrary<JsonValue> {
  const distinct = [...new Map(values.map((value) => [renderJson(value), value])).values()];
  if (distinct.length < minLength) return fc.constant(null);
  return fc.shuffledSubarray(distinct, {
    minLength,
    maxLength: Math.min(maxLength, distinct.length),
  });
}
