import { describe, expect, test } from 'vitest';
import { createRandom } from '../sample/random.ts';
import { compileLinear } from './linear.ts';
import { createPattern, isLargePattern, maxPatternSteps, patternIssue } from './pattern.ts';
import { maxPatternDepth, maxPatternLength, maxPatternStates } from './syntax.ts';

const million = 2 ** 20;

describe('patterns with catastrophic backtracking', () => {
  test.each([
    ['^(a+)+$', 'a'],
    ['^(a|a)*$', 'a'],
    ['^(a|aa)+$', 'a'],
    [String.raw`^(\w+\s?)*$`, 'a'],
    ['^(?:(?:a|b)+c?)+$', 'ab'],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'],
    ['(x+x+)+y', 'x'],
    [String.raw`\s+$`, ' '],
    [String.raw`^\s*\s*\s*\s*x$`, ' '],
    ['(.*)(.*)(.*)(.*)(.*)[^a!]$', 'a'],
    ['(?<=(a+)+)b', 'a'],
    [String.raw`^(?:\p{L}+\p{L}*)+$`, 'é'],
    [String.raw`^([\p{L}\p{N}]+[-\s]?)+$`, '中'],
    ['^(?:(?:(?:a*)*)*)*$', 'a'],
    ['^(a?){10}a{10}$', 'a'],
    ['^(?=[ab]|c)(?!b*$)(a+)+$', 'a'],
  ])('%s is judged in texts of 1 MiB and of 45 characters', (source, unit) => {
    const pattern = createPattern(source);
    for (const length of [45, 1000, million]) {
      const text = unit.repeat(length / unit.length);
      expect([pattern.match(text), pattern.match(`${text}!`)]).not.toContain(undefined);
    }
    expect(pattern.match(`${unit.repeat(45)}!`)).toBe(false);
  });

  test.each([
    String.raw`^(a+)+\1$`,
    String.raw`^(?:(a|a)\1?)*$`,
    '^(?=(a+)+$)a*b$',
    '^(?!(a+)+$)',
    '^(?=a)(a+)+$|!',
    '^(?:a(?=(a+)+$))*b$',
    '^(?:(?:a{0,1000}){0,1000}){0,1000}(?=b)$',
    '(?:){1000000000}(?=b)',
  ])('%s is not judged', (source) => {
    expect(createPattern(source).match('a'.repeat(45))).toBeUndefined();
    expect(createPattern(source).test('a'.repeat(45))).toBe(true);
    expect(patternIssue(source)).toMatch(
      /^can take (?:\d+|countless) steps to match 40 characters/,
    );
  });

  test.each([
    String.raw`^(['"])[^'"]*\1$`,
    String.raw`^<(\w)>.*</\1>$`,
    '^(?:(?!--)[a-z-])+$',
    'a(?=b)',
  ])(
    '%s is judged in texts of usual length, although no linear-time engine supports it',
    (source) => {
      expect(patternIssue(source)).toBeUndefined();
      const pattern = createPattern(source);
      const expression = new RegExp(source, 'u');
      for (const text of ["'ab'", `'ab"`, '<b>x</b>', '<b>x</i>', 'a-b', 'a--b', 'ab', 'ba', '']) {
        expect([text, pattern.match(text)]).toEqual([text, expression.test(text)]);
        const long = text.padEnd(100, 'a') + text;
        expect([long, pattern.match(long)]).toEqual([long, expression.test(long)]);
      }
    },
  );
});

test.each([
  [String.raw`^(?=.*[A-Z])(?=.*[a-z])(?=.*\d)(?!.*\s)[^\s]{8,}$`, 'Abcdefg1', 'abcdefg1'],
  [String.raw`(?=.*\d)(?=.*[a-z]).{8,}`, 'abcdefg1', 'abcdefgh'],
  ['^(?!-)[a-z-]{1,63}(?<!-)$', 'a-b', 'a-'],
  [String.raw`^((?!\.\.).)*$`, 'a.b', 'a..b'],
])('lookaheads count: %s', (source, right, wrong) => {
  const pattern = createPattern(source);
  expect([pattern.match(right), pattern.match(wrong)]).toEqual([true, false]);
});

test('fixed repetitions are unrolled on each path', () => {
  const pattern = createPattern(String.raw`[\s\S]{0,5000}z{5000}`);
  expect(pattern.match('z'.repeat(1000))).toBeUndefined();
  expect(pattern.match('z'.repeat(100))).toBe(false);
});

