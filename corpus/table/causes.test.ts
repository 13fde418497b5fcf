import { describe, expect, test } from 'vitest';
import { loadedResult, refusedResult, row } from '../testing/results.ts';
import { listCauses, rowTrouble } from './causes.ts';
import { firstWords, refusalWords } from './refusal-words.ts';

describe('the cause of a response', () => {
  const cases = [
    [row('a', { body: 'valid' }), undefined],
    [
      row('a', { body: 'invalid', detail: '/3/name must be string' }),
      'sample: invalid: /… must be string',
    ],
    [
      row('a', {
        outcome: 'refused',
        status: 400,
        text: '{"message":"query limit must be at most 50"}',
      }),
      'request: 400: query limit must be at most N',
    ],
    [
      row('a', { outcome: 'undocumented', status: 401, text: '' }),
      'security: 401 is not documented',
    ],
    [
      row('a', { outcome: 'undocumented', status: 404, text: '{}' }),
      'state: 404 is not documented: {}',
    ],
    [
      row('a', { outcome: 'server-error', status: 501, text: 'no sample' }),
      'sample: 501: no sample',
    ],
    [
      { ...row('a'), outcome: 'no-response', detail: 'ECONNRESET' },
      'crash: no response: ECONNRESET',
    ],
  ] as const;

  test.each(cases)('%o', (one, expected) => {
    const trouble = rowTrouble(one);
    expect(trouble && `${trouble.area}: ${trouble.words}`).toBe(expected);
  });
});

test('like sentences are one cause, the most frequent first, each document with its first place', () => {
  const refused = (operation: string, name: string): ReturnType<typeof row> =>
    row(operation, {
      outcome: 'refused',
      status: 400,
      text: `{"error":{"message":"\\"${name}\\" is missing"}}`,
    });
  const causes = listCauses([
    loadedResult('one', [refused('add', 'a'), refused('change', 'b')]),
    loadedResult('two', [refused('send', 'c')], {
      pairs: [{ collection: '/things', kept: false, reason: 'GET 404' }],
    }),
    refusedResult(
      'three',
      'petstore mock: x.yaml#/paths/~1a: type is not allowed here (and 2 more)',
    ),
  ]);
  expect(
    causes.map(({ area, words, count, documents }) => [area, words, count, [...documents]]),
  ).toEqual([
    [
      'request',
      '400: "…" is missing',
      3,
      [
        ['one', 'add'],
        ['two', 'send'],
      ],
    ],
    ['state', 'pair: GET 404', 1, [['two', '/things']]],
    ['load', 'type is not allowed here (and N more)', 1, [['three', '#/paths/~1a']]],
  ]);
});

test('the failures of the own mock are grouped by the kind of requirement', () => {
  const causes = {
    'failed: addPet/status.201: 201, but 501 for pet 7': 1,
    'failed: addShop/status.201: 201, but 501 for pet 9': 1,
    'not tested: no response of the run shows it': 40,
  };
  const conformance = {
    exit: 1,
    milliseconds: 1,
    passed: 0,
    failed: 2,
    notTested: 40,
    open: 0,
    requests: 3,
  };
  const listed = listCauses([loadedResult('one', [], { conformance: { ...conformance, causes } })]);
  expect(listed.map(({ words, count }) => [words, count])).toEqual([
    ['not tested: no response of the run shows it', 40],
    ['failed: status.N: N, but N for pet N', 2],
  ]);
});

test('words are those of the sentence that a body tells, without names and numbers', () => {
  expect(refusalWords('{"status":404,"errors":[{"title":"There is no path /a/b."}]}')).toBe(
    'There is no path /…',
  );
  expect(refusalWords('plain text 12')).toBe('plain text N');
  expect(
    firstWords(`'a' of "b" at https://x.example/y: ${'word '.repeat(20)}`).split(' '),
  ).toHaveLength(10);
});
