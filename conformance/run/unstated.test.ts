import { expect, test } from 'vitest';
import { judgeLog } from '../../test/conformance/log.ts';
import {
  judgeDocument,
  listIds,
  loadYaml,
  serveDocument,
  type Change,
} from '../../test/conformance/judge-document.ts';

const json = (name: string): string =>
  `content: { application/json: { schema: { $ref: '#/components/schemas/${name}' } } }`;
const dryRun = 'parameters: [{ name: dryRun, in: query, schema: { type: string, enum: [All] } }]';

const load = async () =>
  await loadYaml(`paths:
  /jobs:
    get: { operationId: listJobs, responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Job' } } } } } } }
    post: { operationId: addJob, ${dryRun}, requestBody: { required: true, ${json('NewJob')} }, responses: { '201': { description: Added., ${json('Job')} }, '400': { description: Refused. } } }
  /jobs/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getJob, responses: { '200': { description: One., ${json('Job')} }, '404': { description: None. } } }
    put: { operationId: putJob, ${dryRun}, requestBody: { required: true, ${json('NewJob')} }, responses: { '200': { description: Changed., ${json('Job')} }, '400': { description: Refused. }, '404': { description: None. } } }
    delete: { operationId: removeJob, ${dryRun}, responses: { '204': { description: Gone. }, '404': { description: None. } } }
components:
  schemas:
    NewJob: { type: object, required: [name, spec], properties: { name: { type: string, minLength: 1 }, spec: { type: object, required: [size], properties: { size: { type: integer, minimum: 0, maximum: 9 }, secret: { type: string, writeOnly: true } } } } }
    Job: { allOf: [{ $ref: '#/components/schemas/NewJob' }, { type: object, required: [id], properties: { id: { type: integer, readOnly: true } } }] }
`);

test('the effect of an optional parameter on a write is not judged', async () => {
  const contract = await load();
  const real = await serveDocument(contract);
  const failed: string[] = [];
  // The server that only tries: what it returns for `dryRun` is true of nothing later.
  const tries: Change = (response, { url, method }) =>
    url.includes('dryRun=All') && method === 'POST' && response.status === 201
      ? { ...response, body: response.body.replace(/"id":\d+/, '"id":987654321') }
      : response;
  const dry = await serveDocument(contract, tries);
  for (const judge of [real, dry])
    for (const seed of [1, 2]) {
      const report = await judge(contract, { requests: 240, seed });
      failed.push(...listIds(report, 'failed'));
      expect(listIds(report, 'passed')).toContain('addJob/parameter.dryRun.values');
    }
  expect(failed).toEqual([]);
});

test('an object sent in a change is shown unchanged', async () => {
  const contract = await load();
  const first = new Map<string, string>();
  const forgets: Change = (response, { method }) => {
    const [size = ''] = /"size":\d+/.exec(response.body) ?? [];
    const [id = ''] = /"id":\d+/.exec(response.body) ?? [];
    if (method === 'POST' && response.status === 201) first.set(id, size);
    const isRead = method === 'GET' && response.body.startsWith('{') && first.has(id);
    return isRead
      ? { ...response, body: response.body.replace(size, first.get(id) ?? size) }
      : response;
  };
  const report = await judgeDocument(contract, { requests: 240 }, forgets);
  expect(listIds(report, 'failed')).toEqual(['putJob/state.stored']);
});

test('a server may reorder the items of a set, and refuse blank strings', async () => {
  const contract = await loadYaml(`paths:
  /tags:
    get: { operationId: listTags, responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Tag' } } } } } } }
    post: { operationId: addTag, requestBody: { required: true, ${json('NewTag')} }, responses: { '201': { description: Added., ${json('Tag')} }, '400': { description: Refused. } } }
components:
  schemas:
    NewTag: { type: object, required: [remark], properties: { remark: { type: string, minLength: 1 }, words: { type: array, uniqueItems: true, items: { type: string } } } }
    Tag: { allOf: [{ $ref: '#/components/schemas/NewTag' }, { type: object, required: [id], properties: { id: { type: integer, readOnly: true } } }] }
`);
  const add = { operation: 'addTag', target: '/tags', status: 201 };
  const sent = { remark: 'a', words: ['b', 'c'] };
  const judgeAdded = (words: readonly string[], remark = 'd') =>
    judgeLog(
      contract,
      [
        { ...add, body: sent, answer: { id: 1, remark: 'a', words } },
        { ...add, body: { remark }, status: 400, answer: '' },
      ],
      ['addTag/state.echo.words', 'addTag/status.201'],
      undefined,
    );
  const kept = { 'addTag/state.echo.words': 'passed', 'addTag/status.201': 'passed' };
  for (const blank of [' ', '\t\n', 'a\0b'])
    expect([blank, judgeAdded(['c', 'b'], blank)]).toEqual([blank, kept]);
  expect(judgeAdded(['c', 'd'])).toEqual({
    'addTag/state.echo.words': 'failed',
    'addTag/status.201': 'failed',
  });
});

test.for([true, false])(
  'an array may be sorted if requests say that it is a set: %s',
  async (isSet) => {
    const texts = 'type: array, items: { type: string, minLength: 1 }';
    const contract = await loadYaml(`paths:
  /notes:
    get: { operationId: listNotes, responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Note' } } } } } } }
    post: { operationId: addNote, requestBody: { required: true, ${json('NewNote')} }, responses: { '201': { description: Added., ${json('Note')} }, '400': { description: Refused. } } }
  /notes/{id}:
    get: { operationId: getNote, parameters: [{ name: id, in: path, required: true, schema: { type: integer } }], responses: { '200': { description: One., ${json('Note')} }, '404': { description: None. } } }
components:
  schemas:
    NewNote: { type: object, required: [title, tags], properties: { title: { type: string, minLength: 1 }, tags: { ${texts}, minItems: 2, maxItems: 3, uniqueItems: ${isSet} } } }
    Note: { type: object, required: [id, title, tags], properties: { id: { type: integer, readOnly: true }, title: { type: string }, tags: { ${texts} } } }
`);
    const sorts: Change = (response) => ({
      ...response,
      body: response.body.replaceAll(/"tags":(\["(?:[^\\\]]|\\.)*"\])/g, (_, tags: string) => {
        const sorted: unknown = JSON.parse(tags);
        return `"tags":${JSON.stringify(Array.isArray(sorted) ? sorted.toReversed() : [])}`;
      }),
    });
    const judge = await serveDocument(contract, sorts);
    const failed = listIds(await judge(contract, { requests: 240 }), 'failed');
    expect(failed.includes('addNote/state.echo.tags')).toBe(!isSet);
    expect(isSet ? failed : []).toEqual([]);
  },
);
