import { createPattern } from '../../pattern/pattern.ts';
import type { LimitKeyword } from './keyword.ts';
import { cut } from './wording.ts';

/** JSON Schema Validation, section 6.3.3. The shape shows the first of several. */
export const pattern: LimitKeyword<string> = {
  name: 'pattern',
  takes: 'pattern',
  judge: (place) => {
    const { text } = place;
    const expression = createPattern(text);
    const message = (): string => `must match the pattern ${cut(text)}`;
    return (value, judging) => {
      if (typeof value === 'string' && judging.matches(expression, value) === false)
        place.refuse(judging, message);
    };
  },
  facet: 'pattern',
  limit: (schemas) => {
    const value = schemas.map((schema) => schema.pattern).find((one) => typeof one === 'string');
    return value === undefined
      ? undefined
      : {
          value,
          demand: `matches ${value}`,
          wrong: () => [{ name: 'of another pattern', value: '\u00a7 !', rank: 1 }],
        };
  },
};
