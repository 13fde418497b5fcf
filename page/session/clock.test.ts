import { expect, test } from 'vitest';
import { describeClock, renderLeft, renderLocalTime, renderMoment } from './clock.ts';

test('nothing is announced for 0 seconds from now', () => {
  expect([renderLeft(400), renderLeft(0), renderLeft(-5)]).toEqual([
    '1 second',
    'a moment',
    'a moment',
  ]);
});

test('a clock is frozen, moved or real, even if it is read late', () => {
  expect(describeClock(10_000, false, 9000)).toBe('real time');
  expect(describeClock(10_000, true, 9000)).toBe('frozen');
  expect(describeClock(86_400_000, false, 0)).toBe('1 day ahead');
  expect(describeClock(0, false, 86_400_000)).toBe('1 day behind');
});

test('a time of today is shown without its date, another with it', () => {
  const at = new Date(2026, 5, 1, 9, 8, 7, 6);
  expect(renderLocalTime(at.toISOString(), new Date(2026, 5, 1, 23))).toBe('09:08:07.006');
  expect(renderLocalTime(at.toISOString(), new Date(2026, 5, 2))).toBe('2026-06-01 09:08:07.006');
  expect(renderMoment(at.toISOString())).toBe('2026-06-01 09:08:07');
});
