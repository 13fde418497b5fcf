import { expect, test } from 'vitest';
import {
  isJsonObject,
  parseJson,
  type JsonObject,
  type JsonValue,
} from '../../contract/json/value.ts';
import { answered, createFakeSender } from '../../test/conformance/fake-sender.ts';
import { listIds, loadYaml } from '../../test/conformance/judge-document.ts';
import { createStillClock } from '../../test/conformance/still-clock.ts';
import { runConformance, type Sender } from '../index.ts';

const article =
  "{ content: { application/json: { schema: { $ref: '#/components/schemas/Article' } } } }";

/** Articles, and a list that leaves some out unless it is asked for them. */
const contract = await loadYaml(`
paths:
  /articles:
    get:
      operationId: listArticles
      parameters:
        - { name: include_archived, in: query, schema: { type: boolean, default: false } }
        - { name: status, in: query, schema: { type: string, enum: [draft, published], default: published } }
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 100, default: 20 } }
      responses:
        '200': { description: Some., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Article' } } } } }
        '400': { description: Refused. }
    post:
      operationId: addArticle
      requestBody: { required: true, ${article.slice(2)}
      responses: { '201': { description: Added., ${article.slice(2)}, '400': { description: Refused. } }
  /articles/{id}:
    get:
      operationId: getArticle
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { '200': { description: One., ${article.slice(2)}, '404': { description: None. } }
components:
  schemas:
    Article:
      type: object
      required: [title]
      properties:
        id: { type: integer, readOnly: true }
        title: { type: string, minLength: 1 }
        status: { type: string, enum: [draft, published] }
        archived: { type: boolean }
        hidden: { type: boolean }
`);

const states: readonly (JsonValue | undefined)[] = ['draft', 'published'];
const flags: readonly (JsonValue | undefined)[] = [undefined, true, false];

function isArticle(body: JsonValue): body is JsonObject {
  if (!isJsonObject(body)) return false;
  const { title, status = 'draft', archived, hidden } = body;
  const isTitled = typeof title === 'string' && title !== '';
  return isTitled && states.includes(status) && flags.includes(archived) && flags.includes(hidden);
}

/** Whether a list shows an article, by the query that asked for it. */
type Rule = (article: JsonObject, query: URLSearchParams) => boolean;

const asDocumented: Rule = ({ archived, status }, query) =>
  status === (query.get('status') ?? 'published') &&
  (archived !== true || query.get('include_archived') === 'true');

function answer(
  articles: JsonObject[],
  isShown: Rule,
  { method, url, body = 'null' }: Parameters<Sender['send']>[0],
): readonly [status: number, body?: JsonValue] {
  const { pathname, searchParams: query } = new URL(url);
  const [, , no] = pathname.split('/');
  if (no !== undefined) {
    const found = /^\d+$/.test(no) ? articles[Number(no) - 1] : undefined;
    return found === undefined ? [404] : [200, found];
  }
  if (method === 'GET') {
    const limit = query.get('limit') ?? '20';
    const isNumber = /^\d{1,3}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 100;
    if (!isNumber || !states.includes(query.get('status') ?? 'draft')) return [400];
    if (!['true', 'false'].includes(query.get('include_archived') ?? 'true')) return [400];
    const shown = articles.toReversed().filter((each) => isShown(each, query));
    return [200, shown.slice(0, Number(limit))];
  }
  let sent: JsonValue = null;
  try {
    sent = parseJson(body);
  } catch {}
  if (!isArticle(sent)) return [400];
  const { title, status = 'draft', archived, hidden } = sent;
  const all = { id: articles.length + 1, title, status, archived, hidden };
  const added = Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  articles.push(added);
  return [201, added];
}

/** The requirements that fail in two runs against one server. */
async function failures(isShown: Rule): Promise<readonly string[]> {
  const articles: JsonObject[] = [];
  const sender = createFakeSender((request) => answered(...answer(articles, isShown, request)));
  const failed: string[] = [];
  for (const seed of [1, 2]) {
    const options = { clock: createStillClock(), sender, requests: 120, seed };
    const target = { baseUrl: 'http://articles.test', apiKey: undefined };
    failed.push(...listIds(await runConformance(contract, target, options), 'failed'));
  }
  return failed;
}

const byFilter: Rule = ({ status }, query) => [null, status].includes(query.get('status'));

test.for<readonly [string, Rule]>([
  ['by the defaults of its parameters', asDocumented],
  ['only if a filter was sent', byFilter],
  [
    'by a parameter for a flag',
    (each, query) =>
      byFilter(each, query) &&
      (each['archived'] !== true || query.get('include_archived') === 'true'),
  ],
  [
    'by a flag that the document says nothing of',
    (each, query) => asDocumented(each, query) && each['hidden'] !== true,
  ],
])('a list may omit items %s', async ([, isShown]) => {
  expect(await failures(isShown)).toEqual([]);
});

test('a list must show an item whose values other listed items have too', async () => {
  const failed = await failures(
    (each, query) => asDocumented(each, query) && Number(each['id']) % 3 > 0,
  );
  expect(failed).toContain('listArticles/state.listed');
  expect(await failures(({ status }) => status === 'published')).toContain(
    'listArticles/parameter.status.filter',
  );
});
