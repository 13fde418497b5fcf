import { boundKeywords } from './bound.ts';

/** JSON Schema Validation, sections 6.2.2 and 6.2.3. */
export const [maximum, exclusiveMaximum] = boundKeywords({
  name: 'maximum',
  exclusiveName: 'exclusiveMaximum',
  words: ['at most', 'less than'],
  beyond: ({ _ }) => [_`>`, _`>=`],
  inwards: -1,
  wrong: 'just above the maximum',
});
