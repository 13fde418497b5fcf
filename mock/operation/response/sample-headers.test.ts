import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { type Contract, loadContract } from '../../../contract/index.ts';
import { judgeMock } from '../../testing/judged-mock.ts';
import { createTestClient } from '../../testing/test-client.ts';

/** A header, required or not, by its schema. */
type Headers = Readonly<Record<string, { readonly schema: object; readonly required?: boolean }>>;

/** A document of the project in which every response with headers has more of them. */
const withHeaders = async (file: string, headers: Headers): Promise<Contract> => {
  const text = await readFile(file, 'utf8');
  const more = Object.entries(headers).map(
    ([name, { schema, required = true }]) =>
      `${name}: { required: ${required}, schema: ${JSON.stringify(schema)} }`,
  );
  const changed = text.replaceAll(
    /^( +)(?:X-)?RateLimit-Limit: \{ \$ref.*$/gm,
    (line, indent: string) => [line, ...more.map((header) => indent + header)].join('\n'),
  );
  expect(changed.length).toBeGreaterThan(text.length);
  return await loadContract({ text: changed, name: file });
};

const usual: Headers = {
  'X-Request-Id': { schema: { type: 'string', format: 'uuid' } },
  'X-Queue-Length': { schema: { type: 'integer', minimum: 3, maximum: 9 } },
  'X-Region': { schema: { enum: ['eu', 'us'] } },
};

test.each(['openapi.yaml', 'fixtures/documents/books.yaml'])(
  'headers that are added to %s are sent, with no change of code',
  async (file) => {
    const report = await judgeMock(await withHeaders(file, usual));
    expect(report.verdicts.filter(({ kind }) => kind === 'failed')).toEqual([]);
    const passed = report.verdicts.filter(({ kind }) => kind === 'passed');
    for (const name of Object.keys(usual))
      expect(passed.some(({ requirement }) => requirement.id.includes(name))).toBe(true);
  },
);

describe('a header that the document lists', () => {
  const valueOf = async (name: string, schema: object, required = true): Promise<unknown> => {
    const contract = await withHeaders('openapi.yaml', { [name]: { schema, required } });
    return createTestClient(contract).send('GET', '/pets').headers.get(name.toLowerCase());
  };

  test.each([
    ['ETag', { type: 'string' }, /^"[0-9a-f]{8}"$/],
    ['Last-Modified', { type: 'string' }, / GMT$/],
    ['X-Served-At', { type: 'string', format: 'date-time' }, /^\d{4}-\d\d-\d\dT.*Z$/],
    ['X-Request-Id', { type: 'string', pattern: '^[0-9a-f]{32}$' }, /^[0-9a-f]{32}$/],
    ['X-Request-Id', { type: 'integer', minimum: 7 }, /^7$/],
    ['X-Api-Version', { type: 'string', default: '2.1' }, /^2\.1$/],
    ['X-Api-Version', { type: 'string', example: 'v2' }, /^v2$/],
    ['X-Code', { type: 'string', minLength: 12 }, /^.{12,}$/],
    ['X-Share', { type: 'number', exclusiveMinimum: 0, maximum: 1 }, /^(?:0\.\d+|1)$/],
    ['X-Step', { type: 'integer', minimum: 7, multipleOf: 5 }, /^10$/],
    ['X-Is-Cached', { type: 'boolean' }, /^true$/],
    ['X-Ids', { type: 'array', items: { type: 'integer' } }, /^\d+$/],
  ])('%s of %j has a value', async (name, schema, expected) => {
    expect(await valueOf(name, schema)).toMatch(expected);
    expect(await valueOf(name, schema, false)).toMatch(expected);
  });

  test('is left out where it is not required and would say what is not so', async () => {
    expect(await valueOf('Link', { type: 'string' }, false)).toBeUndefined();
    expect(await valueOf('Link', { type: 'string' })).toBe('</v1/pets>; rel="self"');
    expect(await valueOf('Content-Encoding', { type: 'string' }, false)).toBeUndefined();
  });

  test('names a request by an id of its own, the same in every run', async () => {
    const contract = await withHeaders('openapi.yaml', usual);
    const idsOf = (key: string): readonly unknown[] => {
      const client = createTestClient(contract);
      return ['/pets', '/pets/1', '/pets/none'].map((path) =>
        client.send('GET', path, { key }).headers.get('x-request-id'),
      );
    };
    const ids = [...idsOf('free_alice'), ...idsOf('free_bob')];
    expect(new Set(ids).size).toBe(6);
    expect([...idsOf('free_alice'), ...idsOf('free_bob')]).toEqual(ids);
  });
});
