import type { Keyword } from '../keyword.ts';
import { countInnerErrors } from '../summary.ts';
import { renderAlternatives } from '../wording.ts';

/** JSON Schema Core, section 10.2.1.3. */
export const oneOf: Keyword = {
  name: 'oneOf',
  takes: 'schemas',
  isInPlace: true,
  repair: countInnerErrors,
  message: (facts) => {
    const { passing } = facts.params;
    const both = Array.isArray(passing)
      ? passing.flat(Infinity).map((index) => Number(index) + 1)
      : [];
    return both.length === 0
      ? `must fit exactly one of ${renderAlternatives(facts)}`
      : `must fit exactly one of ${renderAlternatives({ ...facts, branches: [] })}, not both ${both.slice(0, 2).join(' and ')}`;
  },
};
