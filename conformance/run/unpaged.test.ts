import { expect, test } from 'vitest';
import { isJsonArray, renderJson } from '../../contract/json/value.ts';
import {
  listIds,
  loadYaml,
  serveDocument,
  type Change,
} from '../../test/conformance/judge-document.ts';
import { readJson } from '../transport/exchange.ts';
import type { RunReport } from './report.ts';

/** Notes in a list without pages, which can be removed. */
const load = async (parameter = '', list = 'type: array') =>
  await loadYaml(`
paths:
  /notes:
    get:
      operationId: listNotes
      parameters: [${parameter}]
      responses: { '200': { description: all, content: { application/json: { schema: { ${list}, items: { $ref: '#/components/schemas/Note' } } } } } }
    post:
      operationId: addNote
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewNote' } } } }
      responses: { '201': { description: added, content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }, '400': { description: no } }
  /notes/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get:
      operationId: getNote
      responses: { '200': { description: one, content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }, '404': { description: no } }
    delete:
      operationId: removeNote
      responses: { '204': { description: gone }, '404': { description: no } }
components:
  schemas:
    NewNote: { type: object, required: [title], properties: { title: { type: string, minLength: 1, maxLength: 80 }, done: { type: boolean } } }
    Note: { type: object, required: [id, title], properties: { id: { type: integer, readOnly: true }, title: { type: string, minLength: 1, maxLength: 80 }, done: { type: boolean } } }
`);
const contract = await load();

/** Leaves items out of every list. */
const cutLists =
  (keep: (index: number, size: number) => boolean): Change =>
  (response, { method, url }) => {
    const items =
      method === 'GET' && /\/notes(\?|$)/.test(url) ? readJson(response.body) : undefined;
    if (!isJsonArray(items)) return response;
    return { ...response, body: renderJson(items.filter((_item, at) => keep(at, items.length))) };
  };

const runWith = async (change?: Change): Promise<RunReport> =>
  (await serveDocument(contract, change))(contract, { requests: 60 });

const stateIds = ['listNotes/state.listed', 'removeNote/state.others-kept'];

test('a list without pages proves that items are stored and kept', async () => {
  const report = await runWith();
  expect(report.outcome).toBe('conforms');
  const passed = listIds(report, 'passed');
  expect(passed).toEqual(expect.arrayContaining([...stateIds, 'addNote/state.not-written.400']));
});

test('a short list without pages that lacks an added item fails', async () => {
  const report = await runWith(cutLists((at, size) => at !== size - 1));
  expect(listIds(report, 'failed')).toContain('listNotes/state.listed');
});

test.each([
  ['prefix', '{ type: string }', true],
  ['q', '{ type: string, minLength: 1 }', true],
  ['after', '{ type: string }', false],
  ['bookmark', '{ type: string }', false],
  ['view', '{ type: string, enum: [mine, all] }', false],
  ['search', '{ type: string, default: new }', false],
  ['part', '{ type: integer }', false],
])(
  'a short list with the parameter %s, %s: fails if it lacks an item: %s',
  async (name, schema, isSure) => {
    const own = await load(`{ name: ${name}, in: query, schema: ${schema} }`);
    const change = cutLists((at, size) => at !== size - 1);
    const report = await (await serveDocument(own, change))(own, { requests: 60 });
    expect(listIds(report, 'failed').includes('listNotes/state.listed')).toBe(isSure);
  },
);

test.each([
  ['tenant', ['removeNote/state.others-kept']],
  ['done', []],
])('an empty list with the required parameter %s fails: %s', async (name, failed) => {
  const own = await load(`{ name: ${name}, in: query, required: true, schema: { type: string } }`);
  const judge = await serveDocument(
    own,
    cutLists(() => false),
  );
  const report = await judge(own, { requests: 60 });
  expect(listIds(report, 'failed')).toEqual(failed);
});

test('a long list without pages may be truncated: missing items prove nothing', async () => {
  const judge = await serveDocument(
    contract,
    cutLists((at) => at < 12),
  );
  const report = await judge(contract, { requests: 120 });
  expect(listIds(report, 'failed')).toEqual([]);
  expect(report.verdicts).toContainEqual(
    expect.objectContaining({
      kind: 'not-tested',
      requirement: expect.objectContaining({ id: 'listNotes/state.listed' }),
      reason: expect.stringMatching(/a list without \d+, for another reason$/),
    }),
  );
});

test('spare requests test more, and no requirement is left untested for lack of requests', async () => {
  for (const requests of [30, 40, 50]) {
    const judge = await serveDocument(contract);
    const { run, verdicts } = await judge(contract, { requests });
    const left = run.budget - run.requests;
    const lacking = verdicts.flatMap((verdict) =>
      verdict.kind === 'not-tested' && verdict.because?.kind === 'budget'
        ? verdict.because.needs
        : [],
    );
    expect(lacking.filter((needs) => needs <= left)).toEqual([]);
    expect(run.requests).toBeLessThanOrEqual(requests);
  }
});

test('spare requests at the end remove what the run added', async () => {
  const judge = await serveDocument(contract);
  const first = await judge(contract, { requests: 400 });
  expect(first.leftBehind).toEqual([]);
  const again = await judge(contract, { requests: 400 });
  const [inventory] = again.exchanges;
  const { outcome } = first.exchanges[0] ?? {};
  expect(inventory?.outcome).toMatchObject({
    response: { body: outcome?.kind === 'answered' ? outcome.response.body : '' },
  });
  expect(again.counts).toEqual(first.counts);
});

test('a list with as many items as its schema allows need not have those added', async () => {
  const short = await load('', 'type: array, maxItems: 2');
  const judge = await serveDocument(
    short,
    cutLists((at) => at < 2),
  );
  const report = await judge(short, { requests: 60 });
  expect(listIds(report, 'failed')).toEqual([]);
});
