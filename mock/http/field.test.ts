import { expect, test } from 'vitest';
import { joinWithin, splitList } from './field.ts';
import { maxHeaderList } from './field.ts';

test.each([
  ['', []],
  ['a', ['a']],
  ['a, b', ['a', ' b']],
  [',a,,b,', ['a', 'b']],
  ['a="x,y", b', ['a="x,y"', ' b']],
  [String.raw`a="x\",y", b`, [String.raw`a="x\",y"`, ' b']],
  ['a="x, b', ['a="x, b']],
  ['a="x\\', ['a="x\\']],
])('%s is a list of %j', (text, members) => {
  expect(splitList(text)).toEqual(members);
});

test('a list of names has at most maxHeaderList characters', () => {
  const most = maxHeaderList;
  const whole = ['a'.repeat(most - 3), 'b'];
  expect(joinWithin(whole)).toBe(whole.join(', '));
  expect(joinWithin(['a'.repeat(most - 3), 'long', 'b'])).toBe(whole.join(', '));
  const many = Array.from({ length: 5_000 }, (_, at) => `x-name-${at}`);
  expect(joinWithin(many).length).toBeLessThanOrEqual(most);
  expect(joinWithin(many).startsWith('x-name-0, x-name-1, ')).toBe(true);
});
