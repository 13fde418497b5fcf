import type { Keyword } from '../keyword.ts';
import { countInnerErrors } from '../summary.ts';
import { renderAlternatives } from '../wording.ts';

/** JSON Schema Core, section 10.2.1.2. */
export const anyOf: Keyword = {
  name: 'anyOf',
  takes: 'schemas',
  isInPlace: true,
  repair: countInnerErrors,
  message: (facts) => `must fit at least one of ${renderAlternatives(facts)}`,
};
