import { describe, expect, test } from 'vitest';
import { readContrast } from './failure.ts';

/** A contrast in short: the field, and each side with its value between brackets. */
function show(expected: string, received: string): readonly string[] {
  const contrast = readContrast(expected, received);
  const sides = [contrast.expected, contrast.received].map(({ text, value }) =>
    value === '' ? text : `[${value}]${text.slice(value.length)}`,
  );
  return [contrast.field ?? '', ...sides];
}

describe('what differs', () => {
  test.for<readonly [string, string, string, string, string]>([
    ['`name` "Rex"', '`name` "Max"', 'name', '["Rex"]', '["Max"]'],
    [
      '`id` 9007199254740993',
      '`id` 9007199254740992',
      'id',
      '[9007199254740993]',
      '[9007199254740992]',
    ],
    ['`name` "a", as sent', '`name` nothing', 'name', '["a"], as sent', 'nothing'],
    ['`name` "a"', '`status` "b"', '', '`name` "a"', '`status` "b"'],
    [
      '401, since the key is made up',
      '200 []',
      'status',
      '[401], since the key is made up',
      '[200] []',
    ],
    ['201: taken', '201 {"id":1}', '', '201: taken', '201 {"id":1}'],
    ['any response below 500', '500 {}', 'status', 'any response below 500', '[500] {}'],
    ['ten or more', '500 {}', '', 'ten or more', '500 {}'],
    ['at most 1 items', '2 items', '', 'at most 1 items', '2 items'],
  ])('%j and %j', ([expected, received, ...shown]) => {
    expect(show(expected, received)).toEqual(shown);
  });
});
