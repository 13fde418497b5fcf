import { pathPattern, type Contract, type Operation } from '../../contract/index.ts';

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
  const fitting = operations.filter(
    (operation) => operation.method === method && templatePattern(operation.path).test(path),
  );
  return fitting.toSorted((a, b) => countParameters(a.path) - countParameters(b.path))[0];
}

function templatePattern(template: string): RegExp {
  return new RegExp(`^${pathPattern(template, '[^/]+')}$`);
}

function countParameters(template: string): number {
  return template.split('{').length - 1;
}
