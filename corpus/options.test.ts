import { expect, test } from 'vitest';
import { readOptions } from './options.ts';

test('options have defaults, and ids may stand in one list or several', () => {
  const options = readOptions(['folder', '--only', 'a,b', '--only', 'c', '--jobs', '2']);
  expect(options).toMatchObject({ only: ['a', 'b', 'c'], jobs: 2, limit: 210, quick: false });
  expect(readOptions(['folder', '--full-budget'])?.limit).toBe(400);
  expect(readOptions(['--help'])).toBeUndefined();
});

test.each([
  [[], 'Name one folder'],
  [['a', 'b'], 'Name one folder'],
  [['a', '--jobs', 'many'], '--jobs takes'],
  [['a', '--raise'], '--raise needs --floor'],
  [['a', '--only', 'x', '--floor', 'f.json'], 'do not go together'],
  [['a', '--loud'], 'loud'],
])('%o is refused', (argv, reason) => {
  expect(() => readOptions(argv)).toThrow(reason);
});
