import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { readValueLines } from '../../test/contract/value-lines.ts';
import {
  isJsonObject,
  jsonEquals,
  JsonSyntaxError,
  maximumDepth,
  parseJson,
  parseJudged,
  renderJson,
  type JsonValue,
} from './value.ts';

describe('parseJson', () => {
  test.each(readValueLines('json-valid'))('accepts %s', (line) => {
    const [text = '', rendered = text] = line.split(' => ');
    expect(renderJson(parseJson(text))).toBe(rendered);
  });

  test.each(readValueLines('json-valid'))(
    'agrees with JSON.parse except for long numbers: %s',
    (line) => {
      const [text = ''] = line.split(' => ');
      expect(rounded(parseJson(text))).toEqual(rounded(JSON.parse(text)));
    },
  );

  test.each(readValueLines('json-invalid'))('refuses %s', (line) => {
    const [place = ''] = line.split(' ', 1);
    const error = refusal(line.slice(place.length + 1));
    expect(`${error.line}:${error.column}`).toBe(place);
    expect(error.message).toBe(`${error.reason} (line ${error.line}, column ${error.column})`);
  });

  test.each(readValueLines('numbers-unheld'))('refuses the number %s', (text) => {
    expect(refusal(`[1, ${text}]`)).toMatchObject({
      line: 1,
      column: 5,
      reason: expect.stringContaining(text.slice(0, 40)),
    });
  });

  test.each(readValueLines('numbers-unheld'))(
    'accepts the number %s in a text that is judged',
    (text) => {
      const value = parseJudged(text);
      const isFraction = Number.isFinite(Number(text));
      expect(Number.isInteger(value)).toBe(!isFraction);
      expect(Number(value) < 0).toBe(text.startsWith('-'));
    },
  );

  test('refuses a text without a value, and counts lines', () => {
    expect(refusal('')).toMatchObject({ line: 1, column: 1 });
    expect(refusal(' \n ')).toMatchObject({ line: 2, column: 2 });
    expect(refusal('{\n  "a": 1,\n  "b": tru\n}')).toMatchObject({
      line: 3,
      column: 8,
      reason: '"tru" is not a JSON value',
    });
    expect(refusal('{"a":"x\ny"}')).toMatchObject({ line: 1, column: 8 });
  });

  test('reads integers beyond double precision, and only those, as bigint', () => {
    expect(parseJson('[9007199254740991,9007199254740992,-9007199254740992,1e15,1e16]')).toEqual([
      9007199254740991,
      9007199254740992n,
      -9007199254740992n,
      1e15,
      10n ** 16n,
    ]);
  });

  test('never reads a fraction as an integer', () => {
    expect(parseJson('1.0000000000000000001')).toBe(1 + Number.EPSILON);
    expect(parseJson('0.99999999999999999999')).toBe(1 - Number.EPSILON / 2);
    expect(parseJson('-1e-400')).toBe(-Number.MIN_VALUE);
    expect(parseJson('2147483646.99999999999999999')).not.toSatisfy(Number.isInteger);
    expect(parseJson('4503599627370495.99999')).not.toSatisfy(Number.isInteger);
  });

  test('keeps the sign of zero', () => {
    expect(parseJson('-0')).toBe(-0);
    expect(parseJson('-0e12345678901234567890')).toBe(-0);
  });

  test.each(['{"__proto__":{"polluted":1}}', '{"__proto__":{"polluted":9007199254740993}}'])(
    '%s is an ordinary member',
    (text) => {
      const value = parseJson(text);
      expect(isJsonObject(value) && Object.keys(value)).toEqual(['__proto__']);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(Reflect.get({}, 'polluted')).toBeUndefined();
    },
  );

  test.each(['[', '{"a":'])(
    'rejects nesting beyond its limit before any other work: %s',
    (open) => {
      const close = open === '[' ? ']' : '}';
      const nested = (depth: number): string =>
        `${open.repeat(depth)}9007199254740993${close.repeat(depth)}`;
      expect(renderJson(parseJson(nested(maximumDepth)))).toBe(nested(maximumDepth));
      expect(refusal(nested(maximumDepth + 1)).reason).toContain('nested');
      expect(refusal(open.repeat(300_000)).reason).toContain('nested');
    },
  );

  test('does not count brackets in strings, or side by side, as nesting', () => {
    const text = `["${'['.repeat(2000)}\\"${'{'.repeat(2000)}",${'[],'.repeat(2000)}{}]`;
    expect(renderJson(parseJson(text))).toBe(text);
  });

  test.each([
    '1'.repeat(400_000),
    `1${'0'.repeat(400_000)}`,
    `0.${'0'.repeat(400_000)}1`,
    `${'1'.repeat(200_000)}e-200000`,
  ])('is linear in the length of a number', (text) => {
    const outcome = tryParse(text);
    expect(outcome instanceof JsonSyntaxError || typeof outcome === 'number').toBe(true);
  });
});

