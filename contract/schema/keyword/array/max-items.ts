import { countKeyword } from '../count.ts';

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
