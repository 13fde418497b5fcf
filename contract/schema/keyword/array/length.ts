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

/** JSON Schema Validation, section 6.4.1. */
export const maxItems = countKeyword({
  name: 'maxItems',
  facet: 'max-items',
  side: 'at most',
  noun: 'item',
  wrong: (count) =>
    count < 1000
      ? [{ name: 'an array with too many items', value: texts(count + 1), rank: 2 }]
      : [],
});

function texts(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `v${index}`);
}
