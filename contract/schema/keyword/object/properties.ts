import type { Keyword } from '../keyword.ts';
import { countInnerErrors } from '../summary.ts';

/** JSON Schema Core, sections 10.2.2.4, 10.3.2.1, 10.3.2.2 and 10.3.2.4. */
export const properties: readonly Keyword[] = [
  { name: 'properties', takes: 'schema-map' },
  { name: 'patternProperties', takes: 'pattern-map' },
  { name: 'dependentSchemas', takes: 'schema-map', isInPlace: true },
  { name: 'propertyNames', takes: 'schema', repair: countInnerErrors },
];
