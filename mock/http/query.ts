/** All values of a query parameter, decoded as in forms; bad percent-encoding stays. */
export function queryValues(query: string, name: string): readonly string[] {
  if (query === '') return [];
  const values: string[] = [];
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=');
    const key = equals < 0 ? pair : pair.slice(0, equals);
    if (decode(key) === name) values.push(equals < 0 ? '' : decode(pair.slice(equals + 1)));
  }
  return values;
}

function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  const spaced = text.replaceAll('+', ' ');
  return decodePercent(spaced) ?? spaced;
}

/** Decodes percent-encoding (RFC 3986 section 2.1); undefined where it is malformed or no UTF-8. */
export function decodePercent(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
