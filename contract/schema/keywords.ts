import { nearestName } from '../error/unknown-name.ts';
import { appendPointer } from '../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../json/value.ts';
import { exclusiveMaximum, exclusiveMinimum, maximum, minimum } from './keyword/bound.ts';
import { allOf, anyOf, condition, not, oneOf } from './keyword/branch.ts';
import {
  maxItems,
  maxLength,
  maxProperties,
  minItems,
  minLength,
  minProperties,
} from './keyword/count.ts';
import { constant, enumeration } from './keyword/enum.ts';
import { format } from './keyword/format.ts';
import { contains, items, unevaluatedItems } from './keyword/items.ts';
import type { Keyword } from './keyword/keyword.ts';
import { multipleOf } from './keyword/multiple-of.ts';
import { pattern } from './keyword/pattern.ts';
import { additionalProperties, properties, unevaluatedProperties } from './keyword/properties.ts';
import { required } from './keyword/required.ts';
import { type } from './keyword/type.ts';
import { uniqueItems } from './keyword/unique-items.ts';

/** JSON Schema Core, section 8. `$defs` asserts nothing: references name pointers. */
const references: readonly Keyword[] = [
  {
    name: '$ref',
    takes: 'text',
    judge: (place) => place.reference(place.text),
  },
  { name: '$defs', takes: 'schema-map', effect: 'information' },
  { name: '$vocabulary', takes: 'object', effect: 'information' },
  { name: '$id', takes: 'unsupported', effect: 'information' },
  { name: '$anchor', takes: 'unsupported', effect: 'information' },
  { name: '$dynamicRef', takes: 'unsupported', effect: 'information' },
  { name: '$dynamicAnchor', takes: 'unsupported', effect: 'information' },
];

/** JSON Schema Validation, sections 8 and 9, and the base vocabulary of OpenAPI 3.1. */
const annotations: readonly Keyword[] = [
  { name: 'title', takes: 'text', effect: 'annotation' },
  { name: 'summary', takes: 'text', effect: 'annotation' },
  { name: 'description', takes: 'text', effect: 'annotation' },
  { name: '$comment', takes: 'text', effect: 'annotation' },
  { name: '$schema', takes: 'text', effect: 'annotation' },
  { name: 'externalDocs', takes: 'object', effect: 'annotation' },
  { name: 'xml', takes: 'object', effect: 'annotation' },
  { name: 'deprecated', takes: 'flag', effect: 'annotation' },
  { name: 'example', takes: 'value', effect: 'annotation' },
  { name: 'examples', takes: 'values', effect: 'annotation' },
  { name: 'default', takes: 'value', effect: 'information' },
  { name: 'readOnly', takes: 'flag', effect: 'information' },
  { name: 'writeOnly', takes: 'flag', effect: 'information' },
  { name: 'contentEncoding', takes: 'text', effect: 'information' },
  { name: 'contentMediaType', takes: 'text', effect: 'information' },
  { name: 'contentSchema', takes: 'schema', effect: 'information' },
  { name: 'discriminator', takes: 'object', effect: 'information' },
];

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

/** Keywords as they judge: those with subschemas after others, and last what depends on them all. */
export const judgingKeywords: readonly Keyword[] = keywords
  .filter(({ judge }) => judge !== undefined)
  .toSorted((one, other) => rankOf(one) - rankOf(other));

function rankOf({ name, takes }: Keyword): number {
  if (name.startsWith('unevaluated')) return 2;
  return name === '$ref' || /^(schema|pattern-map)/.test(takes) ? 1 : 0;
}

const byName: ReadonlyMap<string, Keyword> = new Map(
  keywords.map((keyword) => [keyword.name, keyword]),
);

/** Undefined for what is no keyword. Extensions (`x-*`) are annotations of any value. */
export function keywordOf(name: string): Keyword | undefined {
  return name.startsWith('x-') ? { name, takes: 'value', effect: 'annotation' } : byName.get(name);
}

/** The facet that a requirement names a keyword by; undefined for none of its own. */
export function facetOf(name: string): string | undefined {
  return byName.get(name)?.facet;
}

/** Why a member of a schema is not a keyword. */
export function unknownKeyword(name: string): string {
  if (name === 'nullable') return 'is a keyword of OpenAPI 3.0 only; write "type": ["...", "null"]';
  const similar = nearestName(name, [...byName.keys()]);
  return similar === undefined
    ? 'is not a keyword of a schema'
    : `is not a keyword of a schema; "${similar}" may be meant`;
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
