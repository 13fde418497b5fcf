import { expect, test } from 'vitest';
import { loadSample } from '../../test/contract/sample.ts';

const responses = { 200: { description: 'Taken.' } };
const requestBody = {
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Event' } } },
};

test('webhooks and callbacks are listed with unique names', async () => {
  const { webhooks } = await loadSample({
    webhooks: { changed: { post: { summary: 'A change', requestBody, responses } } },
    paths: {
      '/subscriptions': {
        post: {
          operationId: 'subscribe',
          responses,
          callbacks: {
            changed: {
              '{$request.body#/url}': { post: { responses }, put: { responses } },
              'x-note': { post: 'is not a path item' },
            },
            ended: { $ref: '#/components/callbacks/ended' },
          },
        },
      },
    },
    components: {
      schemas: { Event: { type: 'object' } },
      callbacks: { ended: { '{$request.query.url}': { summary: 'An end', get: { responses } } } },
    },
  });
  expect(
    webhooks.map(({ name, method, summary, pointer, callback }) => [
      name,
      method,
      summary,
      pointer,
      callback?.operation,
      callback?.expression,
    ]),
  ).toEqual([
    ['changed', 'POST', 'A change', '#/webhooks/changed/post', undefined, undefined],
    [
      'changed-2',
      'POST',
      '',
      '#/paths/~1subscriptions/post/callbacks/changed/{$request.body#~1url}/post',
      'subscribe',
      '{$request.body#/url}',
    ],
    [
      'changed-3',
      'PUT',
      '',
      '#/paths/~1subscriptions/post/callbacks/changed/{$request.body#~1url}/put',
      'subscribe',
      '{$request.body#/url}',
    ],
    [
      'ended',
      'GET',
      'An end',
      '#/components/callbacks/ended/{$request.query.url}/get',
      'subscribe',
      '{$request.query.url}',
    ],
  ]);
  expect(webhooks[0]?.requestBody?.content[0]?.schema?.pointer).toBe('#/components/schemas/Event');
});

test('a document without any has none', async () => {
  expect((await loadSample({})).webhooks).toEqual([]);
});
