import { jsonEquals } from '../json/value.ts';
import type { Operation } from '../openapi/operation.ts';
import type { Parameter } from '../openapi/parameter.ts';
import type { Resource } from './resource.ts';
import type { SchemaNode, Shape } from '../schema/schema-node.ts';

/**
 * The query parameters of a list that keep items by equality: those with the name and schema of a
 * property. `named` overrules: parameter to property.
 */
export function compileFilters(
  list: Operation,
  item: SchemaNode,
  named: ReadonlyMap<string, string> | undefined,
): Resource['filters'] {
  const { properties } = item.shape();
  return list.parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap((parameter) => {
      const property =
        named === undefined ? inferred(parameter, properties) : named.get(parameter.name);
      return property === undefined || !properties.has(property) ? [] : [{ parameter, property }];
    });
}

function inferred(parameter: Parameter, properties: Shape['properties']): string | undefined {
  const property = properties.get(parameter.name);
  return property !== undefined && isSameSchema(property, parameter.schema)
    ? parameter.name
    : undefined;
}

function isSameSchema(property: SchemaNode, parameter: SchemaNode): boolean {
  if (property.pointer === parameter.pointer) return true;
  const [left, right] = [property.shape(), parameter.shape()];
  const types = left.types.filter((type) => type !== 'null');
  return (
    types.length === 1 &&
    types[0] !== 'array' &&
    types[0] !== 'object' &&
    right.types.length === 1 &&
    types[0] === right.types[0] &&
    jsonEquals(valuesOf(left), valuesOf(right))
  );
}

function valuesOf(shape: Shape): Shape['values'] & object {
  return (shape.values ?? []).filter((value) => value !== null);
}
