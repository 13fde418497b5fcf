import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parseJson, renderCanonicalJson, findDuplicateMember } from '../../contract/index.ts';
import { chainLog, checkChain, type ChainedLog } from './log-chain.ts';

describe('canonical JSON', () => {
  test('is that of the example of RFC 8785 section 3.2.2', () => {
    // Parsed as ECMAScript does: `parseJson` holds 1E30 as the integer that it is, for which there
    // is no form.
    const value = JSON.parse(
      String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
    );
    expect(renderCanonicalJson(value)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  test('has members in the order of RFC 8785 section 3.2.3', () => {
    const value = parseJson(
      String.raw`{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}`,
    );
    expect(
      renderCanonicalJson(value)
        .match(/\d(?=[,}])/g)
        ?.join(''),
    ).toBe('2467153');
  });

  test('has no form for an integer that no double holds', () => {
    expect(() => renderCanonicalJson(parseJson('{"a":[9007199254740993]}'))).toThrow(TypeError);
  });

  test('leaves out what is undefined and sorts at every level', () => {
    expect(renderCanonicalJson({ b: [{ d: 1, c: 2 }], a: undefined })).toBe(
      '{"b":[{"c":2,"d":1}]}',
    );
  });
});

describe('a member that stands there twice', () => {
  test.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"a":{"b":[{"c":1,"c":1}]}}', 'c'],
    [String.raw`{"a":1,"\u0061":2}`, 'a'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    [String.raw`{"a\"":1 , "a\"" : 2}`, 'a"'],
    ['{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}],"d":"a"}', undefined],
    [String.raw`{"a":"{\"x\":1,\"x\":2}","b":"\\"}`, undefined],
    ['["a","a"]', undefined],
    ['"a"', undefined],
  ])('in %s', (text, found) => {
    expect(findDuplicateMember(text)).toBe(found);
  });
});

describe('the chain', () => {
  const log = chainLog([{ n: 0 }, { n: 1 }, { n: 2 }, { n: 3 }]);
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

  test('is what a few lines of another program make of it', () => {
    const links = ['{"n":0}', '{"n":1}', '{"n":2}', '{"n":3}'].reduce<readonly string[]>(
      (all, entry) => [...all, hash(`${all.at(-1) ?? '0'.repeat(64)}\n${entry}`)],
      [],
    );
    expect(log.entries.map(({ link }) => link)).toEqual(links);
    expect([log.head, log.length]).toEqual([links[3], 4]);
    expect(checkChain(log)).toEqual([]);
  });

  test('of nothing is lawful', () => {
    expect(checkChain(chainLog([]))).toEqual([]);
  });

  const entries = log.entries;
  const [first, second, third, fourth] = entries;
  const some = (...list: readonly (ChainedLog['entries'][number] | undefined)[]): ChainedLog => {
    const found = list.filter((each) => each !== undefined);
    return { ...log, length: found.length, entries: found };
  };

  test.each<[string, ChainedLog, string]>([
    [
      'an edited entry',
      some(first, second && { ...second, entry: { n: 9 } }, third, fourth),
      'log[1]',
    ],
    ['an entry less', some(first, third, fourth), 'log[1]'],
    ['the first entry less', some(second, third, fourth), 'log[0]'],
    ['the last entry less', some(first, second, third), 'log.head'],
    ['an entry more', some(first, second, second, third, fourth), 'log[2]'],
    ['entries in another order', some(first, third, second, fourth), 'log[1]'],
    ['another length', { ...log, length: 5 }, 'log'],
    ['another head', { ...log, head: '0'.repeat(64) }, 'log.head'],
    [
      'an integer that no double holds',
      some(first, second && { ...second, entry: { n: 9007199254740993n } }, third, fourth),
      'log[1]',
    ],
  ])('finds %s', (_name, forged, where) => {
    expect(checkChain(forged)).toMatchObject([{ kind: 'chain', weight: 'breaks', where }]);
  });
});
