import { expect, test } from 'vitest';
import { loadYaml } from '../../test/conformance/judge-document.ts';
import { judgeLog, type Case, type LogEntry } from '../../test/conformance/log.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const note = json("{ $ref: '#/components/schemas/Note' }");

const load = async (summary: string) =>
  await loadYaml(`
paths:
  /notes:
    get: { operationId: listNotes, summary: ${summary}, responses: { '200': { description: All., ${json("{ type: array, items: { $ref: '#/components/schemas/Note' } }")} } } }
    post: { operationId: addNote, requestBody: { required: true, ${note} }, responses: { '201': { description: Added., ${note} } } }
  /notes/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getNote, responses: { '200': { description: One., ${note} }, '404': { description: None. } } }
    put: { operationId: putNote, requestBody: { required: true, ${note} }, responses: { '200': { description: Changed., ${note} } } }
    delete: { operationId: removeNote, responses: { '204': { description: Removed. } } }
components:
  schemas:
    Note: { type: object, required: [text], properties: { id: { type: integer, readOnly: true }, text: { type: string } } }
`);

const old = { id: 1, text: 'old' };
const changed = { id: 1, text: 'changed' };
const add: LogEntry = {
  operation: 'addNote',
  target: '/notes',
  body: { text: 'old' },
  answer: old,
  status: 201,
};
const put: LogEntry = {
  operation: 'putNote',
  target: '/notes/1',
  body: { text: 'changed' },
  answer: changed,
};
const remove: LogEntry = { operation: 'removeNote', target: '/notes/1', status: 204, answer: '' };
const list = (...notes: readonly object[]): LogEntry => {
  return { operation: 'listNotes', target: '/notes', answer: notes };
};
const get = (answer: object): LogEntry => ({ operation: 'getNote', target: '/notes/1', answer });

test.each<Case>([
  ['lacks a changed note', [add, list(old), put, list()], { 'listNotes/state.listed': 'failed' }],
  ['has the old text', [add, list(old), put, list(old)], { 'putNote/state.stored': 'not-tested' }],
  ['has a removed note', [add, remove, list(old)], { 'removeNote/state.removed': 'not-tested' }],
])('a list that may be late %s', async (_title, log, verdicts) => {
  const late = await load('Eventually consistent.');
  expect(judgeLog(late, log, Object.keys(verdicts))).toEqual(verdicts);
  const failed = Object.values(judgeLog(await load('All notes.'), log, []));
  expect(failed).toEqual(['failed']);
});

test('a single note is never late', async () => {
  const late = await load('Eventually consistent.');
  expect(judgeLog(late, [add, put, get(old)], [])).toEqual({ 'putNote/state.stored': 'failed' });
});
