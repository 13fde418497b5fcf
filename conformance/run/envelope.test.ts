import { describe, expect, test } from 'vitest';
import { isJsonArray, isJsonObject, parseJson, renderJson } from '../../contract/json/value.ts';
import type { JsonObject, JsonValue } from '../../contract/json/value.ts';
import type { Contract } from '../../contract/contract.ts';
import {
  judgeDocument,
  listIds,
  loadYaml,
  type Change,
} from '../../test/conformance/judge-document.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const ref = (name: string): string => `{ $ref: '#/components/schemas/${name}' }`;
const body = `requestBody: { required: true, ${json(ref('NewNote'))} }`;

/** Notes whose list is in an envelope, and remarks on each note. */
const load = async (
  page = '{ type: object, properties: { items: { type: array, items: X } } }',
  one = `{ description: One., ${json(ref('Note'))} }`,
): Promise<Contract> =>
  await loadYaml(`paths:
  /notes:
    get:
      operationId: listNotes
      responses: { '200': { description: All., ${json(page.replaceAll('X', ref('Note')))} } }
    post:
      operationId: addNote
      ${body}
      responses: { '201': ${one}, '422': { description: Refused. } }
  /notes/{noteId}:
    parameters: [{ name: noteId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getNote, responses: { '200': ${one}, '404': { description: None. } } }
    delete: { operationId: removeNote, responses: { '204': { description: Gone. }, '404': { description: None. } } }
  /notes/{noteId}/remarks:
    parameters: [{ name: noteId, in: path, required: true, schema: { type: integer } }]
    get:
      operationId: listRemarks
      responses: { '200': { description: All., ${json('{ type: array, items: { type: string } }')} }, '404': { description: None. } }
    post:
      operationId: addRemark
      requestBody: { required: true, ${json('{ type: string }')} }
      responses: { '201': { description: Added. }, '404': { description: None. } }
components:
  schemas:
    NewNote: { type: object, required: [text], properties: { text: { type: string } } }
    Note: { type: object, required: [id, text], properties: { id: { type: integer }, text: { type: string } } }
`);

/** Changes the body of each list. */
const listing =
  (change: (items: readonly JsonValue[]) => JsonObject): Change =>
  (response) => {
    const page = response.status === 200 ? parseJson(response.body) : null;
    const items = isJsonObject(page) ? page['items'] : undefined;
    return isJsonArray(items) ? { ...response, body: renderJson(change(items)) } : response;
  };

/** The requirements that fail for a server with such lists. */
async function failedBy(change: Change, contract?: Contract): Promise<readonly string[]> {
  const report = await judgeDocument(contract ?? (await load()), { requests: 80 }, change);
  return listIds(report, 'failed');
}

describe('a list in an envelope', () => {
  test.for([
    ['{ type: object, properties: { items: { type: array, items: X } } }', ['items']],
    [
      '{ type: object, properties: { data: { type: object, properties: { hits: { type: array, items: X } } } } }',
      ['data', 'hits'],
    ],
    [
      '{ type: object, properties: { items: { type: array, items: X }, first: { type: array, items: X } } }',
      undefined,
    ],
    [
      '{ type: object, properties: { items: { type: array, items: { type: object, properties: { id: { type: integer } } } } } }',
      undefined,
    ],
  ] as const)(
    'is certain if exactly one array has the items of other operations: %s',
    async ([page, place]) => {
      const { resources } = await load(page);
      expect(resources.map(({ shown }) => shown.get('listNotes')?.place)).toEqual(
        place === undefined ? [] : [place],
      );
    },
  );

  test('is judged like any other, and operations below its items are called', async () => {
    const report = await judgeDocument(await load(), { requests: 80 });
    expect(listIds(report, 'failed')).toEqual([]);
    expect(listIds(report, 'passed')).toEqual(
      expect.arrayContaining([
        'listNotes/state.listed',
        'listNotes/state.distinct',
        'removeNote/state.removed',
        'listRemarks/status.200',
        'addRemark/status.201',
      ]),
    );
  });

  test('may be combined with single items in envelopes', async () => {
    const one = json(`{ type: object, properties: { data: ${ref('Note')} } }`);
    const contract = await load(undefined, `{ description: One., ${one} }`);
    const report = await judgeDocument(contract, { requests: 80 });
    expect(listIds(report, 'failed')).toEqual([]);
    expect(listIds(report, 'passed')).toEqual(
      expect.arrayContaining(['listNotes/state.listed', 'getNote/state.read.text']),
    );
    const other: Change = (response, { method }) =>
      method === 'GET'
        ? { ...response, body: response.body.replace(/"text":"/, '"text":"x') }
        : response;
    expect(await failedBy(other, contract)).toContain('getNote/state.read.text');
  });

  test('fails if it lacks an added item or has it twice', async () => {
    expect(await failedBy(listing(() => ({ items: [] })))).toContain('listNotes/state.listed');
    const twice = listing((items) => ({ items: items.flatMap((each) => [each, each]) }));
    expect(await failedBy(twice)).toContain('listNotes/state.distinct');
  });

  test.for([
    { total: 70 },
    { meta: { totalPages: 2 } },
    { nextCursor: 'abc' },
    { links: { next: { href: '/notes?page=2' } } },
    { paging: { hasMore: true } },
    { last: false },
  ])('may lack items if it hints at more: %o', async (beside) => {
    const short = listing((items) => ({ items: items.slice(0, 1), ...beside }));
    expect(await failedBy(short)).toEqual([]);
  });

  test.for([{ total: 1 }, { nextCursor: null }, { hasMore: false }, { page: 20 }])(
    'may not lack items if it hints at no more: %o',
    async (beside) => {
      const short = listing((items) => ({ items: items.slice(0, 1), ...beside }));
      expect(await failedBy(short)).toContain('listNotes/state.listed');
    },
  );
});

test('a request without a body may be refused for its missing content type', async () => {
  const refuse: Change = (response, request) =>
    request.method === 'POST' && request.body === undefined
      ? { ...response, status: 415 }
      : response;
  expect(await failedBy(refuse)).toEqual([]);
});
