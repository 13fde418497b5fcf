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
  const rule: Rule = rules[kind];
  return rule.fits(value) ? undefined : rule.reason;
}

interface Rule {
  readonly reason: string;
  readonly fits: (value: JsonValue) => boolean;
}

const schemaMap: Rule = {
  reason: 'must be an object of schemas',
  fits: (value) => isJsonObject(value) && Object.values(value).every(isSchema),
};

const rules = {
  schema: { reason: 'must be a schema: an object or a boolean', fits: isSchema },
  schemas: {
    reason: 'must be an array of at least one schema',
    fits: (value: JsonValue) => isJsonArray(value) && value.length > 0 && value.every(isSchema),
  },
  'schema-map': schemaMap,
  'pattern-map': schemaMap,
  types: { reason: 'must be a JSON type, or an array of different ones', fits: isTypes },
  number: { reason: 'must be a number', fits: isNumber },
  'positive number': {
    reason: 'must be a number above 0',
    fits: (value: JsonValue) => isNumber(value) && value > 0,
  },
  count: {
    reason: 'must be an integer from 0 on',
    fits: (value: JsonValue) => Number.isInteger(value) && isNumber(value) && value >= 0,
  },
  flag: { reason: 'must be true or false', fits: (value: JsonValue) => typeof value === 'boolean' },
  text: { reason: 'must be a string', fits: (value: JsonValue) => typeof value === 'string' },
  pattern: { reason: 'must be a regular expression of ECMA-262 with the u flag', fits: isPattern },
  names: { reason: 'must be an array of strings', fits: isNames },
  'names-map': {
    reason: 'must be an object of arrays of strings',
    fits: (value: JsonValue) => isJsonObject(value) && Object.values(value).every(isNames),
  },
  values: { reason: 'must be an array', fits: isJsonArray },
  value: { reason: '', fits: () => true },
  object: { reason: 'must be an object', fits: isJsonObject },
  unsupported: {
    reason: 'is not supported; refer with "$ref": "#/..." to a place in this document',
    fits: () => false,
  },
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

const typeNames: readonly JsonValue[] = everyType;

export function isJsonTypeName(value: JsonValue): boolean {
  return typeNames.includes(value);
}

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
