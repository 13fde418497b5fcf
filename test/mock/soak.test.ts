import { expect, test } from 'vitest';
import { measureGrowth } from './soak.ts';

const samples = (value: (index: number) => number): readonly number[] =>
  Array.from({ length: 30 }, (_, index) => value(index));

test.each<readonly [string, (index: number) => number, boolean]>([
  ['level', () => 50, false],
  ['noise', (index) => 50 + ((index * 7) % 3) - 1, false],
  ['a warm-up', (index) => (index < 3 ? 10 : 50), false],
  ['a few peaks', (index) => (index % 9 === 8 ? 500 : 50), false],
  ['a fall', (index) => 50 - index, false],
  ['a saw-tooth', (index) => 50 + (index % 4), false],
  ['a slope', (index) => 50 + index * 0.2, true],
  ['a slope beneath noise', (index) => 50 + index * 0.3 + ((index * 7) % 3) - 1, true],
  ['a step in the middle', (index) => (index < 15 ? 50 : 55), true],
])('%s', (_, value, expected) => {
  expect(measureGrowth(samples(value), 2).hasGrown).toBe(expected);
});

test('compares medians', () => {
  expect(
    measureGrowth(
      samples((index) => index),
      2,
    ),
  ).toEqual({ first: 7, last: 25, hasGrown: true });
});

test('does not judge a few measurements', () => {
  expect(() => measureGrowth([1, 2, 3, 4, 5, 6, 7, 8], 1)).toThrow('nine samples');
});
