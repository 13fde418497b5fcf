import type { JsonObject } from '../../contract/json/value.ts';
import { expect, test } from 'vitest';
import { judgeLog, list, type Case } from '../../test/conformance/log.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';
import { loadSample } from '../../test/contract/sample.ts';

const of = (status: number, name: string): string => `listPets/response.${status}.header.${name}`;
const limit = of(200, 'X-RateLimit-Limit');

const cases: readonly Case[] = [
  [
    'the headers are there, in their form',
    [list([])],
    {
      [limit]: 'passed',
      [of(200, 'X-RateLimit-Remaining')]: 'passed',
      [of(200, 'X-RateLimit-Reset')]: 'passed',
      [of(401, 'X-RateLimit-Limit')]: 'not-tested',
    },
  ],
  [
    'the case of a header name does not matter',
    [list([], { headers: { 'X-RateLimit-Limit': undefined, 'x-ratelimit-limit': '1000' } })],
    { [limit]: 'passed' },
  ],
  [
    'a header is missing',
    [list([], { headers: { 'X-RateLimit-Limit': undefined } })],
    { [limit]: 'failed' },
  ],
  [
    'a header is empty',
    [list([], { headers: { 'X-RateLimit-Limit': '' } })],
    { [limit]: 'failed' },
  ],
  [
    'a header is not a number',
    [list([], { headers: { 'X-RateLimit-Limit': 'many' } })],
    { [limit]: 'failed' },
  ],
  [
    'a number is below its minimum',
    [list([], { headers: { 'X-RateLimit-Limit': '-1' } })],
    { [limit]: 'failed' },
  ],
  [
    'a number is a fraction where it has to be whole',
    [list([], { headers: { 'X-RateLimit-Limit': '1.5' } })],
    { [limit]: 'failed' },
  ],
  [
    'a 429 is judged by its headers too',
    [list('', { status: 429 })],
    { [of(429, 'Retry-After')]: 'failed', [of(429, 'X-RateLimit-Limit')]: 'passed' },
  ],
  [
    'a header whose schema is a string takes digits',
    [list('', { status: 429, headers: { 'Retry-After': '30' } })],
    { [of(429, 'Retry-After')]: 'passed' },
  ],
  [
    'the headers of a status that is not listed are the business of the rate limit',
    [list(undefined, { status: 418, headers: { 'X-RateLimit-Limit': undefined } })],
    { '*/rate-limit.headers': 'failed', 'listPets/status.200': 'failed', [limit]: 'not-tested' },
  ],
];

test.for(cases)('%s', ([, log, expected]) => {
  expect(judgeLog(contract, log, Object.keys(expected))).toEqual(expected);
});

test('an optional header is judged if it is there', async () => {
  const headers = {
    'X-Total': { schema: { type: 'integer', minimum: 0 } },
    'X-Note': { schema: { type: 'string' } },
  };
  const own = await loadSample({
    paths: {
      '/pets': {
        get: { operationId: 'listPets', responses: { 200: { description: 'ok', headers } } },
      },
    },
  });
  const verdict = (text: string | undefined) =>
    judgeLog(
      own,
      [list(undefined, { headers: { 'X-Total': text, 'X-Note': '' } })],
      [of(200, 'X-Total'), of(200, 'X-Note')],
    );
  expect(verdict('12')).toEqual({ [of(200, 'X-Total')]: 'passed', [of(200, 'X-Note')]: undefined });
  expect(verdict('12x')[of(200, 'X-Total')]).toBe('failed');
  expect(verdict(undefined)[of(200, 'X-Total')]).toBe('not-tested');
});

const readings: readonly (readonly [
  name: string,
  schema: JsonObject,
  valid: string,
  wrong: string,
])[] = [
  ['X-Version', { enum: [1, 2] }, '2', '3'],
  ['X-Flag', { anyOf: [{ type: 'integer' }, { type: 'boolean' }] }, 'true', 'yes'],
  ['X-Meta', { type: 'object', required: ['a'] }, '{"a":1}', '{"b":1}'],
  ['X-Meta', { type: 'object', required: ['a'] }, 'a=1', 'b=1'],
  ['Last-Modified', { type: 'string', format: 'date-time' }, 'Sun, 06 Nov 1994 08:49:37 GMT', '-1'],
  ['Location', { type: 'string', format: 'uri' }, '/v1/pets/7', 'http://['],
  ['Location', { type: 'string', format: 'uri' }, 'https://example.com/v1/pets/7', 'https://[/7'],
];

test.for(readings)('%s %j accepts %s, not %s', async ([name, schema, valid, wrong]) => {
  const headers = { [name]: { schema } };
  const responses = { 200: { description: 'ok', headers } };
  const own = await loadSample({
    paths: { '/pets': { get: { operationId: 'listPets', responses } } },
  });
  const verdict = (text: string) =>
    judgeLog(own, [list(undefined, { headers: { [name]: text } })], [of(200, name)]);
  expect(verdict(valid)).toEqual({ [of(200, name)]: 'passed' });
  expect(verdict(wrong)).toEqual({ [of(200, name)]: 'failed' });
});
