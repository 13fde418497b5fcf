import { createPattern } from '../../pattern/pattern.ts';
import { limitKeyword, type SchemaPart } from './keyword.ts';
import { cut } from './wording.ts';

/** JSON Schema Validation, section 6.3.3. The shape shows the first of several. */
export const pattern = limitKeyword(
  {
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
  },
  (parts) => firstText(parts, 'pattern'),
  (value) => ({
    demand: `matches ${value}`,
    wrong: () => [{ name: 'of another pattern', value: '\u00a7 !', rank: 1 }],
  }),
);

/** The first text that schemas have for a keyword. */
export function firstText(parts: readonly SchemaPart[], name: string): string | undefined {
  return parts.map(({ schema }) => schema[name]).find((one) => typeof one === 'string');
}
