import { expect, test } from 'vitest';
import { petstore as contract } from '../../test/contract/petstore.ts';
import { serveDocument } from '../../test/conformance/judge-document.ts';
import { rerunDifferences } from '../../test/conformance/log-run.ts';
import { loadSample } from '../../test/contract/sample.ts';
import { alterKey, nearMisses } from './credential.ts';
import { renderParameterHeaders } from './request-parts.ts';

test.each<[string, readonly string[]]>([
  ['demo-free', ['demo-fre', 'demo-freex', 'DEMO-FREE']],
  [
    'sk_live_4eC39HqLyjWDarjtT1zdp7dc',
    [expect.stringMatching(/dp7d$/), expect.any(String), expect.any(String)],
  ],
  ['free_alice', ['free_', 'free_alice~', 'FREE_ALICE']],
  ['pro_e2e-17', ['pro_', 'pro_e2e-17~', 'PRO_E2E-17']],
  ['7', ['7x']],
])('%s has the expected near misses', (key, expected) => {
  expect(nearMisses(key).map((use) => alterKey(key, use))).toEqual(expected);
});

/** Judges the mock with a key; `accepts`: what the target takes for the key besides. */
async function judge(apiKey: string, accepts: (token: string) => boolean = () => false) {
  const authorization = (sent: string): string => {
    const token = /^Bearer (\S+)$/.exec(sent)?.[1];
    return token !== undefined && token !== apiKey && accepts(token) ? `Bearer ${apiKey}` : sent;
  };
  const run = await serveDocument(contract, undefined, { apiKey, authorization });
  return await run(contract, { plan: 'Free', requests: 60, disposable: false });
}

test.each(['free_alice', 'free_a', 'free_a.b-c_d', 'demo-free'])(
  'the mock conforms with the key %s',
  async (key) => {
    const report = await judge(key);
    expect(report.outcome).toBe('conforms');
    expect(await rerunDifferences(contract, report)).toEqual([]);
  },
);

test.each<[string, (token: string, key: string) => boolean]>([
  ['its beginning', (token, key) => key.startsWith(token)],
  ['more behind it', (token, key) => token.startsWith(key)],
  ['another case', (token, key) => token.toLowerCase() === key.toLowerCase()],
])('a target that accepts %s of a named key fails', async (_name, accepts) => {
  for (const key of ['free_alice', 'demo-free'])
    expect((await judge(key, (token) => accepts(token, key))).outcome).toBe('failed');
});

test('a parameter that is a key of some alternative is sent with the credential only', async () => {
  const { operations } = await loadSample({
    components: {
      securitySchemes: {
        b: { type: 'http', scheme: 'bearer' },
        k: { type: 'apiKey', in: 'header', name: 'X-Key' },
      },
    },
    paths: {
      '/a': {
        get: {
          security: [{ b: [] }, { k: [] }],
          parameters: ['X-KEY', 'X-Other'].map((name) => ({
            name,
            in: 'header',
            required: true,
            schema: { type: 'string' },
          })),
          responses: { 200: { description: 'OK.' } },
        },
      },
    },
  });
  const [operation] = operations;
  const sent = operation && renderParameterHeaders(operation, {});
  expect(Object.keys(sent ?? {})).toEqual(['x-other']);
});
