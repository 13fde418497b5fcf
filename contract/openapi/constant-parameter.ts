import { isJsonArray, isJsonObject } from '../json/value.ts';
import type { Parameter } from './parameter.ts';
import { withoutQuery } from './path-pattern.ts';

/** A header or query parameter that has the same value in each request of an operation. */
export interface ConstantParameter {
  readonly in: 'header' | 'query';
  readonly name: string;
  readonly value: string;
}

/** What a request chooses an operation by. */
interface Addressed {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
}

/** The required headers and query parameters whose schema allows one text only. */
export function listConstants({
  parameters,
}: Pick<Addressed, 'parameters'>): readonly ConstantParameter[] {
  const constants: ConstantParameter[] = [];
  for (const { in: place, name, required, schema } of parameters) {
    if (!required || (place !== 'header' && place !== 'query')) continue;
    const [value, ...others] = schema.shape().values ?? [];
    if (value === undefined || value === null || others.length > 0) continue;
    if (!isJsonObject(value) && !isJsonArray(value))
      constants.push({ in: place, name, value: `${value}` });
  }
  return constants;
}

/**
 * The operations that no request can mean: their paths have a query or a fragment, and no constant
 * parameter tells them from others of the same path, as `X-Amz-Target` and `Action` do.
 */
export function listUnaddressable<Operation extends Addressed>(
  operations: readonly Operation[],
): ReadonlySet<Operation> {
  const routes = Map.groupBy(
    operations.filter(({ path }) => withoutQuery(path) !== path),
    (operation) => {
      const { method, path } = operation;
      const real = withoutQuery(path).replaceAll(/\{[^{}]*\}/g, '{}');
      return JSON.stringify([method, real, listConstants(operation)]);
    },
  );
  const found = [...routes.values()].flatMap((rivals) =>
    rivals.length > 1 || rivals.some((operation) => listConstants(operation).length === 0)
      ? rivals
      : [],
  );
  return new Set(found);
}
