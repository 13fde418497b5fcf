import { describe, expect, test } from 'vitest';
import { loadYaml } from '../test/conformance/judge-document.ts';
import { parseJson } from '../contract/json/value.ts';
import { createMock } from '../mock/index.ts';
import { judgeClient } from './judge.ts';
import { readJournalLog } from './journal.ts';

const contract = await loadYaml(`
paths:
  /pets:
    get:
      operationId: listPets
      security: [{ key: [] }]
      parameters:
        - { name: status, in: query, schema: { enum: [available, sold] } }
        - { name: limit, in: query, schema: { type: integer, maximum: 54321 } }
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Pet' } } } } } }
    post:
      operationId: createPet
      security: [{ key: [] }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/New' } } } }
      responses: { '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } } }
components:
  securitySchemes:
    key: { type: http, scheme: bearer }
  schemas:
    New:
      type: object
      required: [label]
      properties: { label: { type: string, maxLength: 9 }, status: { enum: [available, sold] }, count: { type: integer } }
    Pet:
      type: object
      required: [id, label]
      properties: { id: { type: integer, format: int64 }, label: { type: string }, status: { enum: [available, sold] } }
`);

type Asked = readonly [target: string, body?: string];

/** The verdicts over a client that sends requests with a key, by the journal of the mock. */
async function judge(key: string, requests: readonly Asked[]) {
  const mock = createMock(contract);
  const listening = await mock.listen({ port: 0, host: '127.0.0.1' });
  for (const [target, body] of requests)
    await fetch(`${listening.url}${target}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
    }).then((response) => response.text());
  const journal = new URL(`/_mock/sandboxes/${key}/journal`, listening.url);
  const saved = parseJson(await fetch(journal).then((response) => response.text()));
  await listening.close();
  const log = readJournalLog(contract, saved);
  expect(log.exchanges).toHaveLength(requests.length);
  const verdicts = judgeClient(contract, log, { scenarios: [] });
  return (kind: string) =>
    verdicts.flatMap((each) => (each.kind === kind ? [each.requirement.id] : []));
}

const right: readonly Asked[] = [
  ['/pets?status=available&limit=54321'],
  ['/pets?status=sold'],
  ['/pets', '{"label":"available","status":"available","count":54321}'],
  ['/pets', '{"label":"label","status":"sold"}'],
];

/** Requests with a fault each. */
const wrong: readonly Asked[] = [
  ['/pets?status=availables'],
  ['/pets', '{"label":"an available one"}'],
  ['/pets', '{"label":54321}'],
  ['/pets', '{"labels":"available"}'],
];

const keys = ['available', 'label', 'status', 'count', 'limit', '54321', 'test', 'pets', '1'];

describe("the text of the key does not change a client's verdict", () => {
  test.each(keys)('%s, for a correct client', async (key) => {
    const verdicts = await judge(key, right);
    expect(verdicts('failed')).toEqual([]);
    const known = await judge('k3y_of-no-text', right);
    expect(known('failed')).toEqual([]);
    expect(known('passed')).toEqual(expect.arrayContaining([...verdicts('passed')]));
  });

  test.each(wrong.map((asked) => ({ asked })))('$asked', async ({ asked }) => {
    const failed = (await judge('k3y_of-no-text', [asked]))('failed');
    expect(failed).toEqual(['client/request.valid']);
    for (const key of keys) {
      const verdicts = await judge(key, [asked]);
      expect([key, verdicts('passed').filter((id) => failed.includes(id))]).toEqual([key, []]);
      expect([key, verdicts('failed').filter((id) => !failed.includes(id))]).toEqual([key, []]);
    }
  });

  test('a key with other characters is found where it does not belong', async () => {
    const verdicts = await judge('k3y_of-no-text', [['/pets', '{"label":"k3y_of-no-text"}']]);
    expect(verdicts('failed')).toContain('client/auth.key-elsewhere');
    expect(verdicts('passed')).not.toContain('client/request.valid');
  });
});
