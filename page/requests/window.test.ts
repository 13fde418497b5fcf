import { expect, test } from 'vitest';
import type { LoggedRequest } from '../session/request-log.ts';
import { mostDrawn, placeOf, rowAt, rowHeight, scrollToShow, windowOf } from './window.ts';

const rows: readonly LoggedRequest[] = [3, 5, 6, 9].map((number) => ({
  number,
  exchange: {
    index: number,
    at: '',
    method: 'GET',
    target: '/',
    credential: 'valid',
    keyElsewhere: false,
    status: 200,
    sandbox: 'main',
    milliseconds: 0,
  },
}));

test('rows are found by number, the newest first', () => {
  expect([9, 6, 5, 3].map((number) => placeOf(rows, number))).toEqual([0, 1, 2, 3]);
  expect([undefined, 1, 4, 10].map((number) => placeOf(rows, number))).toEqual([-1, -1, -1, -1]);
  expect([0, 3, 4].map((place) => rowAt(rows, place)?.number)).toEqual([9, 3, undefined]);
});

test('some rows more than are seen are drawn, and no others', () => {
  expect(windowOf(0, rowHeight * 10, 10_000)).toEqual({ first: 0, end: 18 });
  expect(windowOf(rowHeight * 100, rowHeight * 10, 10_000)).toEqual({ first: 92, end: 118 });
  for (const top of [0, 1, rowHeight - 1, rowHeight * 100 + 1]) {
    const { first, end } = windowOf(top, rowHeight * 10, 10_000);
    expect(end - first).toBeLessThanOrEqual(mostDrawn(rowHeight * 10));
  }
  expect(windowOf(rowHeight * 100, rowHeight * 10, 5)).toEqual({ first: 0, end: 5 });
});

test('the list is scrolled no further than it must be', () => {
  const height = rowHeight * 10;
  expect(scrollToShow(3, 0, height)).toBe(0);
  expect(scrollToShow(12, 0, height)).toBe(rowHeight * 3);
  expect(scrollToShow(2, rowHeight * 5, height)).toBe(rowHeight * 2);
});
