import type { Keyword } from '../keyword.ts';

/** JSON Schema Core, section 10.2.1.4. */
export const not: Keyword = {
  name: 'not',
  takes: 'schema',
  isInPlace: true,
  message: () => 'must not fit the schema under "not"',
};
