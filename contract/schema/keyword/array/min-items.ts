import { countKeyword } from '../count.ts';

/** JSON Schema Validation, section 6.4.2. */
export const minItems = countKeyword({
  name: 'minItems',
  facet: 'min-items',
  side: 'at least',
  noun: 'item',
  wrong: (count) =>
    count === 0 ? [] : [{ name: 'an array with too few items', value: [], rank: 1 }],
});
