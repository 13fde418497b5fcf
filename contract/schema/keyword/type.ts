import { isJsonArray, type JsonObject, type JsonValue } from '../../json/value.ts';
import { limitKeyword, type WrongValue, everyType, type JsonType } from './keyword.ts';
import { renderShort } from './wording.ts';
import { enumeration } from './enum.ts';

/** JSON Schema Validation, section 6.1.1. A number without a fraction is an integer. */
export const type = limitKeyword(
  {
    name: 'type',
    takes: 'types',
    judge: (place) => {
      const { value: types } = place;
      // Most schemas have one type; a large document has hundreds of thousands of them.
      return (value, judging) => {
        const isFit =
          typeof types === 'string'
            ? isOfType(value, types)
            : namesOf(types).some((name) => isOfType(value, name));
        if (isFit) return;
        const wanted = (): string =>
          namesOf(types)
            .map((name) => words[name])
            .join(' or ');
        place.refuse(judging, () => `must be ${wanted()}, not ${describeValue(value)}`);
      };
    },
    facet: 'type',
  },
  (parts) => {
    const types = everyType.filter((name) => parts.every(({ schema }) => isAllowed(schema, name)));
    return types.length === everyType.length ? undefined : types;
  },
  (types, parts) => ({
    demand: `is ${types.map(withArticle).join(' or ')}`,
    wrong: () => wrongValues(types, enumeration.merge(parts) !== undefined),
  }),
);

const words: Readonly<Record<string, string>> = {
  null: 'null',
  boolean: 'true or false',
  integer: 'an integer',
  number: 'a number',
  string: 'a string',
  array: 'an array',
  object: 'an object',
};

export function isOfType(value: JsonValue, name: string): boolean {
  if (typeof value === 'bigint') return name === 'integer' || name === 'number';
  if (typeof value === 'number')
    return name === 'number' || (name === 'integer' && Number.isInteger(value));
  if (typeof value !== 'object') return name === typeof value;
  return name === (value === null ? 'null' : isJsonArray(value) ? 'array' : 'object');
}

function isAllowed({ type: names }: JsonObject, name: JsonType): boolean {
  if (names === undefined) return true;
  const isNamed = (one: JsonType): boolean =>
    isJsonArray(names) ? names.includes(one) : names === one;
  return isNamed(name) || (name === 'integer' && isNamed('number'));
}

function namesOf(types: JsonValue): readonly string[] {
  const names = isJsonArray(types) ? types : [types];
  return names.filter((name) => typeof name === 'string');
}

/** `the string "1"`, `an array`, `1.5`, `null`. */
function describeValue(value: unknown): string {
  if (typeof value === 'string') return `the string ${renderShort(value)}`;
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return renderShort(value);
}

function withArticle(name: string): string {
  return name === 'null' ? 'null' : `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}

/** One value of each JSON type, with its rank against a schema of strings and of numbers. */
const strangers: readonly {
  readonly type: JsonType;
  readonly name: string;
  readonly value: JsonValue;
  readonly text: number;
  readonly number: number;
}[] = [
  { type: 'string', name: 'a string of digits', value: '1', text: 9, number: 1 },
  { type: 'number', name: 'a number', value: 12_345, text: 1, number: 9 },
  { type: 'null', name: 'null', value: null, text: 1, number: 1 },
  { type: 'boolean', name: 'a boolean', value: true, text: 2, number: 1.5 },
  { type: 'object', name: 'an object', value: { a: 1 }, text: 2, number: 2 },
  { type: 'array', name: 'an array', value: ['a'], text: 2, number: 2 },
];

/** What an enumeration says by position. */
const index: WrongValue = { name: 'a number, as of a position', value: 1, rank: 1 };

function wrongValues(types: readonly JsonType[], isChoice: boolean): readonly WrongValue[] {
  const isInteger = types.includes('integer');
  const isNumber = types.includes('number');
  const others = strangers.flatMap(({ type: other, name, value, text, number }) => {
    const fits = types.includes(other) || (other === 'number' && isInteger);
    if (fits) return [];
    if (isChoice && other === 'number') return [index];
    const isUnlikely = isChoice && (other === 'object' || other === 'boolean');
    return [{ name, value, rank: isUnlikely ? 2 : isInteger || isNumber ? number : text }];
  });
  const fraction = { name: 'a fraction', value: 1.5, rank: 1 };
  return isInteger && !isNumber ? [...others, fraction] : others;
}
