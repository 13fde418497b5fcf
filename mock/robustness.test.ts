import { expect, test } from 'vitest';
import type { Contract } from '../contract/contract.ts';
import { loadBooks, loadPetstore } from '../test/mock/contracts.ts';
import { createTestClient } from '../test/mock/test-client.ts';

/** Mulberry32: the same numbers in every run. */
const createRandom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const methods = [
  'GET',
  'GET',
  'POST',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'get',
  '',
];
const pieces = [
  '/',
  '//',
  '%2e',
  '..',
  '%00',
  '%',
  '%zz',
  '%ff',
  '%F0%9F%90%A2',
  '?',
  '&',
  '=',
  'limit',
  'pageSize',
  'status',
  '=sold',
  '=5',
  '=-1',
  '1',
  '2',
  '9223372036854775808',
  '{petId}',
  '__proto__',
  'constructor',
  '\u0000',
  'é',
  '🐢',
  ' ',
  '#',
  'a'.repeat(500),
];
const bodies = [
  '',
  '{',
  '{}',
  '[]',
  'null',
  '1e999',
  '-0',
  '"\\ud800"',
  '{"name":"x","categoryId":1}',
  '{"name":"x","categoryId":9223372036854775807,"status":"sold"}',
  '{"__proto__":null,"name":"","categoryId":-1}',
  '{"name":{"toString":1},"categoryId":[]}',
  '{"title":"x","language":"en","lendable":true,"price":1}',
  '{"title":null,"shelf":{"room":"A","row":1.0}}',
  '{"price":1e-400}',
  `${'['.repeat(900)}${']'.repeat(900)}`,
  `{"a":${'{"a":'.repeat(5000)}1${'}'.repeat(5001)}`,
  '{"name":1,"name":"x","categoryId":1}',
  '\uFEFF{}',
];
const HEADERS: readonly (readonly [string, readonly string[]])[] = [
  [
    'authorization',
    ['Bearer demo-business', 'Bearer', 'bearer  x y', '__proto__', 'Basic eDp5', '\u00E9'],
  ],
  ['x-api-key', ['demo-branch', '', 'toString']],
  [
    'content-type',
    [
      'application/json',
      'application/merge-patch+json',
      'text/plain',
      ';',
      '*/*',
      'application/json;q=0',
    ],
  ],
  ['accept', ['', '*/*', ',,,', 'application/json;q=0', 'x;'.repeat(100)]],
  ['cookie', ['=', 'a=b;;', '__proto__=1']],
  ['content-encoding', ['gzip', 'identity', '']],
  ['origin', ['null', 'https://x.example']],
];

test.each([
  ['Petstore', loadPetstore],
  ['books', loadBooks],
] as const)(
  '%s: no request out of 5,000 at random breaks the mock or the contract',
  async (_, load) => {
    const contract: Contract = await load();
    const random = createRandom(20_301_205);
    const pick = <T>(items: readonly T[]): T =>
      items[Math.floor(random() * items.length)] ?? items[0] ?? raise();
    const client = createTestClient(contract, {
      limits: {
        anonymous: Object.fromEntries(
          contract.rateLimit?.windows.map(({ name }) => [name, 1_000_000]) ?? [],
        ),
      },
    });
    const statuses = new Set<number>();
    for (let count = 0; count < 5000; count += 1) {
      if (count % 20 === 0) client.clock.advance(60);
      const base =
        random() < 0.7
          ? pick(contract.operations).path.replace(
              /\{[^}]*\}/,
              () => `${Math.floor(random() * 50)}`,
            )
          : '';
      const tail = Array.from({ length: Math.floor(random() * 4) }, () => pick(pieces)).join('');
      const headers = Object.fromEntries(
        HEADERS.filter(() => random() < 0.6).map(([name, values]) => [
          name,
          pick(values.slice(0, random() < 0.6 ? 1 : undefined)),
        ]),
      );
      const { status } = client.send(pick(methods), base + tail, {
        key: undefined,
        headers,
        content: pick(bodies),
        isTooLarge: random() < 0.1,
      });
      statuses.add(status);
    }
    expect([...statuses].toSorted((a, b) => a - b)).toEqual(
      expect.arrayContaining([200, 201, 204, 400, 401, 404, 405, 413, 415]),
    );
  },
);

const raise = (): never => {
  throw new Error('There is nothing to pick from.');
};
