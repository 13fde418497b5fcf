import { countKeyword } from '../count.ts';

/** JSON Schema Validation, section 6.3.2. Characters are code points. */
export const minLength = countKeyword({
  name: 'minLength',
  facet: 'min-length',
  side: 'at least',
  noun: 'character',
  edges: (count) => ['a'.repeat(count)],
  wrong: (count) =>
    count === 0 ? [] : [{ name: 'one character too short', value: 'a'.repeat(count - 1), rank: 1 }],
});
