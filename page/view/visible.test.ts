import { expect, test } from 'vitest';
import { countColumns, fitColumns, takeColumns, wrapWords } from '../../report/text/layout.ts';
import { showLine, showText } from './visible.ts';

test.for([
  ['plain "text" ü 猫 😀', 'plain "text" ü 猫 😀'],
  ['\u001B[31m', String.raw`\u{1b}[31m`],
  ['a\u0000b\u0085', String.raw`a\u{0}b\u{85}`],
  ['a\u202Eb\u200B\uFEFF', String.raw`a\u{202e}b\u{200b}\u{feff}`],
  ['\uD800 \uFFFE', String.raw`\u{d800} \u{fffe}`],
  ['a\u2028b', String.raw`a\u{2028}b`],
])('%j is shown as %j', ([text = '', shown]) => {
  expect(showText(text)).toBe(shown);
});

test('line breaks and tabs stay in a text and are escaped in a line', () => {
  expect(showText('a\n\tb\r')).toBe('a\n\tb\\u{d}');
  expect(showLine('a\n\tb\r')).toBe(String.raw`a\n\tb\u{d}`);
});

test('widths are counted in terminal columns', () => {
  expect(['abc', '猫', '😀', 'e\u0301', 'é'].map(countColumns)).toEqual([3, 2, 2, 1, 1]);
  expect(fitColumns('猫猫猫', 5)).toBe('猫猫…');
  expect(fitColumns('猫猫猫', 6)).toBe('猫猫猫');
  expect(takeColumns('a猫b', 2)).toEqual(['a', '猫b']);
});

test('words are wrapped without loss', () => {
  expect(wrapWords('one two three incomprehensibilities four', 9)).toEqual([
    'one two',
    'three',
    'incomprehensibilities',
    'four',
  ]);
});
