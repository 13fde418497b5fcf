import { listRequirements } from '../family/requirements.ts';
import { describe, expect, test } from 'vitest';
import { parseJson, renderJson, type JsonValue } from '../../contract/json/value.ts';
import type { Contract } from '../../contract/contract.ts';
import {
  judgeDocument,
  listIds,
  loadYaml,
  type Change,
} from '../../test/conformance/judge-document.ts';
import { judgeLog } from '../../test/conformance/log.ts';

/** Notes whose additions and changes are refused by these statuses. */
const load = async (statuses: readonly number[]): Promise<Contract> => {
  const refusals = statuses.map((status) => `, '${status}': { description: Refused. }`).join('');
  const note = `content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } }`;
  const body = `requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewNote' } } } }`;
  return await loadYaml(`paths:
  /notes:
    get:
      operationId: listNotes
      parameters: [{ name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 100, default: 20 } }]
      responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Note' } } } } } }
    post:
      operationId: addNote
      ${body}
      responses: { '201': { description: Added., ${note} }${refusals} }
  /notes/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get:
      operationId: getNote
      responses: { '200': { description: One., ${note} }, '404': { description: None. } }
    put:
      operationId: putNote
      ${body}
      responses: { '200': { description: Put., ${note} }, '404': { description: None. }${refusals} }
components:
  schemas:
    NewNote: { type: object, required: [text, count], properties: { text: { type: string }, count: { type: integer } } }
    Note: { type: object, required: [id, text, count], properties: { id: { type: integer }, text: { type: string }, count: { type: integer } } }
`);
};

/** Refusals of bodies have this status. */
const refusing =
  (status: number): Change =>
  (response) =>
    response.status === 400 || response.status === 422 ? { ...response, status } : response;

/** What is refused with this status is stored, and in later lists. */
const storing = (status: number): Change => {
  const stored: JsonValue[] = [];
  return (response, { method, body = '', url }) => {
    const refused = refusing(status)(response, { method, body, url, headers: [] });
    if (method === 'POST' && refused.status === status) {
      const text = /"text":"([^"\\\\]+)"/.exec(body)?.[1];
      if (text !== undefined) stored.push({ id: 900_000 + stored.length, text, count: 1 });
    }
    const list = method === 'GET' && response.status === 200 ? parseJson(response.body) : null;
    return Array.isArray(list)
      ? { ...refused, body: renderJson([...stored.slice(0, 40), ...list].slice(0, 100)) }
      : refused;
  };
};

const notWritten = (contract: Contract): readonly string[] =>
  listRequirements(contract)
    .map(({ id }) => id)
    .filter((id) => id.includes('not-written'));

const documents: readonly (readonly [statuses: readonly number[], other: number])[] = [
  [[400], 422],
  [[422], 400],
  [[400, 422], 409],
  [[], 400],
];

describe.each(documents)('a document that refuses with %j', (statuses, other) => {
  test('requires that these refusals store nothing, and nothing more', async () => {
    const ids = ['addNote', 'putNote'].flatMap((id) =>
      statuses.map((status) => `${id}/state.not-written.${status}`),
    );
    expect(notWritten(await load(statuses)).toSorted()).toEqual(ids.toSorted());
  });

  test.each(statuses)('passes a server that refuses with %i', async (status) => {
    const contract = await load(statuses);
    const report = await judgeDocument(contract, { requests: 120, seed: 1 }, refusing(status));
    expect(listIds(report, 'failed')).toEqual([]);
    const passed = listIds(report, 'passed');
    expect(passed).toContain(`addNote/state.not-written.${status}`);
    expect(passed).toContain(`putNote/state.not-written.${status}`);
  });

  test.each(statuses)('fails a server that stores what it refuses with %i', async (status) => {
    const contract = await load(statuses);
    const report = await judgeDocument(contract, { requests: 120, seed: 1 }, storing(status));
    expect(listIds(report, 'failed')).toContain(`addNote/state.not-written.${status}`);
  });

  test('fails a server that refuses with another status, if the document specifies it', async () => {
    const contract = await load(statuses);
    const report = await judgeDocument(contract, { requests: 120, seed: 1 }, refusing(other));
    expect(listIds(report, 'failed').includes('addNote/request.body.text.required')).toBe(
      statuses.length > 0,
    );
  });
});

test.each([
  ['a status for each note', [{ status: 400 }], 'not-tested'],
  ['only successes', [{ status: 201 }], 'failed'],
])('an invalid note among several gets 207 with %s', async (_case, answer, kind) => {
  const note = '{ type: object, required: [text], properties: { text: { type: string } } }';
  const contract = await loadYaml(`paths:
  /notes/import:
    post:
      operationId: importNotes
      requestBody: { required: true, content: { application/json: { schema: { type: array, items: ${note} } } } }
      responses: { '207': { description: One status for each., content: { application/json: { schema: { type: array, items: { type: object } } } } }, '400': { description: Refused. } }
`);
  const id = 'importNotes/request.body[].text.required';
  const intent = { kind: 'invalid', requirement: id, status: 400, way: 'it has no text' } as const;
  const entry = { operation: 'importNotes', target: '/notes/import', body: [{}], intent };
  expect(judgeLog(contract, [{ ...entry, status: 207, answer }], [id])).toMatchObject({
    [id]: kind,
  });
});
