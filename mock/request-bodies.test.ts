import { expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { Choices } from './choice/choices.ts';
import { compileContent } from './operation/request/content.ts';

interface Sent {
  readonly type?: string;
  readonly body: string | Uint8Array;
}

/** The value of a body that is read, what it breaks, or why it is refused. */
async function read(content: object, { type, body }: Sent, required = true): Promise<unknown> {
  const contract = await loadContract({
    text: JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Bodies', version: '1' },
      paths: {
        '/x': {
          post: {
            requestBody: { required, content },
            responses: { 204: { description: 'Done.' } },
          },
        },
      },
    }),
  });
  const [operation] = contract.operations;
  if (operation === undefined) throw new Error('There is no operation.');
  const read = compileContent(operation, new Choices(contract, {}));
  const found = read?.({
    method: 'POST',
    target: '/x',
    headers: type === undefined ? {} : { 'content-type': type },
    content: typeof body === 'string' ? new TextEncoder().encode(body) : body,
  });
  if (found?.kind === 'refusal') return `${found.status} ${found.reason}`;
  const at = found?.issues.map((issue) => issue.at) ?? [];
  return at.length > 0 ? at.toSorted() : found?.value;
}

const integer = { type: 'integer' };
const item = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { ...integer, readOnly: true },
    name: { type: 'string' },
    count: integer,
    flags: { type: 'array', items: { type: 'boolean' } },
    inner: { type: 'object', properties: { a: integer } },
    'tags[]': { type: 'array', items: { type: 'string' } },
  },
};
const form = 'application/x-www-form-urlencoded';
const multipart = 'multipart/form-data; boundary="b c"';
const part = (name: string, body: string, more = ''): string =>
  `--b c\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${body}\r\n`;
const as = (type: string, schema?: object): object => ({
  [type]: schema === undefined ? {} : { schema },
});

test.each<[object, Sent, unknown]>([
  [
    as('application/json', item),
    { type: 'application/json; charset=UTF-8', body: '{"name":"a"}' },
    { name: 'a' },
  ],
  [as('application/json', item), { type: 'application/json', body: '{"count":1}' }, ['/name']],
  [
    as('application/json', item),
    { type: 'application/json', body: '{"name":"a","id":1}' },
    { name: 'a', id: 1 },
  ],
  [as('application/json', item), { body: '{"name":"a"}' }, { name: 'a' }],
  [as('application/json', item), { type: 'text/plain', body: 'a' }, '415 unsupported_media_type'],
  [as('application/json', item), { type: 'application/json', body: '' }, '400 missing_body'],
  [as('application/json', item), { type: 'application/json', body: '{' }, '400 malformed_body'],
  [as('text/json', integer), { type: 'text/json', body: '1' }, 1],
  [as('application/*', integer), { type: 'application/vnd.a+json', body: '1' }, 1],
  [as('*/*', integer), { type: 'application/json', body: '"a"' }, ['']],
  [as('*/*', integer), { type: 'image/png', body: 'a' }, undefined],
  [
    { ...as('*/*'), ...as('application/json', integer) },
    { type: 'application/json', body: 'true' },
    [''],
  ],
  [
    as(form, item),
    { type: form, body: 'name=a+b&count=2&flags=true&flags=false&inner[a]=3&tags[]=x' },
    { name: 'a b', count: 2, flags: [true, false], inner: { a: 3 }, 'tags[]': ['x'] },
  ],
  [
    as(form, item),
    { type: form, body: 'name=a&flags[0]=true&flags[1]=false' },
    { name: 'a', flags: [true, false] },
  ],
  [as(form, item), { type: form, body: 'count=x' }, ['/count', '/name']],
  [as(form, { type: 'object' }), { type: form, body: '' }, {}],
  [as(form), { type: form, body: 'a=%C3%A9' }, { a: 'é' }],
  [
    as('multipart/form-data', item),
    {
      type: multipart,
      body: `${part('name', 'line\r\nline', '; filename="a.txt"')}${part('count', '7')}${part('inner', '{"a":1}')}--b c--\r\n`,
    },
    { name: 'line\r\nline', count: 7, inner: { a: 1 } },
  ],
  [as('multipart/form-data', item), { type: multipart, body: 'name=a' }, '400 malformed_body'],
  [
    as('multipart/form-data', item),
    { type: multipart, body: `${part('count', 'x')}--b c--` },
    ['/count', '/name'],
  ],
  [
    as('text/plain', { type: 'string', maxLength: 3 }),
    { type: 'text/plain; charset=utf-8', body: 'abc' },
    'abc',
  ],
  [as('text/plain', { type: 'string', maxLength: 3 }), { type: 'text/plain', body: 'abcd' }, ['']],
  [as('application/xml', item), { type: 'application/xml', body: '<a/>' }, undefined],
  [
    as('application/octet-stream', { type: 'string' }),
    { type: 'application/octet-stream', body: Uint8Array.of(255) },
    undefined,
  ],
  [{}, { type: 'application/json', body: '{"a":1}' }, { a: 1 }],
  [{}, { body: '' }, undefined],
])('%j reads %j', async (content, sent, expected) => {
  expect(await read(content, sent)).toEqual(expected);
});

test('readOnly members are not required in items, maps and unions', async () => {
  const schema = {
    type: 'object',
    properties: {
      list: { type: 'array', items: item },
      map: { type: 'object', additionalProperties: item },
      either: { oneOf: [{ type: 'integer' }, { allOf: [item], required: ['count'] }] },
    },
  };
  const sent = (value: object): Sent => ({ type: 'application/json', body: JSON.stringify(value) });
  const whole = {
    list: [{ name: 'a' }],
    map: { x: { name: 'b' } },
    either: { name: 'c', count: 1 },
  };
  expect(await read(as('application/json', schema), sent(whole))).toEqual(whole);
  expect(await read(as('application/json', schema), sent({ list: [{}] }))).toEqual([
    '/list/0/name',
  ]);
});
