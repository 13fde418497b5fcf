import { expect, test } from 'vitest';
import type { ExchangeDetail, Mock } from '../../mock/control/client.ts';
import { rebuildRequest } from './rebuild-request.ts';

const mock: Pick<Mock, 'url' | 'operations'> = {
  url: 'http://127.0.0.1:4010/v1',
  operations: [
    {
      id: 'addPet',
      method: 'POST',
      path: '/pets',
      summary: '',
      pointer: '#/paths',
      deprecated: false,
      credentials: [{ in: 'header', name: 'Authorization', value: 'Bearer {key}' }],
    },
  ],
};
const keys = [
  { key: 'free_a', plan: 'Free' },
  { key: 'pro_a', plan: 'Pro' },
];

function detail(
  exchange: Partial<ExchangeDetail['exchange']>,
  request: Partial<ExchangeDetail['request']> = {},
): ExchangeDetail {
  return {
    exchange: {
      index: 0,
      at: '',
      method: 'POST',
      target: '/v1/pets?a=1',
      operation: 'addPet',
      credential: 'valid',
      plan: 'Pro',
      keyElsewhere: false,
      status: 201,
      sandbox: 'a',
      milliseconds: 1,
      ...exchange,
    },
    request: {
      headers: [
        { name: 'host', value: '127.0.0.1:4010' },
        { name: 'authorization', value: 'Bearer [key]' },
        { name: 'accept', value: '*/*' },
        { name: 'sec-fetch-mode', value: 'cors' },
        { name: 'x-trace', value: '7' },
      ],
      body: '{}',
      bodyLength: 2,
      ...request,
    },
    response: { headers: [] },
  };
}

test('a request has the key of its plan, and no headers that each client sets itself', () => {
  expect(rebuildRequest(detail({}), mock, keys)).toEqual({
    kind: 'request',
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:4010/v1/pets?a=1',
      headers: [
        ['Authorization', 'Bearer pro_a'],
        ['x-trace', '7'],
      ],
      body: '{}',
    },
  });
});

test('a request without a valid key stays without one', () => {
  const rebuilt = rebuildRequest(detail({ credential: 'invalid' }), mock, keys);
  expect(rebuilt).toMatchObject({
    request: {
      headers: [
        ['authorization', 'Bearer [key]'],
        ['x-trace', '7'],
      ],
    },
  });
});

test.for([
  [{ target: 'http://h/' }, {}, 'not a path'],
  [{ target: `/${'x'.repeat(1002)}` }, {}, '1,000 characters'],
  [{}, { bodyLength: 5000 }, '4,096 bytes'],
  [{}, { bodyLength: undefined }, 'not read'],
  [{}, { body: '\uFFFD', bodyLength: 1 }, 'binary data'],
  [{}, { body: '\0', bodyLength: 1 }, 'binary data'],
  [{ keyElsewhere: true }, { body: '[key]', bodyLength: 9 }, 'removes keys'],
] as const)('%j with %j cannot be sent again, with the reason', ([exchange, request, reason]) => {
  const { bodyLength, ...others } = { bodyLength: 2, ...request };
  const one = detail(exchange, others);
  const { bodyLength: _, ...without } = one.request;
  const changed = bodyLength === undefined ? without : { ...without, bodyLength };
  expect(rebuildRequest({ ...one, request: changed }, mock, keys)).toEqual({
    kind: 'lost',
    reason: expect.stringContaining(reason),
  });
});
