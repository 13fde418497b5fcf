import { compilePathMatch } from '../../contract/openapi/path-pattern.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import { once } from '../../contract/memo/once.ts';
import type { SentRequest } from '../transport/exchange.ts';

type Headers = SentRequest['headers'];

/** The operation that a client's request goes to. */
export type Route =
  | { readonly kind: 'operation'; readonly operation: Operation; readonly texts: PathTexts }
  /** No operation, or an ambiguous one. The reason follows "since". */
  | { readonly kind: 'none'; readonly reason: string };

/** Values of the path parameters by name, decoded. */
type PathTexts = ReadonlyMap<string, string>;

const none = (reason: string): Route => ({ kind: 'none', reason });

/**
 * Finds the operation of a method and a target relative to the base URL: `/pets?limit=1`. Paths
 * with fewer parameters go first (OpenAPI 3.1, Path Templating Matching). If two paths with equally
 * many parameters match, neither is chosen.
 */
export const routerOf = once(({ operations }: Contract) => {
  const templates = Map.groupBy(
    operations
      .map((operation) => ({
        operation,
        match: compilePathMatch(operation.path),
        names: [...operation.path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name),
      }))
      .toSorted((one, other) => one.names.length - other.names.length),
    ({ operation: { method, path } }) => `${method} ${path.split('/').length}`,
  );
  return (method: string, target: string): Route => {
    const [path = ''] = target.split('?');
    const rows = templates.get(`${method} ${path.split('/').length}`) ?? [];
    const found = rows.find(({ match }) => match(path) !== undefined);
    if (found === undefined) return none('the document has no such path and method');
    const { operation, names } = found;
    const isRivalled = rows.some(
      (row) => row !== found && row.names.length === names.length && row.match(path) !== undefined,
    );
    if (isRivalled) return none('it matches two paths of the document');
    const texts = found.match(path) ?? [];
    try {
      const values = names.map((name, at) => [name, decodeURIComponent(texts[at] ?? '')] as const);
      return { kind: 'operation', operation, texts: new Map(values) };
    } catch {
      // Such a path is invalid (RFC 3986 section 2.1).
      return none('its path has invalid percent-encoding');
    }
  };
});

/** Whether a request is a CORS preflight (Fetch standard, CORS-preflight request). */
export function isPreflight({ method, headers }: Pick<SentRequest, 'method' | 'headers'>): boolean {
  return method === 'OPTIONS' && fieldOf(headers, 'access-control-request-method') !== undefined;
}

/** The value of a header by its name in lower case, the first of several; undefined for none. */
export function fieldOf(headers: Headers, name: string): string | undefined {
  return headers.find(([each]) => each.length === name.length && each.toLowerCase() === name)?.[1];
}

/** The parameters of a request. */
export interface ParameterTexts {
  readonly path: PathTexts;
  readonly query: URLSearchParams;
  readonly headers: Headers;
}

/** The texts of a parameter, decoded; empty if the request does not have it. */
export function readTexts(
  { path, query, headers }: ParameterTexts,
  { in: place, name }: Parameter,
): readonly string[] {
  switch (place) {
    case 'path':
      return [path.get(name) ?? ''];
    case 'querystring':
      return query.size === 0 ? [] : [query.toString()];
    case 'query':
      return query.getAll(name);
    case 'header':
      return headers.flatMap(([each, text]) =>
        each.toLowerCase() === name.toLowerCase() ? [text.trim()] : [],
      );
    case 'cookie':
      return cookiesOf(headers).flatMap(([each, text]) => (each === name ? [text] : []));
  }
}

/** The cookies of a request. HTTP/2 may send them in several fields (RFC 9113 section 8.2.3). */
export function cookiesOf(headers: Headers): ReturnType<typeof readCookies> {
  return headers.flatMap(([name, text]) => (/^cookie$/i.test(name) ? readCookies(text) : []));
}

/** The pairs of a `Cookie` field (RFC 6265 section 4.2). */
export function readCookies(field: string): readonly (readonly [name: string, value: string])[] {
  return field.split(';').flatMap((pair) => {
    const mark = pair.indexOf('=');
    return mark < 0 ? [] : [[pair.slice(0, mark).trim(), pair.slice(mark + 1).trim()] as const];
  });
}
