import { describe, expect, test } from 'vitest';
import { compilePathMatch } from './path-pattern.ts';

describe('a path template', () => {
  test.each([
    ['/pets', '/pets', []],
    ['/pets', '/pets/', undefined],
    ['/pets/{id}', '/pets/7', ['7']],
    ['/pets/{id}', '/pets/', undefined],
    ['/pets/{id}', '/pets/7/8', undefined],
    ['/pets/{id}/toys', '/pets/7/toys', ['7']],
    ['/pets/{id}/toys', '/pets//toys', undefined],
    ['/pets/{id}/toys/{toy}', '/pets/a%2Fb/toys/c', ['a%2Fb', 'c']],
    ['/{a}/{b}', '/x', undefined],
    ['/{a}/{b}', '/x/y/z', undefined],
    ['/{name}.{form}', '/a.tar.gz', ['a', 'tar.gz']],
    ['/{name}.{form}', '/.a.b', ['.a', 'b']],
    ['/{name}.json', '/a.json.json', ['a.json']],
    ['/{a}{b}', '/xyz', ['x', 'yz']],
    ['/{a}{b}', '/x', undefined],
    ['/{a}-{b}-c', '/x-y-c-c', ['x', 'y-c']],
    ['/{a}-{b}-c', '/x-c', undefined],
    ['/{a}-x/{b}', '/q/x-x/7', undefined],
  ])('%s reads %s', (template, path, values) => {
    expect(compilePathMatch(template)(path)).toEqual(values);
  });

  test('matches like a regular expression, in less time', () => {
    const templates = ['/{a}-{b}', '/{a}-{b}-{c}', '/x{a}-{b}/{c}x', '/{a}{b}-', '/{a}/-{b}'];
    const letters = ['x', '-', '/'];
    const paths = Array.from({ length: 3 ** 7 }, (_, number) =>
      Array.from({ length: 7 }, (_, at) => letters[Math.floor(number / 3 ** at) % 3]).join(''),
    );
    for (const template of templates) {
      const pattern = new RegExp(`^${template.replaceAll(/\{[^{}]*\}/g, '([^/]+?)')}$`);
      const match = compilePathMatch(template);
      for (const path of paths.map((path) => `/${path}`))
        expect(match(path), `${template} ${path}`).toEqual(pattern.exec(path)?.slice(1));
    }
  });

  test('accepts empty parameters if configured', () => {
    const match = compilePathMatch('/pets/{id}/toys', 0);
    expect([match('/pets//toys'), match('/pets/7/toys'), match('/pets/toys')]).toEqual([
      [''],
      ['7'],
      undefined,
    ]);
  });

  test('with many parameters in one segment matches a long path', () => {
    const template = `/${Array.from({ length: 12 }, (_, at) => `{p${at}}`).join('-')}`;
    const path = `/${'-'.repeat(200_000)}/`;
    expect(compilePathMatch(template)(path)).toBeUndefined();
    expect(compilePathMatch(template)(path.slice(0, -1))).toHaveLength(12);
  });
});
