import { afterEach, expect, test, vi } from 'vitest';
import type { Operation } from '../openapi/operation.ts';
import { groupPaths } from './paths.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

function operationsOf(...requests: readonly string[]): Operation[] {
  return requests.map((id) => {
    const [method = '', path = ''] = id.split(' ');
    return Object.assign(Object.create(null), { id, method, path, responses: [] });
  });
}

test('a path below an item belongs to the nearest item, and one next to it to the collection', () => {
  const groups = groupPaths(
    operationsOf(
      'GET /shops',
      'GET /shops/{a}',
      'POST /shops/{b}/open',
      'POST /shops/{a}:close',
      'POST /shops/batch',
      'POST /shops:import',
      'POST /shops/{a}/pets/{id}/feed',
      'GET /shops/{a}/pets/{id}',
      'GET /shops/{a}/pets',
    ),
  );
  const idsOf = (operations: readonly Operation[]) => operations.map(({ id }) => id);
  expect(
    groups.map(({ path, placed }) => [path, idsOf(placed.below), idsOf(placed.beside)]),
  ).toEqual([
    [
      '/shops',
      ['POST /shops/{b}/open', 'POST /shops/{a}:close'],
      ['POST /shops/batch', 'POST /shops:import'],
    ],
    ['/shops/{a}/pets', ['POST /shops/{a}/pets/{id}/feed'], []],
  ]);
});

test.each([
  ['GET /orders/{orderId}', 'GET /orders/{number}'],
  ['GET /orders/{number}', 'GET /orders/{orderId}'],
  ['DELETE /orders/{number}', 'GET /orders/{orderId}'],
  ['GET /orders/{orderId}', 'GET /orders/{otherId}'],
])('of %s and %s, items are named by orderId', (one, other) => {
  const [group] = groupPaths(operationsOf('GET /orders', 'POST /orders', one, other));
  expect(group?.itemPath).toBe('/orders/{orderId}');
});

test('in OData, an item is in brackets after its collection', () => {
  const [group, ...others] = groupPaths(
    operationsOf('GET /Pets', 'POST /Pets', 'GET /Pets({ID})', 'POST /Pets({ID})/feed'),
  );
  expect(others).toEqual([]);
  expect(group).toMatchObject({ path: '/Pets', itemPath: '/Pets({ID})' });
  expect(group?.placed.below.map(({ id }) => id)).toEqual(['POST /Pets({ID})/feed']);
});

test('each path is parsed once, however many there are', () => {
  const count = (collections: number): number => {
    const requests = Array.from({ length: collections }, (_, at) => [
      `GET /c${at}`,
      `GET /c${at}/{id}`,
      `POST /c${at}/{id}/run`,
    ]).flat();
    const taken = vi.spyOn(String.prototype, 'slice');
    groupPaths(operationsOf(...requests));
    const { length } = taken.mock.calls;
    taken.mockRestore();
    return length;
  };
  expect(count(100)).toBeLessThanOrEqual(10 * count(10));
});

test('items that are listed within a parent may have a path without it', () => {
  const groups = groupPaths(
    operationsOf(
      'GET /v1/users/{id}/notes',
      'POST /v1/users/{id}/notes',
      'GET /v1/notes/{id}',
      'GET /v1/users/{id}/tags',
      'POST /v1/users/{id}/tags',
      'GET /v1/tags',
      'GET /v1/tags/{id}',
      'GET /v1/users/{id}/plan',
      'POST /v1/users/{id}/plan',
      'GET /v1/plan',
      'PUT /v1/plan',
    ),
  );
  expect(groups.map(({ path, itemPath }) => [path, itemPath])).toEqual([
    ['/v1/notes', '/v1/notes/{id}'],
    ['/v1/users/{id}/tags', undefined],
    ['/v1/tags', '/v1/tags/{id}'],
    ['/v1/users/{id}/plan', undefined],
    ['/v1/plan', undefined],
  ]);
});
