import { listRequirements } from '../conformance/index.ts';
import { globSync } from 'node:fs';
import { createServer } from 'node:http';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadContract } from './load.ts';
import { fixtureFile, refusalOf, sampleText } from '../test/contract/sample.ts';
import type { Contract } from './contract.ts';

const openapi = `${import.meta.dirname}/../openapi.yaml`;

function outline(contract: Contract) {
  return contract.resources.map((resource) => ({
    collection: resource.collectionPath,
    item: resource.itemPath,
    schema: resource.item.pointer,
    id: [resource.idPlace.join('.'), resource.idParameter?.name],
    operations: [
      resource.list,
      resource.create,
      resource.get,
      resource.replace,
      resource.update,
      resource.remove,
    ].map((operation) => operation?.id),
    filters: resource.filters.map(({ parameter, property }) => [parameter.name, property]),
    limit: resource.limit && [
      resource.limit.parameter.name,
      resource.limit.minimum,
      resource.limit.maximum,
      resource.limit.default,
    ],
  }));
}

test('the Petstore loads without a warning', async () => {
  const contract = await loadContract({ file: openapi });
  expect(contract).toMatchObject({
    title: 'Petstore',
    version: '1.0.0',
    source: 'openapi.yaml',
    basePath: '/v1',
    diagnostics: [],
  });
  expect(contract.digest).toMatch(/^[0-9a-f]{64}$/);
  expect(contract.operations.map(({ id, method, path }) => `${id} ${method} ${path}`)).toEqual([
    'listPets GET /pets',
    'createPet POST /pets',
    'getPet GET /pets/{petId}',
  ]);
  expect(contract.operations.map(({ credential }) => credential)).toEqual(
    contract.operations.map(() => ({
      kind: 'bearer',
      pointer: '#/components/securitySchemes/bearer',
    })),
  );
  expect(contract.operations.map(({ deprecation }) => deprecation)).toEqual([
    undefined,
    undefined,
    { sunset: '2030-12-05', since: undefined, successor: 'listPets' },
  ]);
  expect(listRequirements(contract).length).toBeGreaterThan(0);
});

test('the Petstore has one resource', async () => {
  expect(outline(await loadContract({ file: openapi }))).toEqual([
    {
      collection: '/pets',
      item: '/pets/{petId}',
      schema: '#/components/schemas/Pet',
      id: ['id', 'petId'],
      operations: ['listPets', 'createPet', 'getPet', undefined, undefined, undefined],
      filters: [['status', 'status']],
      limit: ['limit', 1, 100, 20],
    },
  ]);
});

test('the Petstore has its errors, limits and open questions', async () => {
  const contract = await loadContract({ file: openapi });
  expect(contract.error?.schema.pointer).toBe('#/components/schemas/Error');
  expect(contract.error?.members).toEqual([
    { name: 'code', role: 'code' },
    { name: 'message', role: 'message' },
    { name: 'status', role: 'status' },
  ]);
  expect(contract.rateLimit?.windows).toEqual([
    { name: 'minute', seconds: 60 },
    { name: 'day', seconds: 86_400 },
  ]);
  expect(
    contract.rateLimit?.plans.map(({ name, limits }) => [
      name,
      limits && Object.fromEntries(limits),
    ]),
  ).toEqual([
    ['Free', { minute: 60, day: 1000 }],
    ['Pro', { minute: 300, day: 10_000 }],
    ['Business', { minute: 1000, day: 100_000 }],
    ['Enterprise', undefined],
  ]);
  expect(contract.rateLimit).toMatchObject({
    status: 429,
    bans: true,
    headers: { limit: 'X-RateLimit-Limit', retryAfter: 'Retry-After' },
  });
  expect(contract.openQuestions).toHaveLength(30);
  expect(contract.openQuestions.find(({ id }) => id === 'store-operations')?.details).toEqual({
    paths: ['/store/orders'],
  });
});

