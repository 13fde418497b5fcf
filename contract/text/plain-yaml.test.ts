import { expect, test } from 'vitest';
import { isJsonObject } from '../json/value.ts';
import { readPlainYaml } from './plain-yaml.ts';
import { readText } from './text.ts';

const words =
  '~ null NULL nULL true True tRUE yes FALSE 0 -0 +1 007 0o17 0x1F -0x1F 1_000 9007199254740993 ' +
  "1.0 1. .5 -.5e3 1e3 1e-7 12e03 1e 0.1.2 2020-01-01 12:30 '' 'it''s' {}";

const scalars = words
  .split(' ')
  .concat(
    ['', '"\\u00e9"', 'a b # c', 'a\n    b\n\n    c', '>-\n    a\n     b\n\n    c\n'],
    [
      '|+\n    1\n\n',
      '[1, a, { 1.0: 2 }]',
      '\n  - x\n  - [y]',
      '\n    007: 1\n    ~: 2\n    true: 3',
    ],
  );

test.each(scalars)('%j is read as the parser with all of YAML reads it', async (scalar) => {
  const text = `a: ${scalar}\n`;
  const { value: plain = null } = (await readPlainYaml(text)) ?? {};
  const { value } = await readText(`anchored: &it 1\n${text}`, 'x.yaml');
  expect(isJsonObject(plain) && { anchored: 1, ...plain }).toEqual(value);
});

test.each([
  'a: &b 1',
  'a: !!str 1',
  '<<: { a: 1 }',
  'a: 1\na: 2',
  '%YAML 1.2\n---\na: 1',
  '--- 1\n--- 2',
  '__proto__: 1',
  'a: .inf',
  'a: 1e400',
  '[a]: 1',
  'a: [1',
  '',
])('%j is left to it', async (text) => {
  expect(await readPlainYaml(text)).toBeUndefined();
});

test('places are those of names and items', async () => {
  const text = `openapi: 3.1.0
"paths":
  /a: { get: {}, 'x': [1, "two",
    three] }
  /b:
    - one
    - |
      two
    - k: v
`;
  const plain = await readPlainYaml(text);
  const placeOf = (...tokens: readonly string[]): string => {
    const { line, column } = plain?.locate(tokens) ?? {};
    return `${line}:${column}`;
  };
  expect([
    placeOf(),
    placeOf('paths'),
    placeOf('paths', '/a', 'x'),
    placeOf('paths', '/a', 'x', '1'),
    placeOf('paths', '/a', 'x', '2'),
    placeOf('paths', '/b', '1'),
    placeOf('paths', '/b', '2', 'k'),
    placeOf('paths', '/b', '2', 'none'),
  ]).toEqual(['1:1', '2:1', '3:18', '3:27', '4:5', '7:7', '9:7', '9:7']);
});
