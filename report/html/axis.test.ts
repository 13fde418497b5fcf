import { describe, expect, test } from 'vitest';
import { createAxis, createTimeAxis } from './axis.ts';

describe('an axis', () => {
  test.for([
    [60, [0, 20, 40, 60]],
    [7, [0, 2, 4, 6, 8]],
    [1000, [0, 200, 400, 600, 800, 1000]],
    [0.3, [0, 0.1, 0.2, 0.3]],
  ] as const)('to %d has round ticks', ([most, ticks]) => {
    const axis = createAxis(most, [100, 0], 5);
    expect(axis.ticks).toEqual(ticks);
    expect([axis.place(0), axis.place(ticks.at(-1) ?? 0)]).toEqual([100, 0]);
    expect([axis.place(-1), axis.place(5000)]).toEqual([100, 0]);
  });
});

describe('an axis of time', () => {
  test('is even where nothing waits', () => {
    const { place, ticks } = createTimeAxis(2, [], [0, 100]);
    expect([0, 0.5, 1, 2].map(place)).toEqual([0, 25, 50, 100]);
    expect(ticks).toEqual([0, 0.5, 1, 1.5, 2]);
  });

  test('gives a long wait no more room than a short one', () => {
    const waits = [
      { from: 1, to: 51 },
      { from: 52, to: 54 },
    ];
    const { place, ticks } = createTimeAxis(55, waits, [0, 500]);
    expect([0, 1, 51, 52, 54, 55].map(place)).toEqual([0, 100, 200, 300, 400, 500]);
    expect(place(26)).toBe(150);
    expect(ticks).toEqual([0, 0.5, 1, 51, 51.5, 52, 54, 54.5, 55]);
  });

  test('names the beginning of a stretch in which no round time is', () => {
    const { ticks } = createTimeAxis(10.013, [{ from: 1, to: 10.01 }], [0, 500]);
    expect(ticks.at(-1)).toBe(10.01);
  });
});
