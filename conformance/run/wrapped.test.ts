import { expect, test } from 'vitest';
import { renderJson, type JsonValue } from '../../contract/json/value.ts';
import {
  listIds,
  loadYaml,
  serveDocument,
  type Change,
} from '../../test/conformance/judge-document.ts';

const content = (name: string, schema: string): string =>
  `content: { application/json: { schema: { type: object, required: [${name}], properties: { ${name}: ${schema} } } } }`;
const article = "{ $ref: '#/components/schemas/Article' }";
const sent = `requestBody: { required: true, ${content('article', "{ $ref: '#/components/schemas/NewArticle' }")} }`;

/** Articles in a member of each body, as Rails has them. */
const contract = await loadYaml(`paths:
  /articles:
    get: { operationId: listArticles, responses: { '200': { description: All., ${content('articles', `{ type: array, items: ${article} }`)} } } }
    post: { operationId: addArticle, ${sent}, responses: { '201': { description: Added., ${content('article', article)} }, '422': { description: Refused. } } }
  /articles/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getArticle, responses: { '200': { description: One., ${content('article', article)} }, '404': { description: None. } } }
    put: { operationId: putArticle, ${sent}, responses: { '200': { description: Changed., ${content('article', article)} }, '404': { description: None. }, '422': { description: Refused. } } }
components:
  schemas:
    NewArticle: { type: object, required: [title], properties: { title: { type: string, minLength: 1 }, rank: { type: integer, minimum: 0, maximum: 50 } } }
    Article: { type: object, required: [id, title], properties: { id: { type: integer, readOnly: true }, title: { type: string }, rank: { type: integer } } }
`);

/** The requirements that fail in two runs against one server. */
async function failedBy(change?: Change): Promise<readonly string[]> {
  const judge = await serveDocument(contract, change);
  const failed: string[] = [];
  for (const seed of [1, 2])
    failed.push(...listIds(await judge(contract, { requests: 150, fuzz: 40, seed }), 'failed'));
  return failed;
}

/** Another body in the place of successful responses to a method and paths. */
function replace(
  method: string,
  path: RegExp,
  body: (received: Record<string, JsonValue>) => JsonValue,
): Change {
  return (response, request) =>
    request.method === method && path.test(request.url) && response.status < 300
      ? { ...response, body: renderJson(body(JSON.parse(response.body))) }
      : response;
}

test('the item wrapped in a body is sent and read back', async () => {
  expect(contract.resources.map(({ create, replace: put }) => [create?.id, put?.id])).toEqual([
    ['addArticle', 'putArticle'],
  ]);
  expect(await failedBy()).toEqual([]);
});

test.for<readonly [string, Change]>([
  [
    'addArticle/state.echo.rank',
    replace('POST', /articles$/, ({ article: found }) => ({
      article: { ...Object(found), rank: 7 },
    })),
  ],
  ['listArticles/state.listed', replace('GET', /articles$/, () => ({ articles: [] }))],
  [
    'getArticle/state.read.title',
    replace('GET', /articles\/\d+$/, ({ article: found }) => ({
      article: { ...Object(found), title: 'Another' },
    })),
  ],
])('a fault of wrapped items is found: %s', async ([id, change]) => {
  expect(await failedBy(change)).toContain(id);
});

test('a member with the name of a wrapper is an ordinary member', async () => {
  const { resources } = await loadYaml(`paths:
  /events:
    get: { operationId: listEvents, responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Event' } } } } } } }
    post: { operationId: addEvent, requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Event' } } } }, responses: { '201': { description: Added., content: { application/json: { schema: { $ref: '#/components/schemas/Event' } } } } } }
components:
  schemas:
    Event: { type: object, properties: { id: { type: integer, readOnly: true }, data: { type: object, properties: { note: { type: string } } } } }
`);
  expect(resources.map(({ create, sentPlaces }) => [create?.id, ...sentPlaces])).toEqual([
    ['addEvent', ['listEvents', []], ['addEvent', []]],
  ]);
});
