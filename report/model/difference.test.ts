import { expect, test } from 'vitest';
import { findDifference, splitAt } from './difference.ts';

/** The differing parts of two texts between brackets. */
function show(expected: string, received: string): readonly string[] | undefined {
  const difference = findDifference(expected, received);
  if (!difference) return undefined;
  return [splitAt(expected, difference.expected), splitAt(received, difference.received)].map(
    ([before, within, after]) => `${before}[${within}]${after}`,
  );
}

test.for([
  ['`name` "Rex"', '`name` "Max"', '`name` "[Re]x"', '`name` "[Ma]x"'],
  [
    '`id` 9007199254740993',
    '`id` 9007199254740992',
    '`id` 900719925474099[3]',
    '`id` 900719925474099[2]',
  ],
  ['at most 1 items', '2 items', '[at most 1] items', '[2] items'],
  ['name "Rex "', 'name "Rex"', 'name "Rex[ ]"', 'name "Rex[]"'],
  ['aaa', 'aa', 'aa[a]', 'aa[]'],
  ['401, since the key is made up', '200 []', '[401], since the key is made up', '[200] []'],
  ['a 😀 b', 'a 😁 b', 'a [😀] b', 'a [😁] b'],
  ['a 𐀀', 'a 𠀀', 'a [𐀀]', 'a [𠀀]'],
])('%j and %j', ([one = '', other = '', first, second]) => {
  expect(show(one, other)).toEqual([first, second]);
});

test.for([
  ['the same', 'the same'],
  ['201: taken', '201 {"id":1}'],
  ['a response', '{}'],
  ['', 'x'],
  ['"a"', '"b"'],
])('%j and %j have no part that is worth a mark', ([one = '', other = '']) => {
  expect(findDifference(one, other)).toBeUndefined();
});

test('what stands around the difference is the same in both, whatever the texts', () => {
  const texts = ['a1', 'a12', 'b1', 'ba21', 'aba', '', 'aa', 'a😀a', 'a😁a'];
  for (const one of texts) {
    for (const other of texts) {
      const difference = findDifference(one, other);
      if (!difference) continue;
      const [before, , after] = splitAt(one, difference.expected);
      expect(splitAt(other, difference.received).filter((_, index) => index !== 1)).toEqual([
        before,
        after,
      ]);
    }
  }
});
