import type { Keyword } from '../keyword.ts';
import { renderShort } from '../wording.ts';

/** JSON Schema Validation, sections 6.5.3 and 6.5.4. */
export const required: readonly Keyword[] = [
  { name: 'required', takes: 'names', facet: 'required', message: () => 'is required' },
  {
    name: 'dependentRequired',
    takes: 'names-map',
    message: ({ params }) => `is required beside ${renderShort(String(params.property))}`,
  },
];
