import { expect, test } from 'vitest';
import { PublicDocument } from './document.ts';
import { SchemaJudge } from './schema-judge.ts';
import { judgeResponse } from './verdict.ts';

const media = { 'application/json': { schema: { type: 'integer' } } };
const responses = { 200: { content: media }, 204: {}, '4xx': { content: media }, 501: {} };
const document = new PublicDocument({ paths: { '/n': { get: { responses } } } }, '3.1');
const client = { document, responseJudge: new SchemaJudge(document, 'response') };

test('a success is not undocumented if the document has only errors', () => {
  const errors = { 404: {}, '5XX': {} };
  const bare = new PublicDocument({ paths: { '/n': { get: { responses: errors } } } }, '3.1');
  const judges = { document: bare, responseJudge: new SchemaJudge(bare, 'response') };
  const [operation] = bare.listOperations();
  const statuses = [200, 301, 400].map(
    (status) =>
      operation && judgeResponse(judges, operation, { status, headers: {}, text: '' }).outcome,
  );
  expect(statuses).toEqual(['success', 'undocumented', 'undocumented']);
});

test.each([
  [200, 'application/json; charset=utf-8', '1', 'success valid'],
  [200, 'application/json', '"1"', 'success invalid'],
  [200, 'application/json', '', 'success empty'],
  [200, 'application/json', '{', 'success not-json'],
  [200, 'text/plain', '1', 'success wrong-type'],
  [204, '', '', 'success unjudged'],
  [404, 'application/json', '1', 'refused valid'],
  [301, '', '', 'undocumented undefined'],
  [501, '', '', 'server-error undefined'],
])('status %i, %s, %s', (status, type, text, expected) => {
  const [operation] = document.listOperations();
  if (operation === undefined) throw new Error('The document has an operation.');
  const received = { status, headers: { 'content-type': type }, text };
  const verdict = judgeResponse(client, operation, received);
  expect(`${verdict.outcome} ${verdict.body}`).toBe(expected);
});
