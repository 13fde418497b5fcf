import { expect, test } from 'vitest';
import { petstore as contract } from '../../contract/testing/petstore.ts';
import { createMock } from '../../mock/index.ts';
import { createMockSender } from '../../mock/testing/judged-mock.ts';
import { runConformance } from '../run/run.ts';
import { rerunDifferences } from '../testing/log-run.ts';
import { createStillClock } from '../testing/still-clock.ts';
import { alterKey, nearMisses } from './credential.ts';

test.each<[string, readonly string[]]>([
  ['demo-free', ['demo-fre', 'demo-freex', 'DEMO-FREE']],
  [
    'sk_live_4eC39HqLyjWDarjtT1zdp7dc',
    [expect.stringMatching(/dp7d$/), expect.any(String), expect.any(String)],
  ],
  ['free_alice', ['free_', 'free_alice~', 'FREE_ALICE']],
  ['pro_e2e-17', ['pro_', 'pro_e2e-17~', 'PRO_E2E-17']],
  ['7', ['7x']],
])('%s has these near misses', (key, expected) => {
  expect(nearMisses(key).map((use) => alterKey(key, use))).toEqual(expected);
});

/** Judges the mock with a key; `accepts`: what the target takes for the key besides. */
async function judge(key: string, accepts: (token: string) => boolean = () => false) {
  const clock = createStillClock();
  const mock = createMock(contract, { clock });
  await mock.ready;
  const { send, ...rest } = createMockSender(mock);
  return await runConformance(
    contract,
    { baseUrl: 'http://mock.test/v1', apiKey: key },
    {
      clock,
      plan: 'Free',
      sender: {
        ...rest,
        send: (request) =>
          send({
            ...request,
            headers: request.headers.map(([name, value]) => {
              const token = /^Bearer (\S+)$/.exec(value)?.[1];
              const isTaken = token !== undefined && token !== key && accepts(token);
              return [name, isTaken ? `Bearer ${key}` : value];
            }),
          }),
      },
    },
  );
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
])('a target that takes %s of a key with a name fails', async (_name, accepts) => {
  for (const key of ['free_alice', 'demo-free'])
    expect((await judge(key, (token) => accepts(token, key))).outcome).toBe('failed');
});
