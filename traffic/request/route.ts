import { compilePathMatch, type MatchPath } from '../../contract/openapi/path-pattern.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/openapi/operation.ts';

/** Where a request goes. */
export type Route =
  | {
      readonly kind: 'operation';
      readonly operation: Operation;
      /** Values of the path parameters by name, decoded. */
      readonly values: ReadonlyMap<string, string>;
    }
  /** No operation of the document, or which one is unknown. Follows "since". */
  | { readonly kind: 'none'; readonly reason: string };

/** Finds the operation of a method and a target relative to the base address: `/pets?limit=1`. */
export type Router = (method: string, target: string) => Route;

interface Template {
  readonly operation: Operation;
  readonly match: MatchPath;
  readonly names: readonly string[];
}

const unknown: Route = { kind: 'none', reason: 'the document has no such path and method' };
const rival: Route = { kind: 'none', reason: 'it matches two paths of the document' };

/**
 * Compiles the paths of a document. Those without parameters go first (OpenAPI 3.1, Path Templating
 * Matching); where two with as many parameters fit, neither is taken.
 */
export function compileRouter({ operations }: Contract): Router {
  const templates = Map.groupBy(
    operations.map(compileTemplate).toSorted((one, other) => one.names.length - other.names.length),
    ({ operation: { method, path } }) => `${method} ${path.split('/').length}`,
  );
  return (method, target) => {
    const [path = ''] = target.split('?');
    const rows = templates.get(`${method} ${path.split('/').length}`) ?? [];
    const found = rows.find(({ match }) => match(path) !== undefined);
    if (found === undefined) return unknown;
    const isRivalled = rows.some(
      (row) =>
        row !== found && row.names.length === found.names.length && row.match(path) !== undefined,
    );
    return isRivalled ? rival : readValues(found, path);
  };
}

function compileTemplate(operation: Operation): Template {
  return {
    operation,
    match: compilePathMatch(operation.path),
    names: [...operation.path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name),
  };
}

/** A path whose percent-encoding cannot be read names no item (RFC 3986 section 2.1). */
function readValues({ operation, match, names }: Template, path: string): Route {
  const texts = match(path) ?? [];
  try {
    const values = new Map(names.map((name, at) => [name, decodeURIComponent(texts[at] ?? '')]));
    return { kind: 'operation', operation, values };
  } catch {
    return { kind: 'none', reason: 'its path has invalid percent-encoding' };
  }
}

/**
 * The target of an address relative to a base address: `/pets?limit=1`; undefined for one that is
 * not below it.
 */
export function relativeTarget(url: string, baseUrl: string): string | undefined {
  const rest = url.startsWith(baseUrl) ? url.slice(baseUrl.length) : undefined;
  return rest !== undefined && /^[/?]/.test(rest) ? rest : undefined;
}
