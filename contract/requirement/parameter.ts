import { type JsonValue, renderJson } from '../json/value.ts';
import type { Operation } from '../openapi/operation.ts';
import type { Parameter } from '../openapi/parameter.ts';
import { extremeOf } from '../schema/extreme.ts';
import type { Resource } from '../resource/resource.ts';
import {
  type Draft,
  type Drafts,
  draftsOf,
  type Level,
  type ParameterFacet,
} from './requirement.ts';

/** The values of a query parameter that are taken, and what it does to the list of a resource. */
export function* listParameterRequirements(
  operation: Operation,
  parameter: Parameter,
  resources: readonly Resource[],
): Drafts {
  if (parameter.in !== 'query') return;
  const { id } = operation;
  const { name, pointer } = parameter;
  const draft = (facet: ParameterFacet, demand: string, level?: Level): Draft =>
    draftsOf(operation)({ kind: 'parameter', name, facet }, `${id} ${demand}.`, pointer, level);
  const { values } = parameter.schema.shape();
  const minimum = extremeOf(parameter.schema, 'minimum');
  const maximum = extremeOf(parameter.schema, 'maximum');
  const resource = resources.find((each) => each.list.id === operation.id);
  if (minimum !== undefined) yield draft('minimum', `accepts ${name}=${renderValue(minimum)}`);
  if (maximum !== undefined) yield draft('maximum', `accepts ${name}=${renderValue(maximum)}`);
  if (values)
    yield draft('values', `accepts each of ${values.map(renderValue).join(', ')} as ${name}`);
  if (resource?.limit?.parameter.name === name) {
    yield draft('bound', `never returns more items than ${name} allows`);
    yield draft('filled', `returns as many items as exist, up to ${name}`, 'should');
    const preset = resource.limit.default;
    if (preset !== undefined)
      yield draft('default', `without ${name} responds as with ${name}=${renderValue(preset)}`);
  }
  // What is not added by requests is seldom known well enough to say which of it has to be shown.
  const isFilter = resource?.filters.some((filter) => filter.parameter.name === name) === true;
  if (isFilter && resource.create !== undefined && !parameter.required) {
    yield draft(
      'filter',
      `with ${name} returns all items with that value, up to the limit, and no others`,
    );
  }
}

/** A value as a query string carries it, unquoted. */
function renderValue(value: JsonValue): string {
  return typeof value === 'string' ? value : renderJson(value);
}
