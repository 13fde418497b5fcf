import { isRecord, type JsonRecord } from './json.ts';
import { placeAt } from './place.ts';

const types = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);
const numbers = new Set(
  `minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems
   maxItems minProperties maxProperties`.split(/\s+/),
);
const lists = new Set(['allOf', 'anyOf', 'oneOf', 'enum']);

/**
 * False for a keyword whose value means nothing: documents have such faults, and what else their
 * schemas say can be judged by all the same.
 */
export function isSoundKeyword(root: JsonRecord, name: string, value: unknown): boolean {
  if (name === 'type')
    return [value].flat().every((type) => typeof type === 'string' && types.has(type));
  if (numbers.has(name)) return typeof value === 'number';
  if (lists.has(name)) return Array.isArray(value) && value.length > 0;
  if (name === 'pattern') return isPattern(value);
  if (name === 'properties') return isRecord(value);
  if (name === '$ref') return typeof value !== 'string' || leadsSomewhere(root, value);
  return true;
}

/** A regular expression with the flag `u` or without. */
function isPattern(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    return new RegExp(value) instanceof RegExp;
  } catch {
    return false;
  }
}

function leadsSomewhere(root: JsonRecord, reference: string): boolean {
  return !reference.startsWith('#') || placeAt(root, reference).node !== undefined;
}
