import { expect, test } from 'vitest';
import { translatePattern } from './pattern.ts';

test.each<[string, string | undefined]>([
  [String.raw`^\d{3}$`, String.raw`^\d{3}$`],
  ['(?i)^abc[d-f]$', '^[aA][bB][cC][d-fD-F]$'],
  [String.raw`^\A[a-z]++\z`, '^^[a-z]+$'],
  [String.raw`(?P<year>\d{4})-(?P=year)`, String.raw`(?<year>\d{4})-\k<year>`],
  ['[[:alpha:]_]+', '[A-Za-z_]+'],
  [String.raw`^[\w-.]+$`, String.raw`^[\w\-.]+$`],
  [String.raw`^\w{,3}$`, String.raw`^\w{0,3}$`],
  ['{id}', String.raw`\{id\}`],
  ['/^ab$/i', '^[aA][bB]$'],
  [String.raw`(?i)\u0041\x42c`, String.raw`\u0041\x42[cC]`],
  [String.raw`\p{L}\p{Alnum}`, String.raw`\p{L}[0-9A-Za-z]`],
  [String.raw`a\_b\-c`, 'a_b-c'],
  ['^(?>a|b)$', '^(?:a|b)$'],
  ['[{,3}]', '[{,3}]'],
  [String.raw`^[{,3}\_]$`, '^[{,3}_]$'],
  ['[]a]', String.raw`[\]a]`],
  ['*.txt', undefined],
  ['(?(1)a|b)', undefined],
  ['^[a-z&&[^b]]+$', undefined],
  ['[z-a]', undefined],
])('%s is read as %s', (pattern, translated) => {
  expect(translatePattern(pattern)).toBe(translated);
});