describe('limits', () => {
  test('maxPatternLength: longer patterns are reported with their length', () => {
    const most = maxPatternLength;
    expect(patternIssue('a'.repeat(most))).toBeUndefined();
    expect(createPattern(`^[${'a'.repeat(most - 4)}]$`).match('a')).toBe(true);
    expect(patternIssue('a'.repeat(most + 1))).toContain('65537 characters long, and 65536 is');
    expect(createPattern('a'.repeat(most + 1)).match('b')).toBeUndefined();
  });

  test('maxPatternDepth: deeper patterns are reported with their depth', () => {
    const nest = (depth: number): string => '('.repeat(depth) + ')'.repeat(depth);
    expect(patternIssue(nest(maxPatternDepth))).toBeUndefined();
    expect(patternIssue(nest(maxPatternDepth + 1))).toContain('251 groups deep, and 250 is');
  });

  test('maxPatternSteps: a text that takes more steps is not judged, one that takes less is', () => {
    const pattern = createPattern(String.raw`^(\w+)[a-z]*\1$`);
    expect(pattern.match('a'.repeat(30))).toBe(true);
    expect(pattern.match(`${'a'.repeat(30)}!`)).toBe(false);
    expect(pattern.match('a'.repeat(maxPatternSteps / 1000))).toBeUndefined();
    expect(pattern.judge('a'.repeat(200)).steps).toBeLessThanOrEqual(maxPatternSteps);
    expect(pattern.match('a'.repeat(200), 1000)).toBeUndefined();
  });

  test('maxPatternStates: larger automata are matched as far as the steps allow', () => {
    const within = `^(?:a|a){${maxPatternStates / 20}}$`;
    expect(createPattern(within).match('a'.repeat(maxPatternStates / 20))).toBe(true);
    expect(isLargePattern(within)).toBe(false);
    const over = `^(?:a|a){${maxPatternStates}}$`;
    expect(createPattern(over).match('a'.repeat(maxPatternStates))).toBeUndefined();
    expect(isLargePattern(over)).toBe(true);
    expect(createPattern(`^.{0,${maxPatternStates * 5}}$`).match('a'.repeat(40_000))).toBe(true);
  });
});

test('every engine agrees with RegExp', () => {
  const random = createRandom(14);
  const pick = <Value>(values: readonly Value[]): Value | undefined =>
    values[Math.floor(random() * values.length)];
  const atoms = [
    'a',
    'b',
    '.',
    '[ab]',
    '[^a]',
    String.raw`\d`,
    String.raw`\w`,
    String.raw`\s`,
    'é',
    String.raw`\u{1F600}`,
    String.raw`\b`,
    '-',
    String.raw`[\s\S]`,
    String.raw`\uD83D`,
    String.raw`\S`,
    String.raw`[\S1]`,
    String.raw`[^\s\-]`,
    '[a-b-é]',
    '[-a]',
    '[]',
    '[^]',
    String.raw`\uD83D\uDE00`,
    String.raw`\x61`,
    String.raw`[\b\cJ]`,
    String.raw`\p{L}`,
    String.raw`[^\p{Script=Latin}]`,
  ];
  const quantifiers = ['', '', '', '*', '+', '?', '{2}', '{1,3}', '{0,2}', '*?', '+?'];
  const make = (depth: number): string => {
    const parts = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
      const kind = random();
      const isGroup = depth > 0 && kind < 0.45;
      const head =
        kind < 0.05
          ? '(?='
          : kind < 0.09
            ? '(?!'
            : kind < 0.12
              ? '(?<='
              : kind < 0.14
                ? '(?<!'
                : '(?:';
      const atom = isGroup ? `${head}${make(depth - 1)})` : (pick(atoms) ?? '');
      const isPlace = atom === String.raw`\b` || (isGroup && head !== '(?:');
      return isPlace ? atom : atom + (pick(quantifiers) ?? '');
    });
    return parts.join(random() < 0.2 ? '|' : '');
  };
  const letters = ['a', 'b', 'é', '1', '-', ' ', '\n', '😀', '\uD83D', '\u2028'];
  let judged = 0;
  for (let count = 0; count < 1000; count += 1) {
    const body = make(2);
    const source = `${random() < 0.6 ? '^' : ''}${body}${random() < 0.6 ? '$' : ''}`;
    const pattern = createPattern(source);
    const expression = new RegExp(source, 'u');
    const matcher = compileLinear(source);
    for (let tries = 0; tries < 6; tries += 1) {
      const text = Array.from({ length: Math.floor(random() * 9) }, () => pick(letters)).join('');
      const native = expression.test(text);
      // Without leave to backtrack, too.
      const found = [pattern.match(text), matcher?.(text)].filter((one) => one !== undefined);
      judged += found.length;
      expect([source, text, ...found]).toEqual([source, text, ...found.map(() => native)]);
    }
  }
  expect(judged).toBeGreaterThan(8000);
}, 180_000);
