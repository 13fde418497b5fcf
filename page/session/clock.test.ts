import { expect, test } from 'vitest';
import {
  createClock,
  describeClock,
  renderLeft,
  renderLength,
  renderLocalTime,
  renderMoment,
  renderTime,
  timeOf,
} from './clock.ts';

test('a clock goes on from when it was read, unless it is frozen', () => {
  const now = '2026-06-02T09:30:05Z';
  expect(renderTime(timeOf(createClock(now, false, 100), 2100))).toBe('2026-06-02 09:30:07 UTC');
  expect(renderTime(timeOf(createClock(now, true, 100), 2100))).toBe('2026-06-02 09:30:05 UTC');
});

test.for<[number, string]>([
  [0, '0 seconds'],
  [-5, '0 seconds'],
  [400, '1 second'],
  [61_000, '1 minute 1 second'],
  [3_600_000, '1 hour'],
  [3_605_000, '1 hour'],
  [86_400_000 * 3 + 7_200_000, '3 days 2 hours'],
])('%i milliseconds are %s', ([milliseconds, text]) => {
  expect(renderLength(milliseconds)).toBe(text);
});

test('nothing is said to come in 0 seconds', () => {
  expect([renderLeft(400), renderLeft(0), renderLeft(-5)]).toEqual([
    '1 second',
    'a moment',
    'a moment',
  ]);
});

test('a clock is frozen, moved or real, even where it is read late', () => {
  expect(describeClock(10_000, false, 9000)).toBe('real time');
  expect(describeClock(10_000, true, 9000)).toBe('frozen');
  expect(describeClock(86_400_000, false, 0)).toBe('moved 1 day ahead');
  expect(describeClock(0, false, 86_400_000)).toBe('moved 1 day back');
});

test('a time of today is shown without its date, another with it', () => {
  const at = new Date(2026, 5, 1, 9, 8, 7, 6);
  expect(renderLocalTime(at.toISOString(), new Date(2026, 5, 1, 23))).toBe('09:08:07.006');
  expect(renderLocalTime(at.toISOString(), new Date(2026, 5, 2))).toBe('2026-06-01 09:08:07.006');
  expect(renderMoment(at.toISOString())).toBe('2026-06-01 09:08:07');
});
