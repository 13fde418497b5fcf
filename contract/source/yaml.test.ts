import { expect, test } from 'vitest';
import { isJsonObject } from '../json/value.ts';
import { readFaulty, readYaml } from './yaml.ts';
import { createRandom } from '../sample/random.ts';
import { readText } from './text.ts';

const words =
  '~ null NULL nULL true True tRUE yes FALSE 0 -0 +1 007 0o17 0x1F -0x1F 1_000 9007199254740993 ' +
  "1.0 1. .5 -.5e3 1e3 1e-7 12e03 1e 0.1.2 2020-01-01 12:30 '' 'it''s' {}";

const texts = [
  'a: 1\n---\nb: 1',
  '---\na: "\n ---"\n...\n',
  'a: |\n  ---\n  ---\n',
  'a: !!str 1',
  '&a b: 1',
  'a: &b c\n*b : 1',
  'a: &é 1',
  '%YAML 1.2\n---\na: 1',
];

test.each(texts)('%j is read like a full YAML parser does', async (text) => {
  expect((await readYaml(text)).value).toEqual((await readFaulty(text)).value);
});

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

test.each(scalars)('%j is read like a full YAML parser does', async (scalar) => {
  const text = `a: ${scalar}\n`;
  const { value: plain = null } = await readYaml(text);
  const { value } = await readText(`tagged: !!int 1\n${text}`, 'x.yaml');
  expect(isJsonObject(plain) && { tagged: 1, ...plain }).toEqual(value);
});

/** Texts whose anchors, aliases and merge keys are where chance puts them; some are not sound. */
function anchoredText(seed: number): string {
  const random = createRandom(seed);
  const below = (most: number): number => Math.floor(random() * most);
  const pick = (words: readonly string[]): string => words[below(words.length)] ?? '';
  const name = (): string => pick(['a', 'b', 'c']);
  const anchor = (): string => (below(2) === 0 ? `&${name()} ` : '');
  const flow = (depth: number): string => {
    const kind = below(depth > 2 ? 2 : 4);
    if (kind === 0) return `*${name()} `;
    if (kind === 1) return `${anchor()}${pick(['1', 'x', '~', "'1'"])}`;
    if (kind === 2) return `${anchor()}[${flow(depth + 1)}, ${flow(depth + 1)}]`;
    const first = pick(['p', '2', '<<']);
    return `${anchor()}{ ${first}: ${flow(depth + 1)}, q: ${flow(depth + 1)} }`;
  };
  const lines = ['r', 's', 't', 'p'].map((key) => `${key}: ${flow(0)}\n`);
  lines.splice(below(5), 0, `<<: ${pick(['*a', '[*b, *a]', '{ p: 1 }'])}\n`);
  return `x: &a { p: 7, q: [1] }\ny: &b\n  <<: *a\n  p: 8\nz: &c\n  - 9\n  - *b\n${lines.join('')}`;
}

test('anchors, aliases and merge keys are read like a full YAML parser does', async () => {
  let read = 0;
  for (let seed = 0; seed < 800; seed += 1) {
    const text = anchoredText(seed);
    const full = await readFaulty(text);
    // The parser refuses some anchors that are used within themselves by another name.
    if (full.value === undefined || full.issues.length > 0) continue;
    const plain = await readYaml(text);
    expect({ text, value: JSON.stringify(plain.value) }).toEqual({
      text,
      value: JSON.stringify(full.value),
    });
    read += 1;
  }
  expect(read).toBeGreaterThan(100);
});

test('an anchor may be used often, and the expansion of aliases is bounded', async () => {
  const used = (size: number, times: number): string =>
    `a: &a [${Array(size).fill('x').join()}]\nb: [${Array(times).fill('*a').join()}]`;
  const plain = await readYaml(used(10, 5000));
  expect(isJsonObject(plain.value) && plain.value['b']).toHaveLength(5000);
  const reasonOf = async (text: string) => (await readYaml(text)).issues[0]?.message;
  expect(await reasonOf(used(1000, 1000))).toBe('the document has more than 1000000 values');
  const long = 'x'.repeat(100_000);
  expect(await reasonOf(`a: &a ${long}\nb: [${Array(700).fill('*a').join()}]`)).toBe(
    'the document has more than 33554432 characters',
  );
});

test('aliases may not nest a value deeper than a document may be', async () => {
  const levels = (count: number): string =>
    `a0: &a0 [[[[[[[[[[x]]]]]]]]]]\n${Array.from({ length: count }, (_, level) => `a${level + 1}: &a${level + 1} [*a${level}]\n`).join('')}`;
  expect((await readYaml(levels(400))).issues).toEqual([]);
  expect((await readYaml(levels(600))).issues).toContainEqual({
    code: 'too-large',
    message: 'it is nested more than 500 levels deep',
  });
});

test('each use of an alias is a separate value', async () => {
  const { value } = await readYaml('a: &a [1]\nb: *a');
  expect(isJsonObject(value) && value['a']).not.toBe(isJsonObject(value) && value['b']);
});

test('positions are those of names and items', async () => {
  const text = `openapi: 3.1.0
"paths":
  /a: { get: {}, 'x': [1, "two",
    three] }
  /b:
    - one
    - |
      two
    - k: v
  /c: &c
    k: { l: 1 }
  /d: [1, *c ]
`;
  const plain = await readYaml(text);
  const placeOf = (...tokens: readonly string[]): string => {
    const { line, column } = plain.locate(tokens);
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
    placeOf('paths', '/d', '1'),
    placeOf('paths', '/d', '1', 'k', 'l'),
  ]).toEqual(['1:1', '2:1', '3:18', '3:27', '4:5', '7:7', '9:7', '9:7', '12:11', '11:10']);
});

test.each<[string, string, unknown]>([
  ['a schema of a property that is named like a text', 'name: type: string', { type: 'string' }],
  ['a text', 'name: Note: all', 'Note: all'],
  ['a member before a comment', "age: type: integer # it's in years", { type: 'integer' }],
  ['a text before a comment', 'title: Note: all # or not', 'Note: all'],
])('%s on the line of its member is read, whatever ends the line', async (_what, line, read) => {
  for (const end of ['\n', '\r\n']) {
    const { value } = await readYaml(`a: 1${end}${line}${end}b: 2${end}`);
    expect(value).toEqual({ a: 1, [line.split(':')[0] ?? '']: read, b: 2 });
  }
});

test.each(['x: $ref: #/a', 'x: y: "a # b" # c'])(
  '%s is left to its author, because it may mean two things',
  async (line) => {
    expect((await readYaml(`${line}\n`)).issues[0]?.code).toBe('cut-text');
  },
);
