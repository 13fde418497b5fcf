import * as fc from 'fast-check';
import { JSONPathEnvironment } from 'json-p3';
import { expect, test } from 'vitest';
import { documentLimits } from '../../../limits/index.ts';
import type { JsonValue } from '../../../json/value.ts';
import { compileQuery } from './query.ts';
import { createSpender, rootNode, TooManyStepsError } from './scope.ts';

const environment = new JSONPathEnvironment();

/** What a query selects, in its order. */
function select(query: string, root: JsonValue): readonly JsonValue[] {
  const found: JsonValue[] = [];
  const scope = { root, spend: createSpender(), patterns: new Map() };
  compileQuery(environment.compile(query))(rootNode(root), scope, ({ value }) => {
    found.push(value);
    return false;
  });
  return found;
}

/** What the package itself selects. */
function selectByPackage(query: string, root: JsonValue): readonly unknown[] {
  return environment
    .compile(query)
    .query(JSON.parse(JSON.stringify(root)))
    .values();
}

/** A wildcard after a filter in a function is lawful, and refused by the package. */
function isParsed(query: string): boolean {
  try {
    return environment.compile(query).segments.length >= 0;
  } catch {
    return false;
  }
}

const names = ['a', 'b', 'c', '__proto__', 'toString'];
const leaf = fc.oneof(
  fc.constantFrom<JsonValue>(null, true, false, 0, 1, -1, 2.5, '', 'a', 'ab', 'aab', 'b', 'x.y'),
  fc.integer({ min: -3, max: 12 }),
);
const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.constantFrom(...names), tie('value')), { maxLength: 4 })
      .map((members) => Object.fromEntries(members)),
  ),
}));

const index = fc.integer({ min: -5, max: 5 });
const bound = fc.option(index, { nil: '' });
const plain = fc.oneof(
  fc.constantFrom(...names).map((name) => `['${name}']`),
  index.map((at) => `[${at}]`),
);
const literal = fc.constantFrom('1', '-1', '2.5', "'a'", "'ab'", 'true', 'false', 'null');
const operator = fc.constantFrom('==', '!=', '<', '>', '<=', '>=');

const { query } = fc.letrec<Record<'query' | 'selector' | 'filter' | 'subject', string>>((tie) => ({
  query: fc
    .array(
      fc.oneof(
        plain,
        fc
          .tuple(
            fc.constantFrom('', '..'),
            fc.array(tie('selector'), { minLength: 1, maxLength: 2 }),
          )
          .map(([dots, selectors]) => `${dots}[${selectors.join(',')}]`),
      ),
      { maxLength: 3 },
    )
    .map((segments) => segments.join('')),
  selector: fc.oneof(
    { depthSize: 'xsmall' },
    fc.constant('*'),
    index.map(String),
    fc.constantFrom(...names).map((name) => `"${name}"`),
    fc.tuple(bound, bound, bound).map((bounds) => bounds.join(':')),
    tie('filter').map((filter) => `?${filter}`),
  ),
  filter: fc.oneof(
    { depthSize: 'xsmall' },
    fc.tuple(fc.constantFrom('@', '$'), tie('query')).map(([root, path]) => `${root}${path}`),
    fc.tuple(tie('subject'), operator, tie('subject')).map((parts) => parts.join(' ')),
    tie('filter').map((filter) => `!(${filter})`),
    fc
      .tuple(tie('filter'), fc.constantFrom('&&', '||'), tie('filter'))
      .map(([left, word, right]) => `(${left}) ${word} (${right})`),
  ),
  subject: fc.oneof(
    { depthSize: 'xsmall' },
    literal,
    fc
      .tuple(fc.constantFrom('@', '$'), fc.array(plain, { maxLength: 2 }))
      .map(([root, path]) => `${root}${path.join('')}`),
    fc
      .tuple(fc.constantFrom('count', 'value'), tie('query'))
      .map(([name, path]) => `${name}(@${path})`),
    fc.array(plain, { maxLength: 2 }).map((path) => `length(@${path.join('')})`),
  ),
}));

test('a query selects what the package selects that parses it, in the same order', () => {
  fc.assert(
    fc.property(value, query, (root, path) => {
      fc.pre(isParsed(`$${path}`));
      expect(select(`$${path}`, root)).toEqual(selectByPackage(`$${path}`, root));
    }),
    { numRuns: 3_000, seed: 14 },
  );
});

// The package also matches what is no text, against RFC 9535.
test('texts are matched as by the package', () => {
  const texts = fc.array(
    fc.string({ unit: fc.constantFrom('a', 'b', 'x', '.', '\n', '\u{1F600}') }),
  );
  const pattern = fc.constantFrom(
    'a+',
    '^a',
    'b$',
    '.',
    '[ab]*',
    'x\\\\.',
    '[.]',
    '[^.]',
    '(?:a)',
    '(',
    ')(',
  );
  fc.assert(
    fc.property(texts, fc.constantFrom('match', 'search'), pattern, (root, name, source) => {
      const path = `$[?${name}(@, '${source}')]`;
      expect(select(path, root)).toEqual(selectByPackage(path, root));
    }),
    { numRuns: 1_000, seed: 14 },
  );
});

test.each([
  ['$[?match(@, "1")]', [1, '1', null], ['1']],
  ['$[?length(@) == 1]', ['\u{1F600}', 'ab'], ['\u{1F600}']],
  ['$[?@ == 9007199254740993]', [9007199254740992], [9007199254740992]],
  ['$[?@ > 1]', [2n ** 60n, 1, 0n], [2n ** 60n]],
  ["$[?match(@, '(a+)+')]", ['a'.repeat(60), `${'a'.repeat(60)}!`], ['a'.repeat(60)]],
  ["$[?search(@, '(?=a)')]", ['a'], []],
] as const)('%s', (path, root, expected) => {
  expect(select(path, root)).toEqual(expected);
});

test('targets end after documentLimits.overlaySteps, also where they select nothing', () => {
  const wide = Array.from({ length: 2_000 }, () => ({ a: [1, 2, 3] }));
  expect(select('$..*..*', wide).length).toBeGreaterThan(documentLimits.overlaySteps.most / 2_000);
  for (const path of ['$..[?count($..*)>3]', '$[*,*,*][*,*,*]..[?$..b]', '$..[?$..[?@ == $]]'])
    expect(() => select(path, wide)).toThrow(TooManyStepsError);
  for (const source of ['(a|a)*(a|a)*b', '(.*a){20}c', '(a{1,900}){1,900}'])
    expect(() =>
      select(
        `$[?search(@, '${source}')]`,
        Array.from({ length: 20 }, () => 'a'.repeat(900_000)),
      ),
    ).toThrow(TooManyStepsError);
});
