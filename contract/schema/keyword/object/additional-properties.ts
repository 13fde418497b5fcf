import type { LimitKeyword } from '../keyword.ts';

/** JSON Schema Core, section 10.3.2.3. The shape shows false, be it said here or by `unevaluatedProperties`. */
export const additionalProperties: LimitKeyword<false> = {
  name: 'additionalProperties',
  takes: 'schema',
  facet: 'additional',
  limit: (schemas) =>
    schemas.some((schema) =>
      [schema.additionalProperties, schema.unevaluatedProperties].includes(false),
    )
      ? { value: false, demand: 'has no additional members' }
      : undefined,
};
