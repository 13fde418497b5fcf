import { expect, test } from 'vitest';
import { ContractError } from './diagnostic.ts';
import { loadContract } from '../load.ts';
import { parseValueText } from './text.ts';

async function reasonsOf(text: string, source = 'x.yaml'): Promise<readonly string[]> {
  try {
    await parseValueText(text, source);
    return [];
  } catch (cause) {
    if (!(cause instanceof ContractError)) throw cause;
    return cause.message.split('\n').map((line) => line.replace(`${source}: `, ''));
  }
}

test('integers are exact and canonical', async () => {
  const text =
    'a: 9007199254740993\nb: 9007199254740991\nc: -9223372036854775808\nd: 1.0\ne: 1.5\nf: -0\ng: 0x10';
  expect(await parseValueText(text, 'x')).toEqual({
    a: 9007199254740993n,
    b: 9007199254740991,
    c: -9223372036854775808n,
    d: 1,
    e: 1.5,
    f: 0,
    g: 16,
  });
  expect(await parseValueText('{"a":9007199254740993}', 'x.json')).toEqual({
    a: 9007199254740993n,
  });
});

test('names are strings, and a date is a string', async () => {
  const document = await parseValueText(
    '200: x\ntrue: y\nday: 2030-12-05\n__proto__: { a: 1 }',
    'x',
  );
  expect(document).toMatchObject({ 200: 'x', true: 'y', day: '2030-12-05' });
  expect(Object.hasOwn(Object(document), '__proto__')).toBe(true);
  expect(Object.getPrototypeOf(document)).toBe(Object.prototype);
  expect(await parseValueText('%YAML 1.1\n---\nday: 2030-12-05\nno: no', 'x')).toEqual({
    day: '2030-12-05',
    no: 'no',
  });
});

test('a byte order mark is dropped, and tabs in JSON are fine', async () => {
  expect(await parseValueText('\uFEFFa: 1', 'x')).toEqual({ a: 1 });
  expect(await parseValueText('\uFEFF{\n\t"a": "\\ud83d\\ude00"\n}', 'x')).toEqual({ a: '😀' });
});

test('anchors and aliases are resolved', async () => {
  expect(await parseValueText('a: &x { b: 1 }\nc: *x', 'x')).toEqual({
    a: { b: 1 },
    c: { b: 1 },
  });
});

test('braces without quotes are YAML', async () => {
  expect(await parseValueText('{ a: 1 }', 'x.yaml')).toEqual({ a: 1 });
});

test('issues have line and column', async () => {
  expect(await reasonsOf('a: 1\na: 2')).toEqual(['line 2, column 1: Map keys must be unique']);
  expect((await reasonsOf('a: 1\nb: [1')).at(-1)).toMatch(/^line 2, column \d+: /);
  expect((await reasonsOf('{"a": 1 "b": 2}', 'x.json'))[0]).toMatch(/line 1, column 9/);
});

test('no tag is known beyond the core schema', async () => {
  expect(await reasonsOf('a: !!js/function "x"')).toEqual([
    'line 1, column 4: Unresolved tag: tag:yaml.org,2002:js/function',
  ]);
  expect(await reasonsOf('a: !!binary aGk=')).toEqual([
    'line 1, column 4: Unresolved tag: tag:yaml.org,2002:binary',
  ]);
  expect(await reasonsOf('a: !mine 1')).toEqual(['line 1, column 4: Unresolved tag: !mine']);
});

test.each([
  ['a: .nan', 'NaN is not a JSON value'],
  ['a: 1e400', 'Infinity is not a JSON value'],
  [`a: ${'9'.repeat(400)}`, 'Infinity is not a JSON value'],
  ['a: *b', 'line 1, column 4: Unresolved alias (the anchor must be set before the alias): b'],
])('%j is refused', async (text, reason) => {
  expect(await reasonsOf(text)).toEqual([reason]);
});

test.each([
  ['', 'the document is not an object'],
  ['- 1', 'the document is not an object'],
])('the document %j is refused', async (text, reason) => {
  await expect(loadContract({ text })).rejects.toThrow(reason);
});

test('an anchor that contains itself is rejected', async () => {
  expect(await reasonsOf('a: &x [*x]')).toHaveLength(1);
});

test('a text nested too deeply is refused', async () => {
  expect(await reasonsOf(`a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`)).toEqual([
    'line 1, column 504: the document is nested too deeply: at most 500 levels are read',
  ]);
});

test('blocks nested deeper than the parser supports are rejected with their position', async () => {
  const maps = (count: number): string =>
    Array.from({ length: count }, (_, level) => `${' '.repeat(level)}a:\n`).join('');
  const reported = 'the document is nested too deeply: at most 500 levels are read';
  const lists = '- '.repeat(6000);
  expect(await reasonsOf(`${maps(6000)}${' '.repeat(6000)}b: 1\n`)).toEqual([
    `line 501, column 501: ${reported}`,
  ]);
  expect(await reasonsOf(`a: 1\nb:\n  ${lists}1\n`)).toEqual([`line 3, column 1003: ${reported}`]);
});

test('aliases that multiply are rejected before they fill the memory', async () => {
  const levels = ['ab', 'bc', 'cd', 'de', 'ef', 'fg', 'gh', 'hi'].map(
    ([from, name]) => `${name}: &${name} [${Array(10).fill(`*${from}`).join()}]`,
  );
  expect(await reasonsOf(['a: &a [x, x, x, x, x, x, x, x, x, x]', ...levels].join('\n'))).toEqual([
    'the document has more than 1000000 values',
  ]);
  const wide = `a: &a [${Array(2000).fill('x').join()}]\nb: [${Array(900).fill('*a').join()}]`;
  expect(await reasonsOf(wide)).toEqual(['the document has more than 1000000 values']);
});
