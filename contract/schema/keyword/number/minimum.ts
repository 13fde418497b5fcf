import { boundKeywords } from './bound.ts';

/** JSON Schema Validation, sections 6.2.4 and 6.2.5. */
export const [minimum, exclusiveMinimum] = boundKeywords({
  name: 'minimum',
  exclusiveName: 'exclusiveMinimum',
  words: ['at least', 'more than'],
  beyond: ({ _ }) => [_`<`, _`<=`],
  inwards: 1,
  wrong: 'just below the minimum',
});
