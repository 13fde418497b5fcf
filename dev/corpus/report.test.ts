import { expect, test } from 'vitest';
import type { DocumentResult, OperationRow } from './measure.ts';
import { listBelowFloor, listProblems, ratesOf, renderShare } from './report.ts';

const row = (operation: string, more: Partial<OperationRow> = {}): OperationRow => ({
  operation,
  outcome: 'success',
  status: 200,
  ...more,
});

const loadedResult = (
  id: string,
  rows: readonly OperationRow[],
  more: Partial<DocumentResult> = {},
): DocumentResult => ({
  id,

  load: { listens: true, milliseconds: 100 },
  answers: { rows, unreached: 0 },
  ...more,
});

const conformance = { causes: {} };

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
  {
    id: 'not-loaded',

    load: { listens: false, milliseconds: 50, refusal: 'a.yaml#/swagger: is not supported' },
  },
];

test('rates count loaded documents, and the mean counts documents that do not load as 0', () => {
  expect(ratesOf(results)).toEqual({
    loads: { part: 2, whole: 3 },
    answered: { part: 3, whole: 4 },
    answeredMean: { part: 1.5, whole: 3 },
    validBodies: { part: 2, whole: 3 },
    pairs: { part: 1, whole: 2 },
    conforms: { part: 1, whole: 3 },
    tested: { part: 8, whole: 10 },
  });
});

test('a document without operations must be inconclusive: exit code 2', () => {
  const rate = (exit: number): number | undefined => {
    const judged = { ...conformance, exit, passed: 0, failed: 0, notTested: 0 };
    const result = loadedResult('webhooks', [], { conformance: judged });
    return ratesOf([result]).conforms?.part;
  };
  expect([0, 1, 2].map(rate)).toEqual([0, 0, 1]);
});

test('without a run against its own mock nothing is reported about it', () => {
  const quick = results.map(({ id, load }): DocumentResult => ({ id, load }));
  expect(ratesOf(quick)).not.toHaveProperty('conforms');
  expect(ratesOf(quick)).not.toHaveProperty('tested');
});

test('a share is rounded down', () => {
  expect(renderShare({ part: 999, whole: 1000 })).toBe('99.9 % (999/1000)');
  expect(renderShare({ part: 9999, whole: 10_000 })).toBe('99.9 % (9999/10000)');
  expect(renderShare({ part: 0, whole: 0 })).toBe('none');
});

test('a rate below its floor is reported; one that was not measured is not', () => {
  const floor = { loads: 0.5, answered: 0.9, conforms: 0.2 };
  const rates = { loads: { part: 49, whole: 100 }, answered: { part: 9, whole: 10 } };
  expect(listBelowFloor(floor, rates)).toEqual([
    'loads fell below its floor: 0.4900 instead of 0.5.',
  ]);
});

test('errors have their position; an uncertain request is skipped', () => {
  expect(results.flatMap(listProblems)).toEqual([
    'half-good: list: success 200 invalid',
    'half-good: get: undocumented 404',
    'half-good: POST/GET /things: GET 404',
    'not-loaded: load: a.yaml#/swagger: is not supported',
  ]);
});
