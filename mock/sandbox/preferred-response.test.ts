import { describe, expect, test } from 'vitest';
import { loadContract } from '../../contract/load.ts';
import { renderJson } from '../../contract/json/value.ts';
import { createMock } from '../index.ts';

const text = renderJson({
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  paths: {
    '/text': {
      get: {
        responses: {
          200: {
            description: 'OK.',
            content: {
              'text/plain': { examples: { usual: { value: 'hi' }, other: { value: 'bye' } } },
            },
          },
          default: {
            description: 'Error.',
            content: {
              'application/json': { schema: { properties: { error: { type: 'string' } } } },
            },
          },
        },
      },
    },
    '/numbers': {
      post: {
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { required: ['a'], properties: { a: { type: 'integer' } } },
            },
          },
        },
        responses: {
          200: {
            description: 'OK.',
            content: {
              'application/json': {
                schema: { required: ['n'], properties: { n: { type: 'integer', maximum: 1e6 } } },
                example: { n: 0 },
              },
            },
          },
          422: {
            description: 'Invalid.',
            content: {
              'application/json': {
                examples: { one: { value: { e: 1 } }, two: { value: { e: 2 } } },
              },
            },
          },
        },
      },
    },
  },
});

const open = async () => {
  const mock = createMock(await loadContract({ text }));
  return async (path: string, prefer: string | undefined, json?: unknown) => {
    const response = await mock.fetch(`http://mock${path}`, {
      method: json === undefined ? 'GET' : 'POST',
      headers: {
        ...(prefer === undefined ? {} : { prefer }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    return [response.status, await response.text()] as const;
  };
};

describe('a preference', () => {
  test('returns a text unquoted, not as JSON', async () => {
    expect(await (await open())('/text', 'example=other')).toEqual([200, 'bye']);
  });

  test('may be a status documented only by default', async () => {
    const [status, body] = await (await open())('/text', 'code=503');
    expect([status, JSON.parse(body)]).toEqual([503, { error: expect.any(String) }]);
  });

  test('applies to valid requests, and selects the example of an error', async () => {
    const send = await open();
    expect((await send('/numbers', 'code=200', {}))[0]).toBe(422);
    expect(await send('/numbers', 'code=422, example=two', {})).toEqual([422, '{"e":2}']);
    expect(await send('/numbers', 'code=422, example=two', { a: 1 })).toEqual([422, '{"e":2}']);
  });

  test('for an example that the preferred status does not have leaves the status', async () => {
    const send = await open();
    expect(await send('/numbers', 'code=422, example=three', { a: 1 })).toEqual([422, '{"e":1}']);
    expect(await send('/text', 'example=other, dynamic=true')).toEqual([200, 'bye']);
  });

  test('for an error shows the text that the schema gives as an example', async () => {
    const schema = '{type: object, properties: {message: {type: string, example: Gone fishing}}}';
    const responses = `{'200': {description: o}, default: {description: e, content: {application/json: {schema: ${schema}}}}}`;
    const contract = await loadContract({
      text: `{openapi: 3.1.0, info: {title: T, version: '1'}, paths: {/a: {get: {responses: ${responses}}}}}`,
    });
    const response = await createMock(contract).fetch('http://mock/a', {
      headers: { prefer: 'code=503' },
    });
    expect([response.status, await response.json()]).toEqual([503, { message: 'Gone fishing' }]);
  });

  test('may be in the query too; the header takes precedence', async () => {
    const send = await open();
    expect(await send('/text?__example=other', undefined)).toEqual([200, 'bye']);
    expect((await send('/text?__code=503', undefined))[0]).toBe(503);
    expect((await send('/text?__code=503', 'code=404'))[0]).toBe(404);
  });

  test.for([
    ['dynamic=true', ''],
    [undefined, '?__dynamic=true'],
  ] as const)('for dynamic returns a new sample each time: %s %s', async ([prefer, query]) => {
    const send = await open();
    const bodies = [];
    for (let count = 0; count < 3; count += 1)
      bodies.push((await send(`/numbers${query}`, prefer, { a: 1 }))[1]);
    expect(new Set(bodies).size).toBeGreaterThan(1);
    expect((await send('/numbers', undefined, { a: 1 }))[1]).toContain('"n":0');
  });
});
