import { countKeyword } from '../count.ts';

/** JSON Schema Validation, section 6.3.2. Characters are code points. */
export const minLength = countKeyword({
  name: 'minLength',
  facet: 'min-length',
  side: 'at least',
  noun: 'character',
  edges: (count) => (count > 10_000 ? [] : ['a'.repeat(count)]),
  wrong: (count) => {
    if (count === 0) return [];
    return count > 10_000
      ? [{ name: 'a text too short', value: 'a', rank: 1 }]
      : [{ name: 'one character too short', value: 'a'.repeat(count - 1), rank: 1 }];
  },
});
