import { isJsonArray, jsonEquals, listOf, renderJson, type JsonValue } from '../../json/value.ts';
import { createMembership } from './equality.ts';
import { testKeyword } from './judging.ts';
import type { Keyword, WrongValue } from './keyword.ts';
import { everyType, type JsonType, namesOf } from './merged-schema.ts';
import { cut, renderShort } from './wording.ts';

/** JSON Schema Validation, section 6.1.1. */
export const type: Keyword = {
  name: 'type',
  takes: 'types',
  facet: 'type',
  judge: (place) => {
    const { value: types } = place;
    const wanted = (): string =>
      namesOf(types)
        .map((name) => words[name])
        .join(' or ');
    // Most schemas have one type; a large document has hundreds of thousands of schemas.
    return testKeyword(
      place,
      (value) =>
        typeof types === 'string'
          ? !isOfType(value, types)
          : !namesOf(types).some((name) => isOfType(value, name)),
      (value) => `must be ${wanted()}, not ${describeValue(value)}`,
    );
  },
  limit: ({ types, values }) =>
    types.length === everyType.length
      ? undefined
      : {
          demand: `is ${types.map(withArticle).join(' or ')}`,
          wrong: () => valuesOfOtherTypes(types, values !== undefined),
        },
};

/** A number without a fraction is an integer. */
export function isOfType(value: JsonValue, name: string): boolean {
  if (typeof value === 'bigint') return name === 'integer' || name === 'number';
  if (typeof value === 'number')
    return name === 'number' || (name === 'integer' && Number.isInteger(value));
  if (typeof value !== 'object') return name === typeof value;
  return name === (value === null ? 'null' : isJsonArray(value) ? 'array' : 'object');
}

const words: Readonly<Record<string, string>> = {
  null: 'null',
  boolean: 'true or false',
  integer: 'an integer',
  number: 'a number',
  string: 'a string',
  array: 'an array',
  object: 'an object',
};

/** `the string "1"`, `an array`, `1.5`, `null`. */
function describeValue(value: JsonValue): string {
  if (typeof value === 'string') return `the string ${renderShort(value)}`;
  if (typeof value !== 'object' || value === null) return renderShort(value);
  return Array.isArray(value) ? 'an array' : 'an object';
}

function withArticle(name: string): string {
  return name === 'null' ? 'null' : `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}

/** One value of each JSON type, with its rank for a schema of strings and of numbers. */
const strangers = [
  { type: 'string', name: 'a string of digits', value: '1', text: 9, number: 1 },
  { type: 'number', name: 'a number', value: 12_345, text: 1, number: 9 },
  { type: 'null', name: 'null', value: null, text: 1, number: 1 },
  { type: 'boolean', name: 'a boolean', value: true, text: 2, number: 1.5 },
  { type: 'object', name: 'an object', value: { a: 1 }, text: 2, number: 2 },
  { type: 'array', name: 'an array', value: ['a'], text: 2, number: 2 },
] as const;

/** An enumeration value by its position. */
const index: WrongValue = { name: 'a number, as of a position', value: 1, rank: 1 };

function valuesOfOtherTypes(
  types: readonly JsonType[],
  isEnumerated: boolean,
): readonly WrongValue[] {
  const isInteger = types.includes('integer');
  const isNumber = types.includes('number');
  const others = strangers.flatMap(({ type: other, name, value, text, number }) => {
    const fits = types.includes(other) || (other === 'number' && isInteger);
    if (fits) return [];
    if (isEnumerated && other === 'number') return [index];
    const isUnlikely = isEnumerated && (other === 'object' || other === 'boolean');
    return [{ name, value, rank: isUnlikely ? 2 : isInteger || isNumber ? number : text }];
  });
  const fraction = { name: 'a fraction', value: 1.5, rank: 1 };
  return isInteger && !isNumber ? [...others, fraction] : others;
}

/** JSON Schema Validation, section 6.1.2. Its limit includes the values of `const`. */
export const enumeration: Keyword = {
  name: 'enum',
  takes: 'values',
  facet: 'values',
  judge: (place) => {
    const values = listOf(place.value);
    const isMember = createMembership(values);
    return testKeyword(
      place,
      (value) => !isMember(value),
      () => `must be ${renderChoices(values)}`,
    );
  },
  limit: ({ values }) =>
    values && {
      demand: `is ${renderValues(values)}`,
      edges: () => values,
      wrong: () => textsBeside(values),
    },
};

/** JSON Schema Validation, section 6.1.3. */
export const constant: Keyword = {
  name: 'const',
  takes: 'value',
  facet: 'values',
  judge: (place) =>
    testKeyword(
      place,
      (value) => !jsonEquals(value, place.value),
      () => `must be ${renderShort(place.value)}`,
    ),
};

const namedChoices = 10;

const noValue = 'left out: no value is allowed';

function renderChoices(choices: readonly JsonValue[]): string {
  const [only, ...others] = choices;
  if (only === undefined) return noValue;
  if (others.length === 0) return renderShort(only);
  const named = choices.slice(0, namedChoices).map(renderShort).join(', ');
  return choices.length > namedChoices
    ? `one of ${choices.length} values: ${named}, ...`
    : `one of ${named}`;
}

/** Most characters of listed values: a document may allow a hundred thousand values. */
const readCharacters = 1_000;

function renderValues(values: readonly JsonValue[]): string {
  if (values.length === 0) return noValue;
  let text = '';
  for (const value of values) {
    if (text.length > readCharacters) return `${text} or another of ${values.length} values`;
    text += `${text === '' ? '' : ' or '}${cut(renderJson(value), readCharacters)}`;
  }
  return text;
}

function textsBeside(values: readonly JsonValue[]): readonly WrongValue[] {
  const first = values.find((value) => typeof value === 'string');
  if (first === undefined) return [];
  const other =
    first === first.toUpperCase()
      ? first.toLowerCase()
      : first.charAt(0).toUpperCase() + first.slice(1);
  return [
    { name: 'none of the allowed values', value: `un${first}`, rank: 1 },
    { name: 'an allowed value in another case', value: other, rank: 1.5 },
    { name: 'an empty string', value: '', rank: 1.5 },
    { name: 'an allowed value with a space', value: `${first} `, rank: 2 },
  ];
}