test('the responses of the Petstore are read through their references', async () => {
  const { operations } = await loadContract({ file: openapi });
  const [list, create, get] = operations;
  expect(list?.responses.map(({ status, pointer }) => [status, pointer])).toEqual([
    ['200', '#/paths/~1pets/get/responses/200'],
    ['401', '#/components/responses/Unauthorized'],
    ['429', '#/components/responses/TooManyRequests'],
  ]);
  expect(
    list?.responses[0]?.headers.map(({ name, required, pointer }) => [name, required, pointer])[0],
  ).toEqual(['X-RateLimit-Limit', true, '#/components/headers/RateLimitLimit']);
  expect(list?.responses[0]?.content[0]?.examples.map(({ name }) => name)).toEqual(['two', 'none']);
  expect(create?.requestBody?.content[0]?.schema?.pointer).toBe('#/components/schemas/NewPet');
  expect(create?.requestBody?.content[0]?.examples.map(({ value }) => value)).toEqual([
    { name: 'Rex', categoryId: 1 },
    { name: 'Rex', categoryId: 1, status: 'available' },
  ]);
  expect(get?.parameters.map(({ name, in: place, required }) => [name, place, required])).toEqual([
    ['petId', 'path', true],
  ]);
  expect(list?.parameters[0]?.examples.map(({ value }) => value)).toEqual([5]);
});

test('a second document loads by the same rules', async () => {
  const contract = await loadContract({ file: fixtureFile('books.yaml') });
  expect(contract).toMatchObject({ basePath: '/api/v2', diagnostics: [], openQuestions: [] });
  expect(contract.operations[0]?.credential).toEqual({
    kind: 'api-key',
    in: 'header',
    name: 'X-Api-Key',
    pointer: '#/components/securitySchemes/apiKey',
  });
  expect(outline(contract)).toEqual([
    {
      collection: '/books',
      item: '/books/{bookNumber}',
      schema: '#/components/schemas/Book',
      id: ['bookNumber', 'bookNumber'],
      operations: ['listBooks', 'addBook', 'readBook', 'replaceBook', 'changeBook', 'removeBook'],
      filters: [
        ['language', 'language'],
        ['lendable', 'lendable'],
      ],
      limit: ['pageSize', 1, 50, 10],
    },
  ]);
  expect(contract.error?.members.map(({ name, role }) => [name, role])).toEqual([
    ['statusCode', 'status'],
    ['error', 'code'],
    ['detail', 'message'],
  ]);
  expect(contract.rateLimit?.windows.map(({ name }) => name)).toEqual(['burst', 'hour']);
  expect(contract.rateLimit).toMatchObject({
    bans: false,
    headers: { remaining: 'RateLimit-Remaining', retryAfter: 'Retry-After' },
  });
});

test('JSON gives the same contract as YAML', async () => {
  const fromYaml = await loadContract({ file: openapi });
  const fromJson = await loadContract({
    text: JSON.stringify(fromYaml.document),
    name: 'openapi.json',
  });
  expect(fromJson.document).toEqual(fromYaml.document);
  expect(outline(fromJson)).toEqual(outline(fromYaml));
  expect(fromJson.digest).not.toBe(fromYaml.digest);
});

test('a document of several files is bundled, keeping the place of each definition', async () => {
  const contract = await loadContract({ file: fixtureFile('folder/openapi.yaml') });
  expect(outline(contract)).toMatchObject([
    {
      schema: '#/x-files/schemas~1pen.json',
      id: ['id', 'penId'],
      operations: ['listPens', 'addPen', 'getPen', undefined, undefined, undefined],
    },
  ]);
  expect(contract.operations[2]?.responses.map(({ pointer }) => pointer)).toEqual([
    '#/x-files/paths~1pens.yaml/item/get/responses/200',
    '#/components/responses/Gone',
  ]);
  const ink = contract.operations[1]?.requestBody?.content[0]?.schema;
  expect(ink?.validate({ ink: 'red' })).toHaveLength(1);
  expect(ink?.validate({ ink: 'blue' })).toEqual([]);
  expect(contract.resources[0]?.item.validate({ id: 9007199254740993n, ink: 'blue' })).toEqual([]);
  expect(contract.resources[0]?.item.validate({ id: 9007199254740994n, ink: 'blue' })).toHaveLength(
    1,
  );
});

