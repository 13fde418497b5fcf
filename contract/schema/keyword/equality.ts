import { renderCanonicalJson } from '../../json/canonical.ts';
import type { JsonValue } from '../../json/value.ts';

/** Linear in the size of the items, so that a long array cannot block a server. */
export function hasUniqueItems(items: readonly JsonValue[]): boolean {
  const seen = new Set<JsonValue>();
  return items.every((item) => seen.size < seen.add(equalityKey(item)).size);
}

/** A test whether a value equals one of a list, as in `enum`. */
export function createMembership(values: readonly JsonValue[]): (value: JsonValue) => boolean {
  const keys = new Set(values.map(equalityKey));
  return (value) => keys.has(equalityKey(value));
}

/** A key that is `===` for equal values. A string is its own key; other string keys begin with a NUL. */
function equalityKey(value: JsonValue): JsonValue {
  const isOwnKey =
    typeof value === 'string'
      ? !value.startsWith('\0')
      : value === null || typeof value === 'boolean' || isSingleForm(value);
  return isOwnKey ? value : `\0${renderCanonicalJson(value, renderExact)}`;
}

/** Whether a number has only one representation: a large integer may be a number or a bigint. */
function isSingleForm(value: JsonValue): boolean {
  return typeof value === 'number' && (Number.isSafeInteger(value) || !Number.isInteger(value));
}

/** The same text for equal numbers of any size. */
function renderExact(value: number | bigint): string {
  return Number.isInteger(value) ? String(BigInt(value)) : String(value);
}
