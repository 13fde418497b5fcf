import type { Keyword } from '../keyword.ts';
import { countInnerErrors } from '../summary.ts';

/** JSON Schema Core, section 10.3.1.3, and Validation, sections 6.4.4 and 6.4.5. */
export const contains: readonly Keyword[] = [
  {
    name: 'contains',
    takes: 'schema',
    repair: countInnerErrors,
    message: () => 'must have as many items that fit "contains" as the schema says',
  },
  { name: 'minContains', takes: 'count' },
  { name: 'maxContains', takes: 'count' },
];