describe('renderJson', () => {
  test('writes a single large integer without an exception', () => {
    const stringify = vi.spyOn(JSON, 'stringify');
    onTestFinished(() => stringify.mockRestore());
    expect(renderJson(9223372036854775807n)).toBe('9223372036854775807');
    expect(stringify).not.toHaveBeenCalled();
  });

  test('indents, with and without bigints', () => {
    expect(renderJson({ a: [1] }, 2)).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(renderJson({ a: [2n ** 63n] }, 2)).toBe('{\n  "a": [\n    9223372036854775808\n  ]\n}');
  });

  test('throws TypeError for a value that contains itself', () => {
    const cycle: { self?: JsonValue; big: bigint } = { big: 2n ** 63n };
    cycle.self = cycle;
    expect(() => renderJson(cycle)).toThrow(TypeError);
  });

  test.each(readValueLines('names'))('gives back the string %s', (text) => {
    expect(parseJson(renderJson(parseJson(text)))).toBe(JSON.parse(text));
  });
});

describe('jsonEquals', () => {
  const texts = [
    'null',
    'true',
    'false',
    '0',
    '1',
    '""',
    '"1"',
    '9007199254740992',
    '9007199254740993',
    '[]',
    '{}',
    '[1]',
    '[1,2]',
    '{"a":1}',
    '{"a":2}',
    '{"b":1}',
    '{"a":1,"b":[9007199254740993]}',
    '{"__proto__":1}',
    '{"valueOf":1}',
  ];

  test.each(texts)('%s equals only itself', (text) => {
    const equal = texts.filter((other) => jsonEquals(parseJson(text), parseJson(other)));
    expect(equal).toEqual([text]);
  });

  test('compares numbers by value and members in any order', () => {
    expect(jsonEquals(1n, 1)).toBe(true);
    expect(jsonEquals(2 ** 60, 2n ** 60n)).toBe(true);
    expect(jsonEquals(-0, 0)).toBe(true);
    expect(jsonEquals({ a: 1, b: [{ c: 2 }] }, { b: [{ c: 2 }], a: 1 })).toBe(true);
  });
});

function refusal(text: string): JsonSyntaxError {
  const outcome = tryParse(text);
  if (outcome instanceof JsonSyntaxError) return outcome;
  throw new Error(`was taken: ${text.slice(0, 80)}`);
}

function tryParse(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    return error;
  }
}

/** What a double leaves of a value; a fraction that was kept one is rounded as well. */
function rounded(value: JsonValue): unknown {
  if (typeof value === 'number' || typeof value === 'bigint') return Math.fround(Number(value)) + 0;
  if (Array.isArray(value)) return value.map(rounded);
  return isJsonObject(value)
    ? Object.entries(value).map(([name, member]) => [name, rounded(member ?? null)])
    : value;
}

test('a number that cannot be represented is refused with the reason', () => {
  expect(() => parseJson('[9007199254740993.5]')).toThrow(
    'the number 9007199254740993.5 has too many digits: from 2^52 on, only integers are exact',
  );
});

test.each(['', '"\u0436", '])(
  'numbers of millions of digits are read or refused, after %j',
  (before) => {
    const digits = '1'.repeat(12_000_000);
    const parse = (number: string) => parseJson(`[${before}${number}]`);
    expect(() => parse(digits)).toThrow('is out of range: the largest possible is');
    expect(() => parse(`1e${digits}`)).toThrow('is out of range: the largest possible is');
    expect(parse(`0.${digits}`)).toContain(0.1111111111111111);
    expect(parse(`1${'0'.repeat(12_000_000)}e-12000000`)).toContain(1);
  },
  60_000,
);
