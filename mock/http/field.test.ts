import { expect, test } from 'vitest';
import { splitList } from './field.ts';

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
