import { isRecord, type JsonRecord, listOf, recordOf } from '../document/json.ts';
import type { Operation } from '../document/operation.ts';
import { dereference } from '../document/place.ts';

/** What a request carries to be let in. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: readonly string[];
  readonly cookies: readonly string[];
}

const key = 'demo';

/** Credentials for the first alternative of an operation whose schemes the document describes. */
export function makeCredentials(root: JsonRecord, { node }: Operation): Credentials {
  const schemes = recordOf(recordOf(root['components'])['securitySchemes']);
  const alternatives = listOf(node['security'] ?? root['security']).filter(isRecord);
  const named = alternatives.map((one) =>
    Object.keys(one).map((name) => dereference(root, schemes[name])),
  );
  const known = named.find((list) => list.every(isRecord)) ?? named[0] ?? [];
  const carried = known.filter(isRecord).map(carry);
  return {
    headers: Object.assign({}, ...carried.map(({ headers }) => headers)),
    query: carried.flatMap(({ query }) => query),
    cookies: carried.flatMap(({ cookies }) => cookies),
  };
}

function carry(scheme: JsonRecord): Credentials {
  const none = { headers: {}, query: [], cookies: [] };
  const name = String(scheme['name']);
  switch (scheme['type']) {
    case 'apiKey':
      if (scheme['in'] === 'header') return { ...none, headers: { [name.toLowerCase()]: key } };
      if (scheme['in'] === 'query')
        return { ...none, query: [`${encodeURIComponent(name)}=${key}`] };
      return { ...none, cookies: [`${name}=${key}`] };
    case 'http':
      return { ...none, headers: { authorization: authorization(String(scheme['scheme'])) } };
    case 'mutualTLS':
      return none;
    default:
      return { ...none, headers: { authorization: `Bearer ${key}` } };
  }
}

function authorization(scheme: string): string {
  if (scheme.toLowerCase() === 'basic')
    return `Basic ${Buffer.from(`${key}:${key}`).toString('base64')}`;
  return scheme.toLowerCase() === 'bearer' ? `Bearer ${key}` : `${scheme} ${key}`;
}
