import { expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { createMock } from './mock.ts';

interface Answer {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: string;
  readonly header: (name: string) => string | undefined;
}

/** What a mock of one operation, POST /x with a parameter `n`, answers. */
async function answer(
  responses: object,
  headers: Readonly<Record<string, string>> = {},
  query = '',
  more: object = {},
): Promise<Answer> {
  const contract = await loadContract({
    text: JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Responses', version: '1' },
      paths: {
        '/x': {
          post: {
            parameters: [{ name: 'n', in: 'query', schema: { type: 'integer' } }],
            responses,
            ...more,
          },
        },
      },
      components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
    }),
  });
  const mock = createMock(contract);
  const response = mock.handle({
    method: 'POST',
    target: `/x${query}`,
    headers,
    content: undefined,
  });
  const header = (name: string): string | undefined => {
    const at = response.headers.findIndex(
      (one, index) => index % 2 === 0 && one.toLowerCase() === name,
    );
    return at < 0 ? undefined : response.headers[at + 1];
  };
  return { status: response.status, type: header('content-type'), body: response.body, header };
}

const described = (content: object, headers: object = {}): object => ({
  description: 'It is so.',
  headers,
  content,
});
const item = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', const: 'a' }, n: { type: 'integer', const: 1 } },
};
const both = {
  200: described({
    'application/xml': { schema: item },
    'application/json; v=1': { schema: item },
  }),
};

test.each([
  [undefined, 'application/json; v=1', '{"name":"a","n":1}'],
  ['*/*', 'application/json; v=1', '{"name":"a","n":1}'],
  ['application/*', 'application/json; v=1', '{"name":"a","n":1}'],
  [
    'application/xml',
    'application/xml',
    '<?xml version="1.0" encoding="UTF-8"?>\n<item><name>a</name><n>1</n></item>',
  ],
  ['application/json;q=0.1, text/html, application/xml;q=0.5', 'application/xml', undefined],
  ['text/html', 'application/json; v=1', undefined],
])('Accept: %s is answered in %s', async (accept, type, body) => {
  const found = await answer(both, accept === undefined ? {} : { accept });
  expect(found).toMatchObject({ status: 200, type, ...(body === undefined ? {} : { body }) });
});

test.each([
  ['text/plain', { example: 'Hello' }, 'Hello'],
  ['text/csv', { schema: { type: 'array', items: item } }, 'id,name\r\n1,sample\r\n'],
  [
    'text/csv',
    { schema: { type: 'array', items: item }, example: 'name,n\r\na,1\r\n' },
    'name,n\r\na,1\r\n',
  ],
  ['text/plain', { schema: { type: 'string', enum: ['red'] }, example: 'blue' }, 'red'],
  ['application/xml', { schema: item, example: '<pet name="a"/>' }, '<pet name="a"/>'],
  ['application/json', { schema: item, example: 'a' }, '{"name":"a","n":1}'],
  ['text/html', {}, '<!doctype html><title>Sample</title><p>Sample</p>'],
  ['application/x-ndjson', { schema: item }, '{"name":"a","n":1}\n'],
  ['text/event-stream', { schema: item }, 'data: {"name":"a","n":1}\n\n'],
  ['application/vnd.a+json', { schema: { const: 5 } }, '5'],
])('%s gets a response', async (type, content, body) => {
  expect(await answer({ 200: described({ [type]: content }) })).toMatchObject({ type, body });
});

test.each<[object, number]>([
  [{ default: described({}) }, 200],
  [{ '2XX': described({}) }, 200],
  [{ 302: described({}), 400: described({}) }, 302],
  [{ '3XX': described({}) }, 302],
  [{ 302: described({}), default: described({}) }, 302],
  [{ 405: described({}) }, 200],
  [{ 204: described({ 'application/json': { schema: item } }) }, 204],
])('%j gets %s', async (responses, status) => {
  const found = await answer(responses);
  expect([found.status, found.body]).toEqual([status, '']);
  expect(found.header('location') !== undefined).toBe(status === 302);
});

test('documented headers that no message can carry are omitted or simplified', async () => {
  const header = (value: string): object => ({ required: true, schema: { const: value } });
  const found = await answer({
    200: described(
      { 'text/plain; v="é\u0001"': { example: 'a' }, 'text/plain; v="é"': { example: 'b' } },
      { 'X A': header('a'), 'X-Ok': header('a'), 'X-Bad': header('a\nb') },
    ),
  });
  expect(found.type).toBe('text/plain; v="é"');
  expect(['x a', 'x-ok', 'x-bad'].map(found.header)).toEqual([undefined, 'a', undefined]);
});

const nested = {
  type: 'object',
  required: ['errors'],
  properties: {
    errors: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['code', 'detail', 'id'],
        properties: {
          code: { type: 'integer' },
          detail: { type: 'string' },
          id: { type: 'string', format: 'uuid' },
        },
      },
    },
  },
};
const why = 'n must be of type integer (query parameter n)';

test('a refusal has the schema that the operation documents for its status', async () => {
  const found = await answer(
    { 204: described({}), 422: described({ 'application/vnd.error+json': { schema: nested } }) },
    {},
    '?n=x',
  );
  expect(found).toMatchObject({ status: 422, type: 'application/vnd.error+json' });
  const [error] = JSON.parse(found.body).errors;
  expect(error).toMatchObject({ code: 422, detail: why });
});

test.each<[object, number, string, string | RegExp]>([
  [{ '4XX': described({ 'text/plain': {} }) }, 400, 'text/plain', why],
  [{ default: described({ 'image/*': {} }) }, 400, 'image/png', why],
  [{ default: described({ 'application/*': {} }) }, 400, 'application/problem+json', why],
  [{ default: described({ 'application/xml': {} }) }, 400, 'application/xml', /<message>n must be/],
  [
    { 400: described({ 'application/json': { schema: { type: 'string' } } }) },
    400,
    'application/json',
    `"${why}"`,
  ],
  [
    { 400: described({ 'application/json': { schema: { const: { a: 1 } } } }) },
    400,
    'application/json',
    '{"a":1}',
  ],
  [{}, 400, 'application/problem+json', /"detail":"n must be/],
])('a refusal by %j', async (errors, status, type, body) => {
  const found = await answer({ 204: described({}), ...errors }, {}, '?n=x');
  expect([found.status, found.type]).toEqual([status, type]);
  expect(found.body).toMatch(body);
});

test('an example of the document is the base of a refusal', async () => {
  const schema = {
    type: 'object',
    required: ['error', 'trace'],
    properties: { error: { type: 'object' }, trace: { type: 'string' } },
  };
  const example = { error: { message: 'Wrong.', status: 401, hint: 'Log in.' }, trace: 'abc' };
  const found = await answer(
    { 204: described({}), 401: described({ 'application/json': { schema, example } }) },
    {},
    '',
    { security: [{ key: [] }] },
  );
  expect([found.status, JSON.parse(found.body)]).toEqual([
    401,
    { error: { message: 'No API key was sent.', status: 401, hint: 'Log in.' }, trace: 'abc' },
  ]);
});