test('a reference to the network is refused, and no request is sent', async () => {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.end('{"type":"string"}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  expect(port).toBeGreaterThan(0);
  const schema = { $ref: `http://127.0.0.1:${port}/schema.json` };
  const text = sampleText({
    components: { schemas: { Far: schema, Near: { type: 'object', examples: [schema] } } },
  });
  for (const options of [{}, { folder: fixtureFile('.') }, { validate: false }]) {
    expect(await refusalOf({ text }, options)).toEqual([
      `#/components/schemas/Far/$ref: refused: ${schema.$ref} is not a file of this document; nothing is fetched`,
    ]);
  }
  expect(requests).toBe(0);
});

test.each([
  '//host/x.yaml',
  'https://host/x.yaml',
  'file:///etc/hostname',
  'ftp://host/x',
  'C:\\x.yaml',
])('a reference to %s is refused', async (reference) => {
  const text = sampleText({ components: { schemas: { Far: { $ref: reference } } } });
  expect(await refusalOf({ text }, { folder: fixtureFile('.') })).toEqual([
    expect.stringContaining('refused'),
  ]);
});

test('data that looks like a reference is data', async () => {
  const text = sampleText({
    paths: {
      '/x': {
        get: {
          responses: {
            200: {
              description: 'ok',
              content: {
                'application/json': {
                  examples: { a: { value: { $ref: 'http://nowhere.example/' } } },
                },
              },
            },
          },
        },
      },
    },
    components: {
      schemas: {
        Property: {
          type: 'object',
          properties: { $ref: { type: 'string' } },
          default: { $ref: '#/nowhere' },
          const: { $ref: '#/nowhere' },
        },
      },
    },
    'x-anything': { $ref: '#/nowhere' },
  });
  expect(await refusalOf({ text })).toEqual([]);
});

test('a reference out of the folder is rejected, also through a symbolic link', async () => {
  expect(await refusalOf({ file: fixtureFile('odd/outside-reference.yaml') })).toEqual([
    '#/paths/~1things/get/responses/200/content/application~1json/schema/$ref: refused: ../books.yaml is outside the folder of the document',
  ]);
  expect(
    await refusalOf(
      { file: fixtureFile('odd/outside-reference.yaml') },
      { folder: fixtureFile('.') },
    ),
  ).toEqual([]);
  const folder = await mkdtemp(join(tmpdir(), 'contract-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await symlink(fixtureFile('books.yaml'), join(folder, 'link.yaml'));
  const references = [
    'link.yaml',
    '/etc/hostname',
    '..',
    'missing.yaml',
    '.',
    'a%00b',
    '../none.yaml',
  ];
  const schemas = Object.fromEntries(
    references.map((reference, index) => [`S${index}`, { $ref: reference }]),
  );
  await writeFile(join(folder, 'openapi.json'), sampleText({ components: { schemas } }));
  expect(await refusalOf({ file: join(folder, 'openapi.json') })).toEqual([
    '#/components/schemas/S0/$ref: refused: link.yaml is outside the folder of the document',
    '#/components/schemas/S1/$ref: refused: /etc/hostname is outside the folder of the document',
    '#/components/schemas/S2/$ref: refused: .. is outside the folder of the document',
    '#/components/schemas/S3/$ref: there is no file missing.yaml',
    '#/components/schemas/S4/$ref: . is not a regular file',
    expect.stringContaining('S5/$ref: there is no file'),
    '#/components/schemas/S6/$ref: refused: ../none.yaml is outside the folder of the document',
  ]);
});

test('a document from text has no folder for references', async () => {
  const text = sampleText({
    components: { schemas: { Far: { $ref: 'books.yaml#/components/schemas/Book' } } },
  });
  expect(await refusalOf({ text })).toEqual([
    '#/components/schemas/Far/$ref: refused: a document given as text has no folder in which to look for books.yaml',
  ]);
  expect(await refusalOf({ text }, { folder: fixtureFile('.') })).toEqual([]);
});

test('the error has a line for each diagnostic: file, pointer, place, message', async () => {
  const expected =
    'network-reference.yaml#/paths/~1things/get/responses/200/content/application~1json/schema/$ref: line 11, column 25: refused: http://127.0.0.1:9/thing.json is not a file of this document; nothing is fetched';
  await expect(
    loadContract({ file: fixtureFile('odd/network-reference.yaml') }, { strict: true }),
  ).rejects.toMatchObject({ name: 'ContractError', message: expected });
  await expect(loadContract({ file: fixtureFile('odd/bomb.yaml') })).rejects.toMatchObject({
    message: 'bomb.yaml: the document has more than 1000000 values',
  });
});

test('broken references are reported with their pointers', async () => {
  expect(await refusalOf({ file: fixtureFile('odd/broken-reference.yaml') })).toEqual([
    '#/paths/~1things/get/responses/200/content/application~1json/schema/$ref: #/components/schemas/Thing leads back to itself, or to more than 20 others in a row',
    '#/paths/~1things/get/responses/401/$ref: #/components/responses/Nowhere does not exist',
    '#/components/schemas/Thing/$ref: #/components/schemas/Other leads back to itself, or to more than 20 others in a row',
  ]);
});

test('a file that is missing or not text is rejected', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'contract-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'latin.yaml'), Buffer.from([0x61, 0x3a, 0x20, 0xe9]));
  expect(await refusalOf({ file: join(folder, 'none.yaml') })).toEqual([
    '#: there is no such file',
  ]);
  expect(await refusalOf({ file: folder })).toEqual(['#: it is not a regular file']);
  expect(await refusalOf({ file: join(folder, 'latin.yaml') })).toEqual([
    '#: the file is not UTF-8',
  ]);
  expect(await refusalOf({ text: sampleText({}) }, { folder: join(folder, 'none') })).toEqual([
    expect.stringContaining('there is no folder'),
  ]);
});

test('strict mode accepts a document without lint findings', async () => {
  const folder = fixtureFile('.');
  const accepted: string[] = [];
  for (const name of globSync('**/*.{yaml,json}', { cwd: folder })) {
    const file = join(folder, name);
    const read = await loadContract({ file }, { validate: true }).catch(() => undefined);
    if (read?.diagnostics.length !== 0) continue;
    expect([name, await refusalOf({ file })]).toEqual([name, []]);
    accepted.push(name);
  }
  expect(accepted).toEqual(expect.arrayContaining(['books.yaml', 'troubles/swagger-2.yaml']));
});

test('strict mode checks OpenAPI 2.0 against its own schema', async () => {
  const text = "swagger: '2.0'\ninfo: { title: A }\npaths: { /a: { get: { responses: {} } } }";
  expect(await refusalOf({ text })).toEqual([
    '#/info: version is missing',
    '#/paths/~1a/get: the operation has no response',
  ]);
  const odd = "swagger: '2.0'\ninfo: { title: A, version: '1' }\nschemes: [ftp]\npaths: {}";
  expect((await loadContract({ text: odd })).diagnostics).toEqual([]);
  expect(await refusalOf({ text: odd })).toEqual([
    '#/schemes/0: must be one of http, https, ws, wss',
  ]);
});

test('strict mode accepts only known versions, and has no schema to check 3.2', async () => {
  expect(await refusalOf({ text: 'swagger: 1.2' })).toEqual([
    '#/swagger: 1.2 is not a supported version',
    '#: info is missing',
    '#: paths is missing',
  ]);
  const later = sampleText({ openapi: '3.2.0' });
  expect((await loadContract({ text: later }, { strict: true })).diagnostics).toMatchObject([
    { level: 'hint', pointer: '#/openapi', message: expect.stringContaining('no official schema') },
  ]);
  expect(await refusalOf({ text: sampleText({ openapi: 3.1 }) })).toEqual([
    '#/openapi: 3.1 is not a known version',
  ]);
  expect(await refusalOf({ text: 'title: none' })).toEqual([
    '#: not an OpenAPI document, because it has no `openapi` member',
  ]);
});

test.each([
  ['{\n', 'neither JSON nor YAML: Flow map must end with a }'],
  ['{"a": 1', 'neither JSON nor YAML: Flow map must end with a }'],
  ['[1]', 'the document is not an object'],
])('%j is not a document, and the reason is the first problem', async (text, reason) => {
  expect(await refusalOf({ text })).toEqual([expect.stringContaining(reason)]);
});

test('OpenAPI 3.0 is read in its own dialect', async () => {
  const contract = await loadContract({ file: fixtureFile('odd/openapi-3.0.yaml') });
  expect(contract).toMatchObject({ basePath: '/store', diagnostics: [] });
  expect(outline(contract)).toMatchObject([
    { id: ['id', undefined], limit: ['per_page', 1, 30, undefined] },
  ]);
  expect(contract.resources[0]?.item.validate({ id: 'a', text: null })).toEqual([]);
});

test('a recursive schema and operations without a resource load', async () => {
  const tree = await loadContract({ file: fixtureFile('odd/recursive-schema.yaml') });
  const schema = tree.operations[0]?.responses[0]?.content[0]?.schema;
  expect(schema?.validate({ name: 'root', children: [{ children: [] }] })).toMatchObject([
    { at: '/children/0/name', keyword: 'required' },
  ]);
  const loose = await loadContract({ file: fixtureFile('odd/no-resource.yaml') });
  expect(loose).toMatchObject({
    resources: [],
    error: undefined,
    rateLimit: undefined,
    diagnostics: [],
    basePath: '',
  });
  expect(loose.operations.map(({ id }) => id)).toEqual(['convert', 'getVersion', 'listWords']);
});

test('a document that passed before is not checked again', async () => {
  const file = fixtureFile('odd/broken-examples.yaml');
  expect((await loadContract({ file }, { validate: false })).operations).toHaveLength(1);
  const contract = await loadContract({ file: openapi }, { validate: false });
  expect(outline(contract)).toEqual(outline(await loadContract({ file: openapi })));
});
