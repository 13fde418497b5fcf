import { parseJson } from '../../contract/json/value.ts';
import { memberContent } from '../../contract/openapi/media-type.ts';
import { listRequirements } from '../family/requirements.ts';
import { expect, test } from 'vitest';
import {
  judgeDocument,
  listIds,
  loadYaml,
  type Change,
} from '../../test/conformance/judge-document.ts';

/** Documents with one trouble each; their own mocks conform, and what is changed is found. */
const documents: Readonly<Record<string, string>> = {
  'required query, header and cookie parameters': `
paths:
  /search:
    get:
      operationId: search
      parameters:
        - { name: q, in: query, required: true, schema: { type: string, minLength: 2 } }
        - { name: ids, in: query, required: true, explode: false, schema: { type: array, items: { type: integer } } }
        - { name: tags, in: query, required: true, schema: { type: array, minItems: 2, items: { type: string } } }
        - { name: box, in: query, required: true, style: deepObject, explode: true, schema: { type: object, required: [left], properties: { left: { type: integer } } } }
        - { name: X-Trace, in: header, required: true, schema: { type: string, format: uuid } }
        - { name: session, in: cookie, required: true, schema: { type: integer } }
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: object, required: [n], properties: { n: { type: integer } } } } } }
        '400': { description: no, content: { application/json: { schema: { type: object } } } }
`,
  'bodies that are not objects': `
paths:
  /list:
    post:
      operationId: postList
      requestBody: { required: true, content: { application/json: { schema: { type: array, minItems: 1, items: { type: integer } } } } }
      responses: { '200': { description: ok }, '400': { description: no } }
  /union:
    post:
      operationId: postUnion
      requestBody:
        required: true
        content:
          application/json:
            schema:
              oneOf:
                - { type: object, required: [a], properties: { a: { type: string } }, additionalProperties: false }
                - { type: object, required: [b], properties: { b: { type: integer } }, additionalProperties: false }
      responses: { '200': { description: ok }, '400': { description: no } }
  /form:
    post:
      operationId: postForm
      requestBody: { required: true, content: { application/x-www-form-urlencoded: { schema: { type: object, required: [name], properties: { name: { type: string } } } } } }
      responses: { '204': { description: ok }, '400': { description: no } }
`,
  'credentials of which the first operation wants none': `
security: [{ key: [] }]
paths:
  /health: { get: { operationId: health, security: [], responses: { '200': { description: ok } } } }
  /mine:
    get:
      operationId: mine
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: object } } } }
        '401': { description: no }
  /both:
    get:
      operationId: both
      security: [{ key: [], user: [] }]
      responses: { '200': { description: ok }, '401': { description: no } }
components:
  securitySchemes:
    key: { type: apiKey, in: query, name: api_key }
    user: { type: http, scheme: basic }
`,
  'values that cannot be drawn, and integers beyond doubles': `
paths:
  /odd:
    post:
      operationId: odd
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [never, big]
              properties:
                never: { type: string, minLength: 5, maxLength: 2 }
                big: { type: array, items: { type: integer, enum: [9007199254740993] } }
      responses: { '200': { description: ok }, '400': { description: no } }
`,
  'statuses by range, by default, and without a body': `
paths:
  /range: { get: { operationId: range, responses: { 2XX: { description: ok, content: { application/json: { schema: { type: integer } } } } } } }
  /default: { get: { operationId: fallback, responses: { default: { description: ok, content: { application/json: { schema: { type: object } } } } } } }
  /text: { get: { operationId: text, responses: { '200': { description: ok, content: { text/plain: { schema: { type: string } } } } } } }
  /move: { get: { operationId: move, responses: { '302': { description: away } } } }
`,
  'bodies of reads': `
paths:
  /greeting:
    get:
      operationId: greet
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [name], properties: { name: { type: string } } } } } }
      responses: { '200': { description: ok }, '400': { description: no } }
`,
  'lists and objects in headers': `
paths:
  /mirrors:
    get:
      operationId: mirrors
      responses:
        '200':
          description: ok
          headers:
            X-Ids: { required: true, schema: { type: array, minItems: 2, items: { type: integer } } }
            X-Size: { required: true, schema: { type: object, required: [wide], properties: { wide: { type: integer } } } }
`,
  'alternatives that fit together': `
paths:
  /unsure:
    get:
      operationId: unsure
      responses: { '200': { description: ok, content: { application/json: { schema: { oneOf: [{ type: string }, { type: string }] } } } } }
`,
  'a member that only responses have': `
paths:
  /notes:
    post:
      operationId: addNote
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }
      responses:
        '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }
        '400': { description: no }
components:
  schemas:
    Note:
      type: object
      required: [id, text]
      properties: { id: { type: integer, readOnly: true }, text: { type: string } }
`,
  'members named after collections whose ids they cannot have': `
paths:
  /tags:
    get:
      operationId: listTags
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Tag' } } } } } }
    post:
      operationId: addTag
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Tag' } } } }
      responses:
        '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Tag' } } } }
        '400': { description: no }
  /tags/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getTag
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Tag' } } } }
        '404': { description: no }
  /posts:
    get:
      operationId: listPosts
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/PostInList' } } } } } }
    post:
      operationId: addPost
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Post' } } } }
      responses:
        '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Post' } } } }
        '400': { description: no }
  /posts/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getPost
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Post' } } } }
        '404': { description: no }
components:
  schemas:
    Tag:
      type: object
      required: [id, name]
      properties: { id: { type: string, readOnly: true }, name: { type: string } }
    PostInList:
      type: object
      required: [id, text]
      properties: { id: { type: string, readOnly: true }, text: { type: string } }
    Post:
      type: object
      required: [id, text]
      properties:
        id: { type: string, readOnly: true }
        text: { type: string }
        tags: { type: array, items: { type: object, properties: { field: { type: string } } } }
`,
};

