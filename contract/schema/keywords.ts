import { appendPointer } from '../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../json/value.ts';
import { annotations } from './keyword/any/annotation.ts';
import { constant, enumeration } from './keyword/any/enum.ts';
import { format } from './keyword/any/format.ts';
import { type } from './keyword/any/type.ts';
import { contains } from './keyword/array/contains.ts';
import { items } from './keyword/array/items.ts';
import { maxItems } from './keyword/array/max-items.ts';
import { minItems } from './keyword/array/min-items.ts';
import { unevaluatedItems } from './keyword/array/unevaluated-items.ts';
import { uniqueItems } from './keyword/array/unique-items.ts';
import { allOf } from './keyword/branch/all-of.ts';
import { anyOf } from './keyword/branch/any-of.ts';
import { condition } from './keyword/branch/if.ts';
import { not } from './keyword/branch/not.ts';
import { oneOf } from './keyword/branch/one-of.ts';
import { references } from './keyword/branch/reference.ts';
import type { Keyword } from './keyword/keyword.ts';
import { multipleOf } from './keyword/number/multiple-of.ts';
import { exclusiveMaximum, maximum } from './keyword/number/maximum.ts';
import { exclusiveMinimum, minimum } from './keyword/number/minimum.ts';
import { additionalProperties } from './keyword/object/additional-properties.ts';
import { properties } from './keyword/object/properties.ts';
import { required } from './keyword/object/required.ts';
import { maxProperties } from './keyword/object/max-properties.ts';
import { minProperties } from './keyword/object/min-properties.ts';
import { unevaluatedProperties } from './keyword/object/unevaluated-properties.ts';
import { maxLength } from './keyword/string/max-length.ts';
import { minLength } from './keyword/string/min-length.ts';
import { pattern } from './keyword/string/pattern.ts';

/** The keywords of OpenAPI 3.1 that this project keeps, in the order of requirements. */
export const keywords: readonly Keyword[] = [
  type,
  format,
  enumeration,
  constant,
  minimum,
  exclusiveMinimum,
  maximum,
  exclusiveMaximum,
  multipleOf,
  minLength,
  maxLength,
  pattern,
  minItems,
  maxItems,
  uniqueItems,
  minProperties,
  maxProperties,
  additionalProperties,
  ...required,
  ...properties,
  ...items,
  ...contains,
  unevaluatedItems,
  unevaluatedProperties,
  not,
  ...condition,
  allOf,
  anyOf,
  oneOf,
  ...references,
  ...annotations,
];

const byName: ReadonlyMap<string, Keyword> = new Map(
  keywords.flatMap((keyword) => [
    [keyword.name, keyword],
    [keyword.engineName ?? keyword.name, keyword],
  ]),
);

/** Undefined for what is no keyword. Extensions (`x-*`) are annotations of any value. */
export function keywordOf(name: string): Keyword | undefined {
  return name.startsWith('x-') ? { name, takes: 'value', effect: 'annotation' } : byName.get(name);
}

/** The facet that a requirement names a keyword by; undefined for none of its own. */
export function facetOf(name: string): string | undefined {
  return byName.get(name)?.facet;
}

/** Where the subschemas stand in the value of a keyword that stands at `pointer`. */
export function subschemaPointers(
  pointer: string,
  takes: Keyword['takes'],
  value: JsonValue | undefined,
): readonly string[] {
  if (value === undefined) return [];
  if (takes === 'schema') return [pointer];
  if (takes === 'schemas' && isJsonArray(value))
    return value.map((_item, index) => appendPointer(pointer, index));
  return (takes === 'schema-map' || takes === 'pattern-map') && isJsonObject(value)
    ? Object.keys(value).map((name) => appendPointer(pointer, name))
    : [];
}
