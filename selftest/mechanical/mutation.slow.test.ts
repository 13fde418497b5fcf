import { describe, expect, test } from 'vitest';
import { listBaseMutations, listBases } from './base.ts';
import { applyMutation, listMutations } from './mutation.ts';

const mutate = (text: string): readonly string[] =>
  listMutations('a.ts', text).map((mutation) => applyMutation(text, mutation));

const cases: readonly (readonly [title: string, text: string, some: readonly string[]])[] = [
  ['a boundary', 'x(a < b);', ['x(a <= b);', 'x(a >= b);']],
  ['a condition', 'if (a) b();', ['if (true) b();', 'if (false) b();']],
  ['an operator', 'x(a ?? b);', ['x(((a) && (b)));']],
  ['a negation', 'x(!a);', ['x((a));']],
  ['a number', 'x(5);', ['x((6));', 'x((4));']],
  ['a bigint', 'x(5n);', ['x((6n));']],
  ['a text', "x('a');", ["x('');"]],
  ['a statement', 'a(); b();', ['; b();', 'a(); ;']],
  ['a member', 'x({ a, b });', ['x({  b });']],
  ['an element', 'x([a, b]);', ['x([ b]);', 'x([a, ]);']],
  ['a default', 'const { a = 1 } = b;', ['const { a } = b;']],
  ['a call', 'x(Math.max(a, b));', ['x(Math.min(a, b));', 'x(a);', 'x(b);']],
  [
    'a pattern',
    'x(/^a{1,2}$/i);',
    ['x(/a{1,2}$/i);', 'x(/^a{1,2}/i);', 'x(/^a{1,3}$/i);', 'x(/^a{1,2}$/);'],
  ],
  ['an arrow function', 'const f = () => a;', ['const f = () => undefined;']],
];

describe('mutations', () => {
  test.for(cases)('of %s', ([, text, some]) => {
    expect(mutate(text)).toEqual(expect.arrayContaining([...some]));
  });

  test('of types and imports there are none', () => {
    expect(
      mutate("import { a } from 'b';\ntype C = 1 | 'd';\ninterface E { readonly f: 2 }"),
    ).toEqual([]);
  });

  test('keep their keys where other lines move them', () => {
    const keys = (text: string): readonly string[] =>
      listMutations('a.ts', text).map(({ key }) => key);
    const text = 'const f = () => a < 1 || b < 1;';
    expect(keys(`// a\n\n${text}`)).toEqual(keys(text));
    expect(new Set(keys(text)).size).toBe(keys(text).length);
  });
});

test('there are 600 mutants at least, each with a key of its own', () => {
  const keys = listBases().flatMap((base) =>
    listBaseMutations(base).map(({ key }) => `${base.name}/${key}`),
  );
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.length).toBeGreaterThan(600);
});
