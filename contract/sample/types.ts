import type { JsonValue } from '../json/value.ts';
import { allowedTypes } from '../schema/keyword/type.ts';
import { everyType, type JsonType } from '../schema/keyword/value-kind.ts';
import type { Part } from './view/part.ts';

/** From what takes least to what takes most. */
export const weights: Readonly<Record<JsonType, number>> = {
  null: 0,
  boolean: 1,
  integer: 1,
  number: 1,
  string: 1,
  array: 2,
  object: 3,
};

/** The types to try, the likeliest first. `isAmple`: more than the least is made. */
export function listTypes(parts: readonly Part[], isAmple: boolean): readonly JsonType[] {
  const allowed = allowedTypes(parts.map(({ schema }) => schema));
  const told = allowed ?? [...new Set([...impliedTypes(parts), ...everyType])];
  const types = told.filter((one) => one !== 'integer' || !told.includes('number') || !isAmple);
  if (!isAmple) return types.toSorted((one, other) => weights[one] - weights[other]);
  return types.toSorted((one, other) => Number(one === 'null') - Number(other === 'null'));
}

/** The types that keywords speak of where `type` does not; text where they speak of none. */
function impliedTypes(parts: readonly Part[]): readonly JsonType[] {
  const found = everyType.filter((one) =>
    impliedBy[one]?.some((name) => parts.some(({ schema }) => schema[name] !== undefined)),
  );
  return found.length === 0 ? ['string'] : found;
}

const impliedBy: Readonly<Partial<Record<JsonType, readonly string[]>>> = {
  object: [
    'properties',
    'required',
    'additionalProperties',
    'patternProperties',
    'propertyNames',
    'minProperties',
    'dependentRequired',
    'dependentSchemas',
    'unevaluatedProperties',
  ],
  array: ['items', 'prefixItems', 'contains', 'minItems'],
  string: ['pattern', 'minLength', 'format'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
};

/** Tells whether a value is of one of the types that all parts allow. */
export function createTypeTest(parts: readonly Part[]): (value: JsonValue) => boolean {
  const types = allowedTypes(parts.map(({ schema }) => schema)) ?? everyType;
  return (value) => types.some((one) => isOfType(value, one));
}

function isOfType(value: JsonValue, one: JsonType): boolean {
  if (typeof value === 'bigint') return one === 'integer' || one === 'number';
  if (typeof value === 'number')
    return one === 'number' || (one === 'integer' && Number.isInteger(value));
  return value === null ? one === 'null' : typeof value === one;
}
