import { decodePercent } from '../../contract/source/percent.ts';

/** A pair of a query or form, the value as it is written. */
export interface QueryPair {
  readonly name: string;
  /** Percent-encoded; `` where there is no equals sign. */
  readonly raw: string;
}

/** The pairs of a query, names decoded. */
export function queryPairs(query: string): readonly QueryPair[] {
  if (query === '') return [];
  return query.split('&').flatMap((pair) => {
    if (pair === '') return [];
    const equals = pair.indexOf('=');
    return [
      {
        name: decodeQuery(equals < 0 ? pair : pair.slice(0, equals)),
        raw: equals < 0 ? '' : pair.slice(equals + 1),
      },
    ];
  });
}

/** All values of a query parameter, decoded as in forms; bad percent-encoding stays. */
export function queryValues(query: string, name: string): readonly string[] {
  if (query === '') return [];
  const values: string[] = [];
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=');
    const key = equals < 0 ? pair : pair.slice(0, equals);
    if (decodeQuery(key) === name)
      values.push(equals < 0 ? '' : decodeQuery(pair.slice(equals + 1)));
  }
  return values;
}

/** Decodes as in forms: a plus sign is a space; bad percent-encoding stays. */
export function decodeQuery(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  const spaced = text.replaceAll('+', ' ');
  return decodePercent(spaced) ?? spaced;
}

/** Texts decoded; the same list where nothing is encoded. */
export function decodeAll(texts: readonly string[]): readonly string[] {
  return texts.some((text) => text.includes('%'))
    ? texts.map((text) => decodePercent(text) ?? text)
    : texts;
}
