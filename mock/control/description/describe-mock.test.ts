import { expect, test } from 'vitest';
import { contractOf, openMock } from '../../../test/mock/control/open-mock.ts';

test('describes the mock with the host of the request', async () => {
  await using open = await openMock(undefined, { listen: { control: { like: 'report.json' } } });
  const { origin, url, port, control } = open;
  const described = await control.call('describeMock', {});
  expect(described).toMatchObject({
    url,
    document: { title: 'Petstore', version: '1.0.0', source: 'openapi.yaml' },
    links: { page: `${origin}/_mock/`, yaml: `${origin}/openapi.yaml` },
    ownKey: 'free_alice',
    like: 'report.json',
    conformance: false,
  });
  expect(described.keys[0]).toEqual({
    key: 'demo-free',
    plan: 'Free',
    limits: [
      { window: 'minute', limit: 60 },
      { window: 'day', limit: 1000 },
    ],
  });
  expect(described.operations.find(({ id }) => id === 'getPet')).toMatchObject({
    method: 'GET',
    path: '/pets/{petId}',
    pointer: '#/paths/~1pets~1{petId}/get',
    deprecated: true,
    removedAt: '2030-12-05T00:00:00.000Z',
    credentials: [{ in: 'header', name: 'Authorization', value: 'Bearer {key}' }],
  });
  expect(described.questions.find(({ id }) => id === 'list-order')).toMatchObject({
    choices: expect.arrayContaining([expect.objectContaining({ id: 'id-descending' })]),
  });
  const other = await fetch(`http://localhost:${port}/_mock/`);
  expect(await other.json()).toMatchObject({ url: `http://localhost:${port}/v1` });
  expect(await control.call('readHealth', {})).toEqual({
    status: 'ok',
    instance: described.instance,
  });
});

test('shows where keys go for each scheme, and none if the document needs none', async () => {
  const operation = { responses: { 204: { description: '' } } };
  const guarded = await contractOf({
    paths: {
      '/x': {
        get: { ...operation, security: [{ query: [], basic: [] }] },
        put: { ...operation, security: [{ cookie: [] }] },
        post: { ...operation, security: [] },
      },
    },
    components: {
      securitySchemes: {
        query: { type: 'apiKey', in: 'query', name: 'api_key' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
        basic: { type: 'http', scheme: 'basic' },
      },
    },
  });
  await using open = await openMock(guarded);
  const { operations, ownKey, keys } = await open.control.call('describeMock', {});
  expect(operations.map(({ credentials }) => credentials)).toEqual([
    [
      { in: 'query', name: 'api_key', value: '{key}' },
      { in: 'header', name: 'Authorization', value: 'Basic {basic}' },
    ],
    [{ in: 'cookie', name: 'session', value: '{key}' }],
    [],
  ]);
  expect([ownKey, keys]).toEqual(['alice', [{ key: 'demo', plan: '', limits: [] }]]);
  await using free = await openMock(await contractOf({ paths: { '/x': { get: operation } } }));
  expect(await free.control.call('describeMock', {})).toMatchObject({ keys: [] });
});

test('has a new instance id with every start', async () => {
  await using one = await openMock();
  await using other = await openMock();
  const health = await Promise.all(
    [one, other].map(({ control }) => control.call('readHealth', {})),
  );
  expect(new Set(health.map(({ instance }) => instance)).size).toBe(2);
});
