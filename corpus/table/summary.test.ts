import { expect, test } from 'vitest';
import type { DocumentResult } from '../measure/result.ts';
import { loadedResult, refusedResult, row } from '../testing/results.ts';
import { valueText } from './cells.ts';
import { figuresOf } from './figures.ts';
import { ratesOf, summarize } from './summary.ts';

const conformance = { milliseconds: 1, open: 0, requests: 9, causes: {} };

const results = [
  loadedResult('all-good', [row('list', { body: 'valid' }), row('get', { body: 'valid' })], {
    pairs: [{ collection: '/things', kept: true }],
    conformance: { ...conformance, exit: 0, passed: 6, failed: 0, notTested: 2 },
  }),
  loadedResult(
    'half-good',
    [
      row('list', { body: 'invalid' }),
      row('get', { outcome: 'undocumented', status: 404 }),
      row('doubtful', { outcome: 'refused', status: 400, doubts: ['body'] }),
    ],
    {
      pairs: [{ collection: '/things', kept: false, reason: 'GET 404' }],
      conformance: { ...conformance, exit: 1, passed: 1, failed: 1, notTested: 0 },
    },
  ),
  refusedResult('not-loaded', 'petstore mock: a.yaml#/swagger: is not supported'),
];

const lines = summarize(results.map(figuresOf));

test('the rates count loaded documents, and in the mean those that do not load as nothing', () => {
  expect(Object.fromEntries(ratesOf(lines))).toEqual({
    loads: 2 / 3,
    answered: 3 / 4,
    answeredMean: (1 + 0.5 + 0) / 3,
    validBodies: 2 / 3,
    pairs: 1 / 2,
    conforms: 1 / 3,
    tested: 8 / 10,
  });
});

test('a document without operations is to be inconclusive: exit code 2', () => {
  const rate = (exit: number): number | undefined => {
    const judged = { ...conformance, exit, passed: 0, failed: 0, notTested: 0 };
    const result = loadedResult('webhooks', [], { conformance: judged });
    return ratesOf(summarize([figuresOf(result)])).get('conforms');
  };
  expect([0, 1, 2].map(rate)).toEqual([0, 0, 1]);
});

test('without a judgement of the own mock nothing is said about it', () => {
  const quick = results.map(({ id, openapi, state, load }): DocumentResult => {
    return { id, openapi, state, ...(load === undefined ? {} : { load }) };
  });
  const names = [...ratesOf(summarize(quick.map(figuresOf))).keys()];
  expect(names).toEqual(['loads', 'answeredMean']);
});

test('a share is rounded down', () => {
  expect(valueText({ part: 999, whole: 1000 })).toBe('99.9 % (999/1000)');
  expect(valueText({ part: 9999, whole: 10_000 })).toBe('99.9 % (9999/10000)');
  expect(valueText({ part: 0, whole: 0 })).toBe('none');
});
