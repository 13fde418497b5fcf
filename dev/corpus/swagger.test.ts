import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { Client } from './client.ts';

const file = fileURLToPath(
  new URL('../../fixtures/documents/troubles/swagger-2.yaml', import.meta.url),
);

test('Swagger 2.0 becomes requests of OpenAPI 3', async () => {
  const client = await Client.open(file, '');
  const requests = client.operations.map((operation) =>
    client.requests.build(operation, new Map([['/plants', 12]]), { optional: true }),
  );
  const lines = requests.map(({ method, path, query, headers, body }) =>
    [method, path + query, headers['content-type']?.split(';')[0], body?.split('\r\n')[1]]
      .filter((part) => part !== undefined)
      .join(' '),
  );
  expect(lines).toEqual([
    'GET /plants?limit=1&colours=string',
    'POST /plants application/json',
    'GET /plants/12',
    'DELETE /plants/12',
    'POST /photos multipart/form-data Content-Disposition: form-data; name="file"; filename="file.txt"',
  ]);
  expect(requests.map(({ doubts }) => doubts)).toEqual([[], [], [], [], []]);
  expect(requests[3]?.headers['authorization']).toMatch(/^basic /);
  expect(requests[0]?.headers['x-greenhouse-key']).toBe('demo');
});
