import { expect, test } from 'vitest';
import { createBoundedPattern } from './bounded-pattern.ts';

test.each(['^(a+)+$', '^(a|a)*$', String.raw`^(\w+\s?)*$`, '^(?:(?:a|b)+c?)+$'])(
  'a match of %s ends, and a text that takes too long is taken to match',
  (source) => {
    const pattern = createBoundedPattern(source, 'u');
    expect(pattern.test('aaa')).toBe(true);
    expect(pattern.test('a!')).toBe(false);
    expect(pattern.test(`${'a'.repeat(60)}!`)).toBe(true);
    expect(pattern.test('a'.repeat(60))).toBe(true);
  },
);

test.each([String.raw`^\d{3}-\d{4}$`, '^[a-z]+$', '^(?:ab)?c+$'])(
  '%s stays a regular expression',
  (source) => {
    expect(createBoundedPattern(source, 'u')).toBeInstanceOf(RegExp);
  },
);
