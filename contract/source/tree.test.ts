import { expect, test } from 'vitest';
import { LineIndex } from './tree.ts';

test('finds the line and column of each offset, among short and long lines', () => {
  const text = ['a', '', 'b'.repeat(255), 'c'.repeat(256), 'd'.repeat(1_000), '', ''].join('\n');
  const lines = new LineIndex(text);
  for (let offset = 0; offset <= text.length; offset += 1) {
    const before = text.slice(0, offset).split('\n');
    const column = (before.at(-1) ?? '').length + 1;
    expect(lines.placeAt(offset)).toEqual({ line: before.length, column });
  }
});
