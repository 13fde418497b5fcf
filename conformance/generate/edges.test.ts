import { expect, test } from 'vitest';
import { loadSample } from '../../test/contract/sample.ts';
import { limitEdges } from './edges.ts';

test.for([30, 78, 142, 254, 300])(
  'an e-mail address of %i characters has valid domain labels',
  async (maxLength) => {
    const schema = { type: 'string', format: 'email', maxLength };
    const contract = await loadSample({
      paths: {
        '/people': {
          post: {
            requestBody: { content: { 'application/json': { schema } } },
            responses: { 201: { description: 'Made' } },
          },
        },
      },
    });
    const node = contract.operations[0]?.requestBody?.content[0]?.schema;
    const [edge] = node === undefined ? [] : limitEdges(node);
    const text = typeof edge?.value === 'string' ? edge.value : '';
    expect(text.length).toBe(maxLength > 254 ? 0 : maxLength);
    const [, domain = 'a'] = text.split('@');
    expect(domain.split('.').filter((label) => !/^[a-z]{1,63}$/.test(label))).toEqual([]);
  },
);
