import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';
import { limitKeyword, testKeyword } from './keyword.ts';

/** JSON Schema Validation, section 6.4.3. */
export const uniqueItems = limitKeyword<boolean>(
  {
    name: 'uniqueItems',
    takes: 'flag',
    judge: (place) =>
      place.value === true
        ? testKeyword(
            place,
            (value) => isJsonArray(value) && !hasUniqueItems(value),
            () => 'must not have two equal items',
          )
        : undefined,
    facet: 'unique-items',
  },
  (parts) => parts.some(({ schema }) => schema.uniqueItems === true) || undefined,
  () => ({ demand: 'has no duplicate items' }),
);

/** Linear in the size of the items, so that a long array cannot hold a server up. */
export function hasUniqueItems(items: readonly JsonValue[]): boolean {
  const seen = new Set<JsonValue>();
  return items.every((item) => seen.size < seen.add(equalityKey(item)).size);
}

/** Equal for equal values. Strings are keys as they are; the text of any other value begins with a NUL. */
export function equalityKey(value: JsonValue): JsonValue {
  return typeof value === 'string' && !value.startsWith('\0') ? value : `\0${canonicalText(value)}`;
}

/** The same text for equal values, different texts for different ones. */
function canonicalText(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(
      ([name, member]) => `${JSON.stringify(name)}:${canonicalText(member ?? null)}`,
    );
    return `{${members.toSorted().join(',')}}`;
  }
  if (typeof value === 'number' && Number.isInteger(value)) return String(BigInt(value));
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}
