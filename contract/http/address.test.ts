import { expect, test } from 'vitest';
import { trimEnd } from './address.ts';

test('only these characters are trimmed, and only at the end', () => {
  expect(trimEnd('/pets//', '/')).toBe('/pets');
  expect(trimEnd('//', '/')).toBe('');
  expect(trimEnd('', '/')).toBe('');
  expect(trimEnd('/a/b', '/')).toBe('/a/b');
  expect(trimEnd('a \0 ', ' \0')).toBe('a');
});
