import { jsonEquals, type JsonValue } from '../../../json/value.ts';

/**
 * Whether a value equals one of the list, as `enum` has it: exact, numbers by value, member order
 * aside.
 */
export function createMembership(values: readonly JsonValue[]): (value: JsonValue) => boolean {
  const simple = new Set<JsonValue>(values.filter(isSimple));
  const others = values.filter((value) => !isSimple(value));
  return (value) => simple.has(value) || others.some((other) => jsonEquals(other, value));
}

/** A value that `===` compares as JSON Schema does: one whose number has a single form. */
export function isSimple(value: JsonValue): value is null | boolean | number | string {
  if (typeof value === 'number') return Number.isSafeInteger(value) || !Number.isInteger(value);
  return typeof value === 'string' || typeof value === 'boolean' || value === null;
}
