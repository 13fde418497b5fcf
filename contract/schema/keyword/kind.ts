import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';

/**
 * The keywords of a schema object in OpenAPI 3.1: those of JSON Schema 2020-12 that this project
 * keeps, and those of the OpenAPI base vocabulary. What a keyword's value must be, and where
 * subschemas stand in it.
 */
export type KeywordKind =
  | 'schema'
  | 'schemas'
  | 'schema-map'
  | 'types'
  | 'number'
  | 'positive number'
  | 'count'
  | 'flag'
  | 'text'
  | 'pattern'
  | 'names'
  | 'names-map'
  | 'values'
  | 'value'
  | 'object'
  | 'unsupported';

/** What `name` is, or undefined for no keyword. Extensions (`x-*`) hold any value. */
export function keywordKind(name: string): KeywordKind | undefined {
  return name.startsWith('x-') ? 'value' : kinds.get(name);
}

/** What is wrong with a keyword's value, or undefined. Subschemas are not looked into. */
export function keywordFault(kind: KeywordKind, value: JsonValue): string | undefined {
  const rule = rules[kind];
  return rule.fits(value) ? undefined : rule.reason;
}

/**
 * The keyword that a name may have been meant as, one slip of the keyboard away; undefined for
 * none.
 */
export function similarKeyword(name: string): string | undefined {
  return [...kinds.keys()].find((keyword) =>
    isOneSlipAway(name.toLowerCase(), keyword.toLowerCase()),
  );
}

/** Keywords that constrain nothing, so that a `$ref` beside them stands for its target alone. */
export function isAnnotation(name: string): boolean {
  return name.startsWith('x-') || annotations.includes(name);
}

/** Keywords that a value can break, and those that apply subschemas to it. */
export function isAssertion(name: string): boolean {
  return kinds.has(name) && !isAnnotation(name) && !unasserted.includes(name);
}

const annotations = [
  'title',
  'summary',
  'description',
  '$comment',
  '$schema',
  'externalDocs',
  'xml',
  'deprecated',
  'example',
  'examples',
];

/**
 * What says more about a value but refuses none. `$defs` is here since references name their
 * targets by pointer.
 */
const unasserted = [
  'default',
  'readOnly',
  'writeOnly',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
  'discriminator',
  '$defs',
  '$vocabulary',
  '$id',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
];

const namesByKind: Readonly<Record<KeywordKind, string>> = {
  schema:
    'not if then else items contains additionalProperties propertyNames unevaluatedItems unevaluatedProperties contentSchema',
  schemas: 'allOf anyOf oneOf prefixItems',
  'schema-map': 'properties patternProperties dependentSchemas $defs',
  types: 'type',
  number: 'minimum maximum exclusiveMinimum exclusiveMaximum',
  'positive number': 'multipleOf',
  count:
    'minLength maxLength minItems maxItems minContains maxContains minProperties maxProperties',
  flag: 'uniqueItems readOnly writeOnly deprecated',
  text: '$ref $comment $schema title summary description format contentEncoding contentMediaType',
  pattern: 'pattern',
  names: 'required',
  'names-map': 'dependentRequired',
  values: 'enum examples',
  value: 'const default example',
  object: 'discriminator xml externalDocs $vocabulary',
  unsupported: '$id $anchor $dynamicRef $dynamicAnchor',
};

const kinds: ReadonlyMap<string, KeywordKind> = new Map(
  keysOf(namesByKind).flatMap((kind) =>
    namesByKind[kind].split(' ').map((name): [string, KeywordKind] => [name, kind]),
  ),
);

interface Rule {
  readonly reason: string;
  readonly fits: (value: JsonValue) => boolean;
}

const rules: Readonly<Record<KeywordKind, Rule>> = {
  schema: { reason: 'must be a schema: an object or a boolean', fits: isSchema },
  schemas: {
    reason: 'must be an array of at least one schema',
    fits: (value) => isJsonArray(value) && value.length > 0 && value.every(isSchema),
  },
  'schema-map': {
    reason: 'must be an object of schemas',
    fits: (value) => isJsonObject(value) && Object.values(value).every(isSchema),
  },
  types: { reason: 'must be a JSON type, or an array of different ones', fits: isTypes },
  number: { reason: 'must be a number', fits: isNumber },
  'positive number': {
    reason: 'must be a number above 0',
    fits: (value) => isNumber(value) && value > 0,
  },
  count: {
    reason: 'must be an integer from 0 on',
    fits: (value) => Number.isInteger(value) && isNumber(value) && value >= 0,
  },
  flag: { reason: 'must be true or false', fits: (value) => typeof value === 'boolean' },
  text: { reason: 'must be a string', fits: (value) => typeof value === 'string' },
  pattern: { reason: 'must be a regular expression of ECMA-262 with the u flag', fits: isPattern },
  names: { reason: 'must be an array of strings', fits: isNames },
  'names-map': {
    reason: 'must be an object of arrays of strings',
    fits: (value) => isJsonObject(value) && Object.values(value).every(isNames),
  },
  values: { reason: 'must be an array', fits: isJsonArray },
  value: { reason: '', fits: () => true },
  object: { reason: 'must be an object', fits: isJsonObject },
  unsupported: {
    reason: 'is not supported; refer with "$ref": "#/..." to a place in this document',
    fits: () => false,
  },
};

function isSchema(value: JsonValue | undefined): boolean {
  return typeof value === 'boolean' || isJsonObject(value);
}

function isNumber(value: JsonValue): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value));
}

function isNames(value: JsonValue | undefined): boolean {
  return isJsonArray(value) && value.every((name) => typeof name === 'string');
}

const typeNames: readonly JsonValue[] = [
  'null',
  'boolean',
  'integer',
  'number',
  'string',
  'array',
  'object',
];

function isTypes(value: JsonValue): boolean {
  if (!isJsonArray(value)) return typeNames.includes(value);
  return (
    value.length > 0 &&
    value.every((name) => typeNames.includes(name)) &&
    new Set(value).size === value.length
  );
}

function isPattern(value: JsonValue): boolean {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** One letter more, less or other, or two neighbours exchanged. */
function isOneSlipAway(left: string, right: string): boolean {
  let start = 0;
  while (start < left.length && left[start] === right[start]) start += 1;
  const [a, b] = [left.slice(start), right.slice(start)];
  const isExchanged = a.length > 1 && a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
  return a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1) || isExchanged;
}

function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): readonly Key[] {
  return Object.keys(record).filter((key): key is Key => key in record);
}
