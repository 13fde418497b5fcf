import { describe, expect, test } from 'vitest';
import {
  appendPointer,
  parsePointer,
  renderFragment,
  renderPointer,
  resolvePointer,
} from './pointer.ts';

/** The document of RFC 6901 section 5, in names of our own. */
const document = {
  list: ['first', 'second'],
  '': 0,
  'a/b': 1,
  'c%d': 2,
  'e^f': 3,
  'g|h': 4,
  'i\\j': 5,
  'k"l': 6,
  ' ': 7,
  'm~n': 8,
  '~1': 9,
  Zoë: 10,
};

describe('resolvePointer', () => {
  test.each([
    ['', document],
    ['/list', document.list],
    ['/list/0', 'first'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/e^f', 3],
    ['/g|h', 4],
    ['/i\\j', 5],
    ['/k"l', 6],
    ['/ ', 7],
    ['/m~0n', 8],
    ['/~01', 9],
    ['/Zoë', 10],
    ['#', document],
    ['#/list/1', 'second'],
    ['#/', 0],
    ['#/a~1b', 1],
    ['#/c%25d', 2],
    ['#/e%5Ef', 3],
    ['#/k%22l', 6],
    ['#/%20', 7],
    ['#/m~0n', 8],
    ['#/Zo%C3%AB', 10],
    ['#/Zoë', 10],
  ])('%s', (pointer, value) => {
    expect(resolvePointer(document, pointer)).toEqual(value);
  });

  test.each([
    '/nowhere',
    '/list/2',
    '/list/-',
    '/list/01',
    '/list/length',
    '/list/0/0',
    '/toString',
    '/__proto__',
    '#/constructor',
  ])('%s resolves to nothing', (pointer) => {
    expect(resolvePointer(document, pointer)).toBeUndefined();
  });

  test.each(['a', 'a/b', '/~', '/~2', '#a', '#/%', '#/%zz'])(
    '%s is not a JSON pointer',
    (pointer) => {
      expect(() => resolvePointer(document, pointer)).toThrow(SyntaxError);
    },
  );
});

test.each([[[]], [['a']], [['']], [['a/b', '~', '~1', '%41', 'Zoë', '{petId}', 'k"l']]])(
  '%j round-trips in both forms',
  (tokens) => {
    expect(parsePointer(renderPointer(tokens))).toEqual(tokens);
    expect(parsePointer(renderFragment(tokens))).toEqual(tokens);
  },
);

test('appendPointer keeps the form', () => {
  expect(appendPointer('', 'pets', 0, 'a/b%')).toBe('/pets/0/a~1b%');
  expect(appendPointer('#', 'paths', '/pets/{petId}', '%')).toBe('#/paths/~1pets~1{petId}/%25');
  expect(appendPointer('#/a')).toBe('#/a');
});
