import { expect, test } from 'vitest';
import { addAll, largest, smallest } from './list.ts';

const many = Array.from({ length: 300_000 }, (_, at) => at);

test('lists of any length are added and compared', () => {
  const list = [-1];
  addAll(list, many);
  expect([list.length, list.at(-1)]).toEqual([300_001, 299_999]);
  expect([largest(list), smallest(list)]).toEqual([299_999, -1]);
});

test('the minimum of an empty list is the given bound, else infinity', () => {
  expect([largest([], 5), largest([3], 5), largest([7], 5)]).toEqual([5, 5, 7]);
  expect([largest([]), smallest([])]).toEqual([-Infinity, Infinity]);
  expect([largest([1, Number.NaN]), smallest([Number.NaN, 1])]).toEqual([Number.NaN, Number.NaN]);
});
