import { countKeyword } from '../count.ts';

/** JSON Schema Validation, section 6.5.2. */
export const minProperties = countKeyword({
  name: 'minProperties',
  side: 'at least',
  noun: 'member',
  wrong: (count) =>
    count === 0 ? [] : [{ name: 'an object with too few members', value: {}, rank: 1 }],
});
