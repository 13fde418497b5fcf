import { expect, test } from 'vitest';
import { renderMoment, renderTime } from './time.ts';

test('a time of today stands alone, another with its date', () => {
  const at = new Date(2026, 5, 1, 9, 8, 7, 6);
  expect(renderTime(at.toISOString(), new Date(2026, 5, 1, 23))).toBe('09:08:07.006');
  expect(renderTime(at.toISOString(), new Date(2026, 5, 2))).toBe('2026-06-01 09:08:07.006');
  expect(renderMoment(at.toISOString())).toBe('2026-06-01 09:08:07');
});