test.for(Object.entries(documents))('the mock of a document with %s conforms', async ([, text]) => {
  const contract = await loadYaml(text);
  const report = await judgeDocument(contract, { requests: 300 });
  expect(listIds(report, 'failed')).toEqual([]);
  expect(report.outcome).toBe('conforms');
  const schemas = new Map(contract.operations.map((one) => [one.id, memberContent(one)?.schema]));
  const invalid = report.exchanges.flatMap(({ intent, request: { operation, headers, body } }) => {
    const isJson = headers.some(
      ([name, value]) => name.endsWith('type') && value === 'application/json',
    );
    return intent.kind === 'valid' && isJson && body !== undefined
      ? [body].filter(
          (text) => schemas.get(operation)?.isValid(parseJson(text), 'request') === false,
        )
      : [];
  });
  expect(invalid, 'sent as valid').toEqual([]);
});

const [parameters = '', bodies = ''] = Object.values(documents);

test('every required parameter is sent, in its style', async () => {
  const { exchanges } = await judgeDocument(await loadYaml(parameters));
  const first = exchanges.find(({ intent }) => intent.kind === 'valid');
  expect(first?.request.target).toMatch(
    /^\/search\?q=[\w%]{2,}&ids=-?\d+(%2C|,|-|\d)*&tags=[^&]+&tags=[^&]+&box%5Bleft%5D=-?\d+$/,
  );
  expect(first?.request.headers.map(([name]) => name)).toEqual(
    expect.arrayContaining(['x-trace', 'cookie']),
  );
  expect(
    exchanges.map(({ outcome }) => outcome.kind === 'answered' && outcome.response.status),
  ).toContain(200);
});

const withoutMember: Change = (response) =>
  response.status === 200 ? { ...response, body: '{}' } : response;
const takesAll: Change = (response) =>
  response.status === 400 ? { ...response, status: 200 } : response;
const namesIds: Change = (response) => ({
  ...response,
  headers: response.headers.map(([name, text]) =>
    name.toLowerCase() === 'x-ids' ? ([name, '1,two'] as const) : ([name, text] as const),
  ),
});
const refusesAll: Change = (response) => ({ ...response, status: 405 });

test.for<[string, string, Change, string]>([
  [
    'a body without a required member',
    parameters,
    withoutMember,
    'search/response.200.body.n.required',
  ],
  ['a body that had to be refused', bodies, takesAll, 'postList/request.body.min-items'],
  [
    'a header with another list',
    documents['lists and objects in headers'] ?? '',
    namesIds,
    'mirrors/response.200.header.X-Ids',
  ],
  ['a valid request refused', parameters, refusesAll, 'search/status.200'],
])('%s is detected', async ([, text, change, wanted]) => {
  const report = await judgeDocument(await loadYaml(text), { requests: 300 }, change);
  expect(listIds(report, 'failed')).toContain(wanted);
  expect(report.outcome).toBe('failed');
});

test('the body of a GET is sent, and nothing is required of it', async () => {
  const contract = await loadYaml(documents['bodies of reads'] ?? '');
  expect(listRequirements(contract).filter(({ family }) => family === 'request')).toEqual([]);
  const { exchanges } = await judgeDocument(contract);
  expect(exchanges.every(({ request }) => request.body?.includes('"name"'))).toBe(true);
});

const denied = `
paths:
  /reports:
    get:
      operationId: report
      responses:
        '200': { description: ok }
        '403': { description: no, content: { application/json: { schema: { type: object, required: [why] } } } }
`;

test.for([
  ['as described', '{"why":"late"}', []],
  ['in another form', '{}', ['*/errors.listed']],
] as const)('an unprovoked refusal is judged, %s', async ([, body, wanted]) => {
  const headers = [['content-type', 'application/json']] as const;
  const report = await judgeDocument(await loadYaml(denied), {}, (response) => ({
    ...response,
    status: 403,
    headers,
    body,
  }));
  expect(listIds(report, 'failed')).toEqual(wanted);
});

const example = `
paths:
  /orders:
    post:
      operationId: order
      requestBody:
        content:
          application/json:
            example: { name: Ada, note: soon, tags: [a] }
            schema:
              type: object
              additionalProperties: false
              required: [name]
              properties:
                name: { type: string }
                note: { type: string }
                tags: { type: array, uniqueItems: true, items: { type: string } }
                place: { type: object, required: [row], properties: { row: { type: integer, minimum: 1 } } }
      responses: { '204': { description: ok }, '400': { description: no } }
`;

test('the number of requests that the plan names tests everything, whatever the examples omit', async () => {
  const contract = await loadYaml(example);
  let needed = 0;
  await judgeDocument(contract, {
    requests: 1,
    watcher: { onPlan: (plan) => (needed = plan.needed) },
  });
  const report = await judgeDocument(contract, { requests: needed });
  expect(report.run.requests).toBeLessThanOrEqual(needed);
  expect(listIds(report, 'not-tested')).toEqual([]);
  expect(listIds(report, 'failed')).toEqual([]);
});
