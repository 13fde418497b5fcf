import { expect, test } from 'vitest';
import { loadContract } from '../../../contract/load.ts';
import { renderJson } from '../../../contract/json/value.ts';
import { createMock } from '../../index.ts';

const open = async (headers: Record<string, unknown> = {}) =>
  createMock(
    await loadContract({
      text: renderJson({
        openapi: '3.1.0',
        info: { title: 'Pages', version: '1' },
        paths: {
          '/page': {
            get: {
              responses: {
                200: {
                  description: 'A page.',
                  headers: JSON.parse(JSON.stringify(headers)),
                  content: { 'text/html': { example: '<script>run()</script>' } },
                },
              },
            },
          },
        },
      }),
    }),
  );

test.for([
  ['GET', '/page', 200],
  ['GET', '/none', 404],
  ['PATCH', '/page', 405],
  ['OPTIONS', '/page', 204],
] as const)('a browser gives %s %s an opaque origin', async ([method, path, status]) => {
  const response = await (await open()).fetch(`http://mock${path}`, { method });
  expect(response.status).toBe(status);
  expect(response.headers.get('content-security-policy')).toBe('sandbox');
});

test('a policy of the document applies as well', async () => {
  const schema = { type: 'string', enum: ["default-src 'none'"] };
  const mock = await open({ 'content-security-policy': { required: true, schema } });
  const { headers } = await mock.fetch('http://mock/page');
  expect(headers.get('content-security-policy')).toBe("sandbox, default-src 'none'");
});
