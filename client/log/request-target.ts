import { compilePathMatch } from '../../contract/openapi/path-pattern.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/openapi/operation.ts';

/** Relative to the base address; what is not under it begins with `/..` (RFC 3986, 5.2.4). */
export function relativeTarget(target: string, basePath: string): string {
  const local = target.replace(/^https?:\/\/[^/?#]*/i, '');
  const rest = local.startsWith(basePath) ? local.slice(basePath.length) : undefined;
  return rest !== undefined && /^(?:[/?]|$)/.test(rest)
    ? rest
    : `${'/..'.repeat(basePath.split('/').length - 1)}${local}`;
}

/**
 * The operation of a contract that a request calls, by method and path relative to the base
 * address; undefined for none. Paths without parameters go first (OpenAPI 3.1, Path Templating
 * Matching).
 */
export function matchOperation(
  { operations }: Contract,
  method: string,
  path: string,
): Operation | undefined {
  return operations
    .filter((operation) => operation.method === method && matchTemplate(operation.path, path))
    .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)[0];
}

/** The texts of a template's parameters in a path, encoded; undefined where it does not fit. */
export function matchTemplate(template: string, path: string): readonly string[] | undefined {
  return compilePathMatch(template)(path);
}
