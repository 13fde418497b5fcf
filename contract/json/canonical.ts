import { isJsonArray, isJsonObject, type JsonValue } from './value.ts';

/**
 * A value as canonical JSON (RFC 8785): no space, members in the order of their UTF-16 code units,
 * strings and numbers as ECMAScript writes them. The same value gives the same bytes in every
 * implementation.
 *
 * @throws {TypeError} for an integer that a double cannot hold, for which RFC 8785 has no form
 */
export function renderCanonicalJson(value: JsonValue): string {
  if (typeof value === 'bigint')
    throw new TypeError(`${value} has no canonical form: a double cannot hold it`);
  if (isJsonArray(value)) return `[${value.map(renderCanonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  // Without a comparison `toSorted` goes by code units, as RFC 8785 section 3.2.3 wants it.
  const members = Object.keys(value)
    .toSorted()
    .map((name) => [JSON.stringify(name), value[name]] as const)
    .flatMap(([name, member]) =>
      member === undefined ? [] : `${name}:${renderCanonicalJson(member)}`,
    );
  return `{${members.join(',')}}`;
}
