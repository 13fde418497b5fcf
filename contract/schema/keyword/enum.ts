import { isJsonArray, jsonEquals, listOf, renderJson, type JsonValue } from '../../json/value.ts';
import { type Keyword, limitKeyword, testKeyword, type WrongValue } from './keyword.ts';
import { equalityKey } from './unique-items.ts';
import { cut, renderShort } from './wording.ts';

/** JSON Schema Validation, section 6.1.2. The shape shows what `const` allows too. */
export const enumeration = limitKeyword(
  {
    name: 'enum',
    takes: 'values',
    judge: (place) => {
      const values = listOf(place.value);
      const isMember = createMembership(values);
      return testKeyword(
        place,
        (value) => !isMember(value),
        () => `must be ${renderChoices(values)}`,
      );
    },
    facet: 'values',
  },
  (parts) => {
    let values: readonly JsonValue[] | undefined;
    for (const { schema } of parts)
      for (const own of [schema.enum, schema.const === undefined ? undefined : [schema.const]])
        if (isJsonArray(own)) values = values?.filter(createMembership(own)) ?? own;
    return values;
  },
  (values) => ({
    demand: `is ${renderValues(values)}`,
    edges: () => values,
    wrong: () => wrongValues(values),
  }),
);

/** JSON Schema Validation, section 6.1.3. */
export const constant: Keyword = {
  name: 'const',
  takes: 'value',
  judge: (place) =>
    testKeyword(
      place,
      (value) => !jsonEquals(value, place.value),
      () => `must be ${renderShort(place.value)}`,
    ),
  facet: 'values',
};

const namedChoices = 10;

function renderChoices(choices: readonly unknown[]): string {
  if (choices.length === 1) return renderShort(choices[0]);
  const named = choices.slice(0, namedChoices).map(renderShort).join(', ');
  return choices.length > namedChoices
    ? `one of ${choices.length} values: ${named}, ...`
    : `one of ${named}`;
}

/** As many values as are read: a document may allow a hundred thousand. */
function renderValues(values: readonly JsonValue[]): string {
  let text = '';
  for (const value of values) {
    if (text.length > readCharacters) return `${text} or another of ${values.length} values`;
    text += `${text === '' ? '' : ' or '}${cut(renderJson(value), readCharacters)}`;
  }
  return text;
}

const readCharacters = 1_000;

function wrongValues(values: readonly JsonValue[]): readonly WrongValue[] {
  const first = values.find((value) => typeof value === 'string');
  if (typeof first !== 'string') return [];
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

/** Whether a value equals one of the list, as `enum` has it. */
export function createMembership(values: readonly JsonValue[]): (value: JsonValue) => boolean {
  const simple = new Set<JsonValue>(values.filter(isSimple));
  let others: ReadonlySet<JsonValue> | undefined;
  return (value) => {
    if (isSimple(value)) return simple.has(value);
    others ??= new Set(values.filter((one) => !isSimple(one)).map(equalityKey));
    return others.has(equalityKey(value));
  };
}

/** A value that `===` compares as JSON Schema does: one whose number has a single form. */
function isSimple(value: JsonValue): value is null | boolean | number | string {
  if (typeof value === 'number') return Number.isSafeInteger(value) || !Number.isInteger(value);
  return typeof value === 'string' || typeof value === 'boolean' || value === null;
}
