import { isNumeric, type JsonValue } from '../../json/value.ts';
import { testKeyword } from './judging.ts';
import type { Keyword, WrongValue } from './keyword.ts';
import { createStringTest } from './string-format.ts';
import { cut, renderShort } from './wording.ts';

/** JSON Schema Validation, section 6.3.3. */
export const pattern: Keyword = {
  name: 'pattern',
  takes: 'pattern',
  facet: 'pattern',
  judge: (place) => {
    const { text } = place;
    const expression = place.pattern(text);
    const message = (): string => `must match the pattern ${cut(text)}`;
    return (value, judging) => {
      if (typeof value === 'string' && judging.matches(expression, value) === false)
        place.refuse(judging, message);
    };
  },
  limit: ({ pattern: source }) =>
    source === undefined
      ? undefined
      : {
          demand: `matches ${source}`,
          wrong: () => [{ name: 'of another pattern', value: '\u00a7 !', rank: 1 }],
        },
};

/** JSON Schema Validation, section 7, asserted. */
export const format: Keyword = {
  name: 'format',
  takes: 'text',
  facet: 'format',
  judge: (place) => {
    const { text: name } = place;
    const test = createFormatTest(name, place.schema.type === 'integer');
    if (test === undefined) return undefined;
    return testKeyword(
      place,
      (value) => !test(value),
      () => `must be ${words[name] ?? `in the format ${renderShort(name)}`}`,
    );
  },
  limit: ({ format: name, types }) =>
    name === undefined
      ? undefined
      : {
          demand: `has the format ${name}`,
          edges: () => (name === 'int32' ? [2 ** 31 - 1, -(2 ** 31)] : []),
          wrong: () => wrongValues(name, types),
        },
};

/** The string formats that can be broken, with an invalid text for each if the usual one is not. */
const wrongTexts = new Map([
  ['uri-reference', 'not of that format'],
  ['uri-template', '{not-of-that-format'],
  ['hostname', 'not of that format'],
  ['regex', '(not-of-that-format'],
]);
for (const name of `date time date-time iso-time iso-date-time duration uri url email ipv4 ipv6 uuid
  json-pointer json-pointer-uri-fragment relative-json-pointer byte`.split(/\s+/))
  wrongTexts.set(name, 'not-of-that-format');

function wrongValues(name: string, types: readonly string[]): readonly WrongValue[] {
  const bits = name === 'int64' ? 63n : name === 'int32' ? 31n : undefined;
  if (bits === undefined || !types.includes('integer'))
    return types.includes('string') && wrongTexts.has(name)
      ? [{ name: `no ${name}`, value: wrongTexts.get(name) ?? '', rank: 1 }]
      : [];
  return [
    { name: `2^${bits}, one too large`, value: 2n ** bits, rank: 1 },
    { name: `-2^${bits} - 1, one too small`, value: -(2n ** bits) - 1n, rank: 2 },
  ];
}

/**
 * Whether a value matches a format; values of other types do. Undefined for an unknown format, which
 * constrains nothing (JSON Schema Validation section 7.2.3). With `type: integer`, a fraction is left to
 * `type`.
 */
function createFormatTest(
  format: string,
  isIntegerByType: boolean,
): ((value: JsonValue) => boolean) | undefined {
  // `float` is within the range of single precision (IEEE 754).
  if (format === 'float')
    return (value) => !isNumeric(value) || Number.isFinite(Math.fround(Number(value)));
  if (format === 'int32' || format === 'int64') {
    const { lowest, highest } = integerRange[format];
    return (value) => {
      if (!isNumeric(value)) return true;
      if (format === 'int64' && Number.isSafeInteger(value)) return true;
      const isFraction = typeof value === 'number' && !Number.isInteger(value);
      return isFraction ? isIntegerByType : value >= lowest && value <= highest;
    };
  }
  const test = createStringTest(format);
  return test && ((value) => typeof value !== 'string' || test(value));
}

/** `int32` and `int64` of the OpenAPI format registry. */
const integerRange = {
  int32: { lowest: -(2n ** 31n), highest: 2n ** 31n - 1n },
  int64: { lowest: -(2n ** 63n), highest: 2n ** 63n - 1n },
} as const;

const words: Readonly<Record<string, string>> = {
  int32: `a 32-bit integer (from ${integerRange.int32.lowest} to ${integerRange.int32.highest})`,
  int64: `a 64-bit integer (from ${integerRange.int64.lowest} to ${integerRange.int64.highest})`,
  float: 'a number of single precision',
  date: 'a date, such as 2030-12-05',
  time: 'a time, such as 08:30:00Z',
  'date-time': 'a date and time, such as 2030-12-05T08:30:00Z',
  decimal: 'a decimal number, such as 12.50',
  duration: 'a duration, such as P1DT12H',
  email: 'an e-mail address',
  hostname: 'a host name',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  uri: 'a URI',
  'uri-reference': 'a URI or relative reference',
  uuid: 'a UUID',
  byte: 'base64 text',
};
