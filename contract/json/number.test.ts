import { expect, test } from 'vitest';
import { readValueLines } from '../../test/contract/value-lines.ts';
import { canonicalInteger, readNumberText } from './number.ts';

test.each([
  ['5', 5],
  ['-5', -5],
  ['1.50', 1.5],
  ['1e3', 1000],
  ['9007199254740993', 9007199254740993n],
  ['-9.223372036854775808e18', -(2n ** 63n)],
])('%s is %s', (text, value) => {
  expect(readNumberText(text)).toBe(value);
});

test.each(readValueLines('numbers-unheld'))('%s cannot be represented', (text) => {
  expect(readNumberText(text)).toBeUndefined();
});

test('an integer has one form', () => {
  expect(canonicalInteger(9007199254740991n)).toBe(9007199254740991);
  expect(canonicalInteger(-9007199254740991n)).toBe(-9007199254740991);
  expect(canonicalInteger(9007199254740992n)).toBe(9007199254740992n);
});
