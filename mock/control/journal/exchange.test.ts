import { expect, test } from 'vitest';
import { type OpenMock, contractOf, openMock } from '../../../test/mock/control/open-mock.ts';

const send = async (
  { url }: OpenMock,
  path: string,
  {
    headers,
    ...init
  }: Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<void> => {
  const authorization = 'Bearer free_a';
  await fetch(url + path, { ...init, headers: { authorization, ...headers } });
};
/** No items at first, and none that the document does not ask for. */
const bare = { seed: {}, choices: { 'status-default': 'absent' } };
const json = { 'content-type': 'application/json' };

test('an exchange has the header fields and bodies of request and response, without keys', async () => {
  await using open = await openMock(undefined, bare);
  await send(open, '/pets?as=free_a', {
    method: 'POST',
    headers: { ...json, cookie: 'session=free_a; theme=dark', 'x-trace': 'for free_a' },
    body: '{"name":"free_a","categoryId":1}',
  });
  const detail = await open.control.call('readExchange', { sandbox: 'a', index: 0 });
  expect(detail).toMatchObject({
    exchange: { index: 0, operation: 'createPet', status: 201, target: '/v1/pets?as=[key]' },
    request: { body: '{"name":"[key]","categoryId":1}', bodyLength: 32 },
    response: { body: '{"id":1,"name":"[key]","categoryId":1}', bodyLength: 39 },
    place: '#/paths/~1pets/post',
  });
  expect(detail.request.headers).toEqual(
    expect.arrayContaining([
      { name: 'authorization', value: 'Bearer [key]' },
      { name: 'cookie', value: 'session=[key]; theme=[key]' },
      { name: 'x-trace', value: 'for [key]' },
      { name: 'content-type', value: 'application/json' },
    ]),
  );
  expect(detail.response.headers).toEqual(
    expect.arrayContaining([
      { name: 'Location', value: '/v1/pets/1' },
      { name: 'X-RateLimit-Remaining', value: '59' },
      { name: 'Content-Length', value: '39' },
    ]),
  );
  expect(JSON.stringify(detail)).not.toContain('free_a');
});

test('only the beginning of long bodies and header fields is kept', async () => {
  await using open = await openMock(undefined, bare);
  const name = '\u{1F98A}'.repeat(2000);
  await send(open, '/pets', {
    method: 'POST',
    headers: { ...json, 'x-long': 'y'.repeat(8000) },
    body: JSON.stringify({ name, categoryId: 1 }),
  });
  const { request, response } = await open.control.call('readExchange', { sandbox: 'a', index: 0 });
  expect([request.body, request.bodyLength, response.body, response.bodyLength]).toEqual([
    `{"name":"${'\u{1F98A}'.repeat(1021)}`,
    8026,
    `{"id":1,"name":"${'\u{1F98A}'.repeat(1020)}`,
    8033,
  ]);
  expect(request.headers.find((field) => field.name === 'x-long')?.value).toHaveLength(503);
});

test('a header field for keys is omitted entirely, even with an unknown key', async () => {
  const contract = await contractOf({
    security: [{ key: [] }],
    paths: { '/x': { get: { responses: { 204: { description: '' } } } } },
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  });
  await using open = await openMock(contract);
  await fetch(`${open.url}/x`, { headers: { 'x-key': 'invalid-secret' } });
  const detail = await open.control.call('readExchange', { sandbox: 'no-key', index: 0 });
  expect(detail.request.headers).toContainEqual({ name: 'x-key', value: '[key]' });
  expect(detail).toMatchObject({ place: '#/security', response: { bodyLength: 72 } });
});

test('a refusal has its pointer into the document', async () => {
  await using open = await openMock(undefined, { limits: { free: { minute: 7 } } });
  await send(open, '/pets?limit=0');
  await send(open, '/pets', { method: 'POST', headers: json, body: '{"name":3,"categoryId":1}' });
  await send(open, '/pets', { method: 'POST', headers: json, body: '{' });
  await send(open, '/pets', { method: 'POST', headers: { 'content-type': 'text/csv' }, body: 'a' });
  await send(open, '/pets/99');
  await send(open, '/pets/99', { method: 'PUT' });
  await send(open, '/nothing');
  await send(open, '/pets');
  await send(open, '/pets', { headers: { authorization: 'Bearer unknown' } });
  const placeOf = async (sandbox: string, index: number): Promise<unknown> =>
    (await open.control.call('readExchange', { sandbox, index })).place;
  expect(await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((index) => placeOf('a', index)))).toEqual([
    '#/paths/~1pets/get/parameters/0',
    '#/components/schemas/NewPet/properties/name/type',
    '#/paths/~1pets/post/requestBody',
    '#/paths/~1pets/post/requestBody',
    '#/paths/~1pets~1{petId}/get/responses/404',
    '#/paths/~1pets~1{petId}',
    '#/paths',
    '#/x-rate-limit',
  ]);
  expect(await placeOf('no-key', 0)).toBe('#/security');
});

test('a missing exchange is reported as missing', async () => {
  await using open = await openMock();
  await expect(open.control.call('readExchange', { sandbox: 'a', index: 3 })).rejects.toThrow(
    'The journal of a has no exchange 3.',
  );
});
