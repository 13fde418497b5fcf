import { expect, test } from 'vitest';
import { loadContract } from '../../contract/load.ts';
import { Choices } from '../choice/choices.ts';
import { success } from './response/outcome.ts';
import { compileRouters, type Router } from './router.ts';

/** A router of operations, each `METHOD path`. */
async function routerOf(...operations: readonly string[]): Promise<Router> {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const [method = '', path = ''] = operation.split(' ');
    paths[path] ??= {};
    paths[path][method.toLowerCase()] = {
      parameters: [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      responses: { 204: { description: 'Done.' } },
    };
  }
  const contract = await loadContract({
    text: JSON.stringify({ openapi: '3.1.0', info: { title: 'Paths', version: '1' }, paths }),
  });
  const choices = new Choices(contract, {});
  return compileRouters(choices, () => () => success(204, ''))(0);
}

function find(router: Router, request: string): string {
  const [method = '', target = ''] = request.split(' ');
  const { endpoint, pathTexts } = router.find(method, target);
  const id = endpoint.operation === undefined ? 'none' : endpoint.path;
  return [id, ...pathTexts].join(' ');
}

test('the more concrete path is found, segment by segment', async () => {
  const router = await routerOf(
    'GET /{kind}/{id}',
    'GET /x/{id}',
    'GET /{kind}/mine',
    'GET /x/{id}:start',
    'GET /x/all:start',
    'GET /x/{a}.{b}',
    'GET /x/f({id})',
    'GET /x/mine/',
  );
  const found = ['/y/1', '/x/1', '/y/mine', '/x/mine', '/x/1:start', '/x/all:start'].map((path) =>
    find(router, `GET ${path}`),
  );
  expect(found).toEqual([
    '/{kind}/{id} y 1',
    '/x/{id} 1',
    '/{kind}/mine y',
    '/x/{id} mine',
    '/x/{id}:start 1',
    '/x/all:start',
  ]);
  expect(
    ['/x/a.b', '/x/f(7)', '/x/mine/', '/x/%C3%A9'].map((path) => find(router, `GET ${path}`)),
  ).toEqual(['/x/{a}.{b} a b', '/x/f({id}) 7', '/x/mine/', '/x/{id} %C3%A9']);
});

test('a path with the method wins over one without', async () => {
  const router = await routerOf('GET /x/{id}', 'PUT /x/mine', 'DELETE /x/{name}');
  expect(
    ['GET /x/mine', 'PUT /x/mine', 'DELETE /x/mine', 'PATCH /x/mine'].map((request) =>
      find(router, request),
    ),
  ).toEqual(['/x/{id} mine', '/x/mine', '/x/{name} mine', 'none']);
});

test('a query in a path distinguishes paths, a fragment does not', async () => {
  const router = await routerOf(
    'GET /a',
    'GET /a?x=1',
    'GET /a?x={x}',
    'POST /a#b',
    'PUT /b/{id}#c',
  );
  expect(
    ['GET /a', 'GET /a?y=1', 'GET /a?y=2&x=1', 'GET /a?x=2', 'POST /a', 'PUT /b/1'].map((request) =>
      find(router, request),
    ),
  ).toEqual(['/a', '/a', '/a?x=1', '/a?x={x} 2', '/a#b', '/b/{id} 1']);
});

test('literal text wins over a parameter among many paths of all lengths', async () => {
  const shorter = Array.from(
    { length: 40 },
    (_, index) => `GET /{a}/b${index % 2 ? '' : '/{c}'}/${index}`,
  );
  const router = await routerOf(
    'GET /{a}/b/c/{d}',
    ...shorter,
    'GET /{a}',
    'GET /{a}/b/c',
    ...shorter.map((operation) => `${operation}/x`),
    'GET /{a}/b/c/text',
  );
  expect(router.find('GET', '/1/b/c/text').endpoint.path).toBe('/{a}/b/c/text');
});

test('of operations that match the same requests, the one whose parameters fit answers', async () => {
  const paths = {
    '/notes/{name}': { get: operationOf('byName', 'name', { type: 'string' }) },
    '/notes/{number}': { get: operationOf('byNumber', 'number', { type: 'integer' }) },
    '/notes/{id}': {
      get: operationOf('byId', 'id', { type: 'string', pattern: '^id-' }),
      delete: operationOf('remove', 'id', { type: 'string' }),
    },
  };
  const contract = await loadContract({
    text: JSON.stringify({ openapi: '3.1.0', info: { title: 'Notes', version: '1' }, paths }),
  });
  expect(contract.diagnostics.map(({ level, pointer }) => `${level} ${pointer}`)).toEqual([
    'warning #/paths/~1notes~1{number}/get',
    'warning #/paths/~1notes~1{id}/get',
  ]);
  const choices = new Choices(contract, {});
  const router = compileRouters(choices, () => () => success(204, ''))(0);
  const found = ['GET /notes/7', 'GET /notes/id-7', 'GET /notes/seven', 'DELETE /notes/7'].map(
    (request) => {
      const [method = '', target = ''] = request.split(' ');
      return router.find(method, target).endpoint.operation?.id;
    },
  );
  expect(found).toEqual(['byNumber', 'byId', 'byName', 'remove']);
});

test('an example selects an operation, unless a constant header or query does', async () => {
  const named = operationOf('named', 'name', { type: 'string', default: 'rex', example: 'fido' });
  const tagged = operationOf('tagged', 'tag', { type: 'string' });
  const acl = { name: 'acl', in: 'query', required: true, schema: { enum: ['1'] } };
  const withAcl = { ...tagged, operationId: 'acl', parameters: [...tagged.parameters, acl] };
  const paths = {
    '/pets/{name}': { get: named },
    '/pets/{tag}': { get: tagged },
    '/pets/{tag}#acl': { get: withAcl },
  };
  const contract = await loadContract({
    text: JSON.stringify({ openapi: '3.0.3', info: { title: 'Pets', version: '1' }, paths }),
  });
  const router = compileRouters(new Choices(contract, {}), () => () => success(204, ''))(0);
  const found = ['/pets/fido', '/pets/fido?acl=1', '/pets/undefined'].map(
    (target) => router.find('GET', target).endpoint.operation?.id,
  );
  expect(found).toEqual(['named', 'acl', 'named']);
});

function operationOf(operationId: string, name: string, schema: object) {
  return {
    operationId,
    parameters: [{ name, in: 'path', required: true, schema }],
    responses: { 204: { description: 'Done.' } },
  };
}
