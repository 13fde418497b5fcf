import { expect, test } from 'vitest';
import { createMembership, hasUniqueItems } from './equality.ts';
import { isMultipleOf } from './limit.ts';

test('uniqueItems is linear in the number of items', () => {
  const items = Array.from({ length: 100_000 }, (_, index) => ({ index }));
  expect(hasUniqueItems(items)).toBe(true);
  expect(hasUniqueItems([...items, { index: 0 }])).toBe(false);
});

test('membership compares numbers by value, in any notation', () => {
  expect(createMembership([1e22, 'a'])(10n ** 22n)).toBe(true);
  expect(createMembership([10n ** 22n])(1e22)).toBe(true);
  expect(createMembership([1e22])(10n ** 22n + 1n)).toBe(false);
});

test.each<[number | bigint, number | bigint, boolean]>([
  [0.3, 0.1, true],
  [1.1, 0.1, true],
  [0.35, 0.1, false],
  [5e-324, 5e-324, true],
  [1.7976931348623157e308, 5e-324, true],
  [1e300, 3, false],
  [2n ** 63n, 2, true],
  [2n ** 63n - 1n, 2, false],
  [-4, 2, true],
])('%s is a multiple of %s: %s', (value, divisor, expected) => {
  expect(isMultipleOf(value, divisor)).toBe(expected);
});
