import { countKeyword } from '../count.ts';

/** JSON Schema Validation, section 6.3.1. Characters are code points. */
export const maxLength = countKeyword({
  name: 'maxLength',
  facet: 'max-length',
  side: 'at most',
  noun: 'character',
  edges: (count) => (count > 10_000 ? [] : ['a'.repeat(count)]),
  wrong: (count) =>
    count < 100_000
      ? [{ name: 'one character too long', value: 'a'.repeat(count + 1), rank: 1 }]
      : [],
});
