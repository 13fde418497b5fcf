import { expect, test } from 'vitest';
import { loadSample } from '../../test/contract/sample.ts';
import { readTemplate, tagBody } from './template.ts';

test('a body names its item by the tag, wherever the name is, as the schema spells names', async () => {
  const name = { type: 'string', pattern: '^[a-z0-9]+$' };
  const app = {
    type: 'object',
    required: ['metadata'],
    properties: { metadata: { type: 'object', properties: { name, size: { type: 'integer' } } } },
  };
  const $ref = '#/components/schemas/App';
  const content = { 'application/json': { schema: { $ref } } };
  const list = { 'application/json': { schema: { type: 'array', items: { $ref } } } };
  const contract = await loadSample({
    paths: {
      '/apps': {
        get: { responses: { 200: { description: 'All', content: list } } },
        post: {
          requestBody: { content },
          responses: { 201: { description: 'Made', content } },
        },
      },
      '/apps/{name}': {
        parameters: [{ name: 'name', in: 'path', required: true, schema: name }],
        get: { responses: { 200: { description: 'One', content } } },
      },
    },
    components: { schemas: { App: app } },
  });
  const [create] = contract.resources.flatMap((resource) => resource.create ?? []);
  const template = create && readTemplate(contract, create);
  const body = { metadata: { name: 'taken', size: 3 } };
  expect(template && tagBody(template, body, 'Pab1')).toEqual({
    metadata: { name: 'pab1', size: 3 },
  });
});
