import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readDocument } from './document.ts';

test('a document of Swagger 2.0 is read as OpenAPI 3.0, with bodies that are references', async () => {
  const schema = { type: 'object' };
  const swagger = {
    swagger: '2.0',
    parameters: { Pet: { in: 'body', name: 'pet', required: true, schema } },
    paths: {
      '/pets': {
        post: {
          parameters: [
            { $ref: '#/parameters/Pet' },
            { in: 'query', name: 'tags', type: 'array', collectionFormat: 'pipes' },
          ],
          responses: { 200: { description: 'It was created.', schema } },
        },
      },
    },
  };
  const folder = await mkdtemp(join(tmpdir(), 'corpus-'));
  try {
    const file = join(folder, 'swagger.json');
    await writeFile(file, JSON.stringify(swagger));
    const document = await readDocument(file);
    const [post] = document.listOperations();
    expect(document.dialect).toBe('3.0');
    expect(post?.body?.node).toEqual({
      required: true,
      content: { 'application/json': { schema } },
    });
    expect(post?.parameters.map(({ node }) => node)).toEqual([
      {
        in: 'query',
        name: 'tags',
        style: 'pipeDelimited',
        explode: false,
        schema: { type: 'array' },
      },
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
