import { expect, test } from 'vitest';
import { loadContract } from '../../../contract/load.ts';
import { listCredentials } from './banner.ts';

test('shows a key for each required scheme, once', async () => {
  const operation = { responses: { 204: { description: 'Done.' } } };
  const contract = await loadContract({
    text: JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Guarded', version: '1' },
      security: [{ header: [], query: [] }, { password: [] }],
      paths: {
        '/x': { get: operation, put: { ...operation, security: [{ cookie: [] }, { header: [] }] } },
      },
      components: {
        securitySchemes: {
          header: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
          query: { type: 'apiKey', in: 'query', name: 'api_key' },
          cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
          password: { type: 'http', scheme: 'basic' },
        },
      },
    }),
  });
  expect(listCredentials(contract, 'demo')).toEqual([
    'Authorization: Basic ZGVtbzpkZW1v',
    'X-Api-Key: demo',
    '?api_key=demo',
    'Cookie: session=demo',
  ]);
});
