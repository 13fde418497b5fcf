import { expect, test } from 'vitest';
import { isJsonObject } from '../../contract/json/value.ts';
import { loadYaml } from '../../test/conformance/judge-document.ts';
import { judgeTwice, type Answer, type PlainRequest } from '../../test/conformance/judge-server.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;

const load = async () =>
  await loadYaml(`
paths:
  /search:
    post:
      operationId: search
      requestBody: { required: true, ${json('{ type: object, properties: { limit: { type: integer, minimum: 1, maximum: 50 }, cursor: { type: string }, role: { type: string, enum: [admin, member] } } }')} }
      responses: { '200': { description: All., ${json('{ type: object, required: [names], properties: { names: { type: array, items: { type: string } } } }')} }, '400': { description: Refused. } }
`);

const members = {
  limit: (value: unknown) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 50,
  cursor: (value: unknown) => typeof value === 'string',
  role: (value: unknown) => value === 'admin' || value === 'member',
};

/** @param refuses a valid value of a member */
const createSearch =
  (refuses: (name: string, value: unknown) => boolean) =>
  ({ body }: PlainRequest): Answer => {
    if (!isJsonObject(body)) return [400];
    const isRefused = Object.entries(members).some(
      ([name, isValid]) =>
        Object.hasOwn(body, name) && (!isValid(body[name]) || refuses(name, body[name])),
    );
    return isRefused ? [400] : [200, { names: ['Ann'] }];
  };

test('a documented refusal of a made-up cursor is no failure, whatever else is served', async () => {
  const server = createSearch((name) => name === 'cursor');
  for (const requests of [12, 20, 30, 60, 200])
    expect(await judgeTwice(await load(), server, { requests })).toEqual([]);
});

test.each<readonly [string, (name: string, value: unknown) => boolean]>([
  ['role.taken', (name, value) => name === 'role' && value === 'member'],
  ['limit.taken', (name, value) => name === 'limit' && Number(value) > 49],
])('a refusal of what the schema allows fails %s', async (facet, refuses) => {
  const failed = await judgeTwice(await load(), createSearch(refuses));
  expect(failed).toContain(`search/request.body.${facet}`);
});
