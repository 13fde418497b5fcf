/** JSON text to a value, with a `bigint` for every integer that a double does not hold. */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, (_name, value, { source }) =>
    typeof value === 'number' && /^-?\d+$/.test(source ?? '') && !Number.isSafeInteger(value)
      ? BigInt(source ?? '')
      : value,
  );
}

/** A value to JSON text, a `bigint` as the integer that it is. */
export function renderExactly(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'bigint' ? JSON.rawJSON(`${member}`) : member,
  );
}
