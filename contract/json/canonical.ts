import { isJsonArray, isJsonObject, isNumeric, type JsonValue } from './value.ts';

/**
 * A value as canonical JSON (RFC 8785): no white space, members in the order of their UTF-16 code units,
 * strings and numbers as ECMAScript writes them. The same value gives the same bytes in every
 * implementation. `renderNumber`: writes numbers differently.
 * @throws {TypeError} for an integer beyond double precision, for which RFC 8785 has no form
 */
export function renderCanonicalJson(value: JsonValue, renderNumber = renderDouble): string {
  if (isNumeric(value)) return renderNumber(value);
  if (isJsonArray(value))
    return `[${value.map((item) => renderCanonicalJson(item, renderNumber)).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  // Without a comparator, `toSorted` uses code units, as RFC 8785 section 3.2.3 requires.
  const members = Object.keys(value)
    .toSorted()
    .map((name) => [JSON.stringify(name), value[name]] as const)
    .flatMap(([name, member]) =>
      member === undefined ? [] : `${name}:${renderCanonicalJson(member, renderNumber)}`,
    );
  return `{${members.join(',')}}`;
}

function renderDouble(value: number | bigint): string {
  if (typeof value === 'number') return JSON.stringify(value);
  throw new TypeError(`${value} has no canonical form: a double cannot hold it`);
}
