import { expect, test } from 'vitest';
import { renderDuration, renderOffset } from './duration.ts';

test.for<[number, string]>([
  [0, '0 seconds'],
  [-5, '0 seconds'],
  [400, '1 second'],
  [61_000, '1 minute 1 second'],
  [3_600_000, '1 hour'],
  [3_605_000, '1 hour'],
  [86_400_000 * 3 + 7_200_000, '3 days 2 hours'],
])('%i milliseconds are %s', ([milliseconds, text]) => {
  expect(renderDuration(milliseconds)).toBe(text);
});

test('an offset is rounded to seconds, forward or back', () => {
  expect([renderOffset(86_400_004), renderOffset(-5_400_000)]).toEqual([
    '1 day ahead',
    '1 hour 30 minutes behind',
  ]);
});
