import type { Keyword } from '../keyword.ts';

/** JSON Schema Core, sections 10.3.1.1 and 10.3.1.2. */
export const items: readonly Keyword[] = [
  { name: 'items', takes: 'schema' },
  { name: 'prefixItems', takes: 'schemas' },
];
