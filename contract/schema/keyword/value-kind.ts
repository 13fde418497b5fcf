import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';

/** What a keyword's value must be, and where subschemas stand in it. */
export type ValueKind = keyof typeof rules;

export const everyType = [
  'null',
  'boolean',
  'integer',
  'number',
  'string',
  'array',
  'object',
] as const;

export type JsonType = (typeof everyType)[number];

/** What is wrong with a keyword's value, or undefined. Subschemas are not looked into. */
export function valueIssue(kind: ValueKind, value: JsonValue): string | undefined {
  const [fits, reason]: Rule = rules[kind];
  return fits(value) ? undefined : reason;
}

type Rule = readonly [fits: (value: JsonValue) => boolean, reason: string];

const schemaMap: Rule = [
  (value) => isJsonObject(value) && Object.values(value).every(isSchema),
  'must be an object of schemas',
];

const rules = {
  schema: [isSchema, 'must be a schema: an object or a boolean'],
  schemas: [
    (value: JsonValue) => isJsonArray(value) && value.length > 0 && value.every(isSchema),
    'must be an array of at least one schema',
  ],
  'schema-map': schemaMap,
  'pattern-map': schemaMap,
  types: [isTypes, 'must be a JSON type, or an array of different ones'],
  number: [isNumber, 'must be a number'],
  'positive number': [
    (value: JsonValue) => isNumber(value) && value > 0,
    'must be a number above 0',
  ],
  count: [
    (value: JsonValue) => Number.isInteger(value) && isNumber(value) && value >= 0,
    'must be an integer from 0 on',
  ],
  flag: [(value: JsonValue) => typeof value === 'boolean', 'must be true or false'],
  text: [(value: JsonValue) => typeof value === 'string', 'must be a string'],
  pattern: [isPattern, 'must be a regular expression of ECMA-262 with the u flag'],
  names: [isNames, 'must be an array of strings'],
  'names-map': [
    (value: JsonValue) => isJsonObject(value) && Object.values(value).every(isNames),
    'must be an object of arrays of strings',
  ],
  values: [isJsonArray, 'must be an array'],
  value: [() => true, ''],
  object: [isJsonObject, 'must be an object'],
  unsupported: [
    () => false,
    'is not supported; refer with "$ref": "#/..." to a place in this document',
  ],
} as const satisfies Readonly<Record<string, Rule>>;

function isSchema(value: JsonValue | undefined): boolean {
  return typeof value === 'boolean' || isJsonObject(value);
}

function isNumber(value: JsonValue): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value));
}

function isNames(value: JsonValue | undefined): boolean {
  return isJsonArray(value) && value.every((name) => typeof name === 'string');
}

export function isJsonTypeName(value: JsonValue): boolean {
  return everyType.some((name) => name === value);
}

function isTypes(value: JsonValue): boolean {
  const names = isJsonArray(value) ? value : [value];
  const isEach = names.length > 0 && names.every(isJsonTypeName);
  return isEach && new Set(names).size === names.length;
}

function isPattern(value: JsonValue): boolean {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
