import { expect, test } from 'vitest';
import {
  judgeDocument,
  listIds,
  loadYaml,
  type Change,
} from '../../test/conformance/judge-document.ts';

const json = (name: string): string =>
  `content: { application/json: { schema: { $ref: '#/components/schemas/${name}' } } }`;

const load = async (
  key = 'X-Client',
  schema = '{ type: string, format: uuid }',
  match = 'required: true',
  missing = '',
) =>
  await loadYaml(`paths:
  /notes:
    get: { operationId: listNotes, responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Note' } } } } } } }
    post: { operationId: addNote, parameters: [{ name: ${key}, in: header, required: true, schema: ${schema} }], requestBody: { required: true, ${json('NewNote')} }, responses: { '201': { description: Added., ${json('Note')} }, '400': { description: Refused. } } }
  /notes/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getNote, responses: { '200': { description: One., ${json('Note')} }, '404': { description: None. } } }
    put:
      operationId: putNote
      parameters: [{ name: If-Match, in: header, ${match}, schema: { type: string } }]
      requestBody: { required: true, ${json('NewNote')} }
      responses: { '200': { description: Changed., ${json('Note')} }, '400': { description: Refused. }, '404': { description: None. }, '412': { description: Changed meanwhile. }${missing} }
components:
  schemas:
    NewNote: { type: object, required: [text], properties: { text: { type: string, minLength: 1 } } }
    Note: { type: object, required: [id, text], properties: { id: { type: integer }, text: { type: string } } }
`);

test.each([
  ['required: true', ''],
  ['required: false', ", '428': { description: Without If-Match. }"],
])('an If-Match that is needed has the last entity tag seen, else *: %s%s', async (...needed) => {
  const revisions = new Map<string, number>();
  const sent: string[] = [];
  const change: Change = (response, { method, url, headers }) => {
    const { pathname } = new URL(url);
    const revision = revisions.get(pathname) ?? 1;
    const match = headers.find(([name]) => name.toLowerCase() === 'if-match')?.[1];
    if (method === 'PUT' && match === undefined)
      return { ...response, status: 428, headers: [], body: '' };
    if (method === 'PUT' && match !== undefined) {
      sent.push(match === '*' ? match : match.replace(/\d+/, 'n'));
      if (match !== '*' && match !== `"r${revision}"`)
        return { ...response, status: 412, headers: [], body: '' };
      if (response.status === 200) revisions.set(pathname, revision + 1);
    }
    const tag = ['ETag', `"r${revisions.get(pathname) ?? 1}"`] as const;
    return response.status === 200
      ? { ...response, headers: [...response.headers, tag] }
      : response;
  };
  const report = await judgeDocument(
    await load(undefined, undefined, ...needed),
    { requests: 120 },
    change,
  );
  expect(listIds(report, 'failed')).toEqual([]);
  expect(listIds(report, 'passed')).toContain('putNote/state.stored');
  expect(new Set(sent)).toEqual(new Set(['*', '"rn"']));
});

test.each([
  '{ type: string, format: uuid }',
  "{ type: string, pattern: '^[a-f0-9]{32}$' }",
  "{ type: string, pattern: '^[A-Z]{4}-[0-9]{4}$' }",
  '{ type: integer }',
])('a required idempotency key is new in each request: %s', async (schema) => {
  const sent: (string | undefined)[] = [];
  const note: Change = (response, { method, headers }) => {
    const key = headers.find(([name]) => name === 'idempotency-key')?.[1];
    if (method === 'POST') sent.push(key);
    return response;
  };
  const report = await judgeDocument(
    await load('Idempotency-Key', schema),
    { requests: 120 },
    note,
  );
  expect(listIds(report, 'failed')).toEqual([]);
  expect(sent.length).toBeGreaterThan(10);
  expect(new Set(sent).size).toBe(sent.length);
});
