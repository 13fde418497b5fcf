import { requirementsOf } from '../family/requirements.ts';
import { describe, expect, test } from 'vitest';
import type { Contract } from '../../contract/contract.ts';
import { loadContract } from '../../contract/load.ts';
import { judgeDocument, listIds } from '../../test/conformance/judge-document.ts';

const load = async (limit: string, member: string): Promise<Contract> =>
  await loadContract(
    {
      name: 'notes.yaml',
      text: `openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
paths:
  /notes:
    get:
      operationId: listNotes
      parameters:
        - { name: limit, in: query, schema: ${limit} }
      responses:
        '200':
          description: Notes.
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Note' } } } }
        '400': { description: Refused. }
    post:
      operationId: addNote
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, required: [text], properties: { text: { type: string }, state: ${member} } } } }
      responses:
        '201':
          description: The note.
          content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } }
        '400': { description: Refused. }
components:
  schemas:
    Note: { type: object, required: [id, text], properties: { id: { type: integer }, text: { type: string }, state: ${member} } }
`,
    },
    { validate: true },
  );

const word = '{ type: string }';
const limits: readonly (readonly [limit: string, isOdd: boolean])[] = [
  ['{ type: integer, default: 20 }', false],
  ['{ type: integer, minimum: 1, maximum: 100, default: 20 }', false],
  ['{ type: integer, default: -1 }', true],
  ['{ type: integer, default: 0 }', true],
  ['{ type: integer, minimum: -1, default: -1 }', true],
  ['{ type: integer, minimum: -1, maximum: 50, default: 10 }', false],
  ['{ type: integer, minimum: 0, maximum: 50 }', false],
  ['{ type: integer, minimum: -5, maximum: -1 }', false],
  ['{ type: integer, minimum: 1, default: -1 }', true],
  ['{ type: integer, minimum: 1, default: 0 }', true],
  ['{ type: integer, minimum: 1, maximum: 100, default: 500 }', true],
  ['{ type: integer, exclusiveMinimum: 0, default: 0 }', true],
  ["{ type: integer, default: 'all' }", true],
  ['{ type: integer, default: 2.5 }', true],
  ['{ type: integer, enum: [10, 25], default: 20 }', true],
  ['{ type: integer, enum: [50, 10, 25], default: 25 }', false],
  ['{ type: integer, multipleOf: 7, default: 14 }', false],
  ['{ type: integer, multipleOf: 5, maximum: 52, default: 7 }', true],
];

describe.each(limits)('a limit of %s', (limit, isOdd) => {
  test('fails no server that follows the rest of the document', async () => {
    const contract = await load(limit, word);
    const report = await judgeDocument(contract, { requests: 60, seed: 2 });
    expect(listIds(report, 'failed')).toEqual([]);
  });

  test('is sent as its schema allows', async () => {
    const contract = await load(limit, word);
    const report = await judgeDocument(contract, { requests: 60, fuzz: 60, seed: 2 });
    const schema = contract.resources[0]?.limit?.parameter.schema;
    const sent = report.exchanges.flatMap(({ intent, request }) =>
      intent.kind === 'valid' ? (/[?&]limit=([^&]*)/.exec(request.target)?.[1] ?? []) : [],
    );
    expect(sent.filter((size) => schema?.validate(Number(size)).length !== 0)).toEqual([]);
  });

  test('is reported if it is impossible, and then requires nothing', async () => {
    const contract = await load(limit, word);
    const atDefault = contract.diagnostics.filter(({ pointer }) => pointer.includes('/default'));
    expect(atDefault.map(({ level }) => level)).toEqual(isOdd ? ['warning'] : []);
    const asked = requirementsOf(contract).get('listNotes/parameter.limit.default');
    expect(asked !== undefined).toBe(!isOdd && limit.includes('default'));
  });
});

test.each([
  "{ type: string, enum: [open, closed], default: 'none' }",
  '{ type: string, default: 5 }',
  "{ type: string, minLength: 3, default: '' }",
  '{ type: integer, minimum: 1, default: 0 }',
])('a member of %s fails no server', async (member) => {
  const report = await judgeDocument(await load('{ type: integer }', member), { seed: 2 });
  expect(listIds(report, 'failed')).toEqual([]);
});

test('a list that exceeds a possible default fails', async () => {
  const contract = await load('{ type: integer, minimum: 1, maximum: 100, default: 2 }', word);
  const report = await judgeDocument(contract, { seed: 2 }, (response, { url, method }) =>
    method === 'GET' && !url.includes('?')
      ? { ...response, body: JSON.stringify([1, 2, 3].map((id) => ({ id, text: 'a' }))) }
      : response,
  );
  expect(listIds(report, 'failed')).toContain('listNotes/parameter.limit.default');
});
