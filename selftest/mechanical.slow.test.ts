import { describe, expect, test } from 'vitest';
import { applyMutation, listMutations, serviceMutations } from './mechanical.ts';

const mutate = (text: string): readonly string[] =>
  listMutations(text).map((mutation) => applyMutation(text, mutation));

const cases: readonly (readonly [title: string, text: string, some: readonly string[]])[] = [
  ['a boundary', 'x(a < b);', ['x(((a) <= (b)));', 'x(((a) >= (b)));']],
  ['a condition', 'if (a) b();', ['if (true) b();', 'if (false) b();']],
  ['an operator', 'x(a ?? b);', ['x(((a) && (b)));']],
  ['a negation', 'x(!a);', ['x((a));']],
  ['a number', 'x(5);', ['x((6));', 'x((4));']],
  ['a bigint', 'x(5n);', ['x((6n));']],
  ['a text', "x('a');", ["x('');"]],
  ['a statement', 'a(); b();', ['; b();', 'a(); ;']],
  ['a member', 'x({ a, b });', ['x({  b });']],
  ['an element', 'x([a, b]);', ['x([ b]);', 'x([a, ]);']],
  ['an arrow function', 'const f = () => a;', ['const f = () => undefined;']],
];

describe('mutations', () => {
  test.for(cases)('of %s', ([, text, some]) => {
    expect(mutate(text)).toEqual(expect.arrayContaining([...some]));
  });

  test('do not change imports', () => {
    expect(mutate("import { a } from 'b';")).toEqual([]);
  });
});

test('there are at least 500 different mutants', () => {
  const changes = serviceMutations.map(({ start, end, after }) => `${start} ${end} ${after}`);
  expect(new Set(changes).size).toBe(changes.length);
  expect(changes.length).toBeGreaterThan(500);
});
