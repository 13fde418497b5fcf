import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { loadContract as loadOnNode } from '../load.ts';
import { loadContract } from './load.ts';

const file = `${import.meta.dirname}/../../openapi.yaml`;

test('a contract loaded from text equals that of the file, with digest and requirements', async () => {
  const [there, here] = await Promise.all([
    loadOnNode({ file }),
    loadContract({ text: await readFile(file, 'utf8'), name: 'openapi.yaml' }),
  ]);
  expect(JSON.stringify({ ...here, document: undefined })).toBe(
    JSON.stringify({ ...there, document: undefined }),
  );
  const [schema] = here.resources.map(({ item }) => item);
  expect(schema?.validate({ id: 1, name: 'Rex', categoryId: 9007199254740993n })).toEqual([]);
  expect(schema?.validate({ id: 1 })).not.toEqual([]);
});

test.each([
  ['swagger: "1.2"', 'Swagger.yaml'],
  [
    'openapi: 3.1.0\npaths:\n  /a: { $ref: "b.yaml#/a" }',
    'Swagger.yaml#/paths/~1a/$ref: line 3, column 9: b.yaml#/a does not exist',
  ],
  ['openapi: 3.1.0\npaths:\n  /a: { $ref: "#/nowhere" }', 'does not exist'],
  ['openapi: [', 'Swagger.yaml: line 1, column 11: Flow sequence'],
])('%j is refused', async (text, reason) => {
  await expect(loadContract({ text, name: 'Swagger.yaml' })).rejects.toThrow(reason);
});

test('rejects a file: a browser has none', async () => {
  await expect(loadContract({ file: 'openapi.yaml' })).rejects.toThrow(
    'openapi.yaml: a browser has no files',
  );
});
