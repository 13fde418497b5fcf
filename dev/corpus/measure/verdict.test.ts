import { expect, test } from 'vitest';
import { listOperations } from '../document/operation.ts';
import type { PublicDocument } from '../document/read.ts';
import { createSchemaJudge } from '../document/schema-judge.ts';
import { judgeResponse } from './verdict.ts';

const media = { 'application/json': { schema: { type: 'integer' } } };
const document: PublicDocument = {
  dialect: '3.1',
  root: {
    paths: {
      '/n': {
        get: {
          responses: { 200: { content: media }, 204: {}, '4xx': { content: media }, 501: {} },
        },
      },
    },
  },
};
const judge = createSchemaJudge(document, 'response');

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
  const [operation] = listOperations(document);
  if (operation === undefined) throw new Error('The document has an operation.');
  const received = { status, headers: { 'content-type': type }, text };
  const verdict = judgeResponse(document, judge, operation, received);
  expect(`${verdict.outcome} ${verdict.body}`).toBe(expected);
});
