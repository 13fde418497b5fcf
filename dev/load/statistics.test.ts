import { expect, test } from 'vitest';
import { median, medianRatio } from './statistics.ts';

test.each([
  [[3, 1, 2], 2],
  [[10, 9, 100], 10],
  [[4, 1, 2, 3], 2.5],
  [[7], 7],
  [[], Number.NaN],
])('the median of %j is %d', (values, middle) => {
  expect(median(values)).toBe(middle);
});

test('a slow round changes no ratio', () => {
  expect(medianRatio([50, 5, 51], [100, 10, 102])).toBe(0.5);
});

test('a round without a floor gives no number', () => {
  expect(medianRatio([1], [])).toBeNaN();
});
