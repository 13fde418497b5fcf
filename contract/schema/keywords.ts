import * as array from './keyword/array.ts';
import * as branch from './keyword/branch.ts';
import type { Keyword, ValueKind } from './keyword/keyword.ts';
import * as limit from './keyword/limit.ts';
import * as object from './keyword/object.ts';
import * as text from './keyword/text.ts';
import * as value from './keyword/value.ts';

/** JSON Schema Core, section 8. `$defs` asserts nothing: references use pointers. */
const references: readonly Keyword[] = [
  { name: '$ref', takes: 'text', judge: (place) => place.reference(place.text) },
  ...information('schema-map', '$defs'),
  ...information('object', '$vocabulary'),
  ...information('unsupported', '$id', '$anchor', '$dynamicRef', '$dynamicAnchor'),
];

/** JSON Schema Validation, sections 8 and 9, and the base vocabulary of OpenAPI 3.1. */
const annotations: readonly Keyword[] = [
  ...annotation('text', 'title', 'summary', 'description', '$comment', '$schema'),
  ...annotation('object', 'externalDocs', 'xml'),
  ...annotation('flag', 'deprecated'),
  ...annotation('value', 'example'),
  ...annotation('values', 'examples'),
  ...information('value', 'default'),
  ...information('flag', 'readOnly', 'writeOnly'),
  ...information('text', 'contentEncoding', 'contentMediaType'),
  ...information('schema', 'contentSchema'),
  ...information('object', 'discriminator'),
];

function annotation(takes: ValueKind, ...names: readonly string[]): readonly Keyword[] {
  return names.map((name) => ({ name, takes, effect: 'annotation' }));
}

function information(takes: ValueKind, ...names: readonly string[]): readonly Keyword[] {
  return names.map((name) => ({ name, takes, effect: 'information' }));
}

/** The keywords of OpenAPI 3.1 that this project supports, in the order of requirements. */
export const keywords: readonly Keyword[] = [
  value.type,
  text.format,
  value.enumeration,
  value.constant,
  limit.minimum,
  limit.exclusiveMinimum,
  limit.maximum,
  limit.exclusiveMaximum,
  limit.multipleOf,
  limit.minLength,
  limit.maxLength,
  text.pattern,
  limit.minItems,
  limit.maxItems,
  limit.uniqueItems,
  limit.minProperties,
  limit.maxProperties,
  object.additionalProperties,
  ...object.required,
  ...object.properties,
  ...array.items,
  object.unevaluatedProperties,
  ...branch.branches,
  ...references,
  ...annotations,
];

/**
 * Keywords in the order of judging: those with subschemas after others, and last those that depend on all.
 */
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

/** Undefined for anything else. Extensions (`x-*`) are annotations with any value. */
export function keywordOf(name: string): Keyword | undefined {
  return name.startsWith('x-') ? { name, takes: 'value', effect: 'annotation' } : byName.get(name);
}

/** The facet name of a keyword in requirements; undefined for none. */
export function facetOf(name: string): string | undefined {
  return byName.get(name)?.facet;
}
