import { expect, test } from 'vitest';
import type { JsonObject } from '../json/value.ts';
import { loadContract } from '../load.ts';

const document = (more: JsonObject, response: JsonObject = {}): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Texts', version: '1' },
    paths: {
      '/a': { get: { responses: { 200: { description: 'Good.', ...response } }, ...more } },
      '/b': { get: { responses: { 200: { description: 'Good.' } } } },
    },
  });

test.each<[string, string, JsonObject, JsonObject]>([
  ['a media type with a line in it', '/content/', {}, { content: { 'text/x\r\nX-Evil: 1': {} } }],
  ['a media type beyond Latin-1', '/content/', {}, { content: { 'text/漢': {} } }],
  ['a header name with a line in it', '/headers/', {}, { headers: { 'X\r\nY': { schema: {} } } }],
  ['a header name with a space', '/headers/', {}, { headers: { 'X Y': { schema: {} } } }],
  [
    'the name of a header parameter',
    '/parameters/0/name',
    { parameters: [{ in: 'header', name: 'X\0Y', schema: {} }] },
    {},
  ],
  [
    'the name of a cookie',
    '/parameters/0/name',
    { parameters: [{ in: 'cookie', name: 'a\nb', schema: {} }] },
    {},
  ],
])('%s is reported with its place, and the rest works', async (_name, place, more, response) => {
  const contract = await loadContract({ text: document(more, response) });
  expect(contract.diagnostics).toEqual([
    expect.objectContaining({ level: 'error', pointer: expect.stringContaining(place) }),
  ]);
  expect(contract.operations.map(({ path }) => path)).toEqual(['/a', '/b']);
  const [operation] = contract.operations;
  expect(operation?.parameters).toEqual([]);
  expect(operation?.responses[0]).toMatchObject({ headers: [], content: [] });
});

test('unusual names that can be sent are accepted', async () => {
  const response = {
    content: { ' application/json; x="a b" ': {}, 'text/é': {}, '*/*': {} },
    headers: { "X!#$%&'*+.^_`|~1": { schema: {} } },
  };
  const parameters = [{ in: 'cookie', name: 'a[b]', schema: {} }];
  const contract = await loadContract({ text: document({ parameters }, response) });
  expect(contract.diagnostics.filter(({ level }) => level === 'error')).toEqual([]);
});
