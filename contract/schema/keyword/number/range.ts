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

/** JSON Schema Validation, sections 6.2.2 and 6.2.3. */
export const [maximum, exclusiveMaximum] = boundKeywords({
  name: 'maximum',
  exclusiveName: 'exclusiveMaximum',
  words: ['at most', 'less than'],
  beyond: ({ _ }) => [_`>`, _`>=`],
  inwards: -1,
  wrong: 'just above the maximum',
});
