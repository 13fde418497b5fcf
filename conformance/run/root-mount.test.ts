import { expect, test } from 'vitest';
import { petstore as contract } from '../../test/contract/petstore.ts';
import { createMock } from '../../mock/index.ts';
import { createMockSender } from '../../selftest/generated/server.ts';
import { rerunDifferences } from '../../test/conformance/log-run.ts';
import { createStillClock } from '../../test/conformance/still-clock.ts';
import { runConformance } from './run.ts';

test('a service at the root of its origin conforms, and no other host is contacted', async () => {
  const clock = createStillClock();
  const mock = createMock(contract, { clock });
  const hosts = new Set<string>();
  const { send, ...rest } = createMockSender(mock);
  const baseUrl = 'http://root.test';
  const report = await runConformance(
    contract,
    { baseUrl, apiKey: 'pro_root' },
    {
      clock,
      plan: 'Pro',
      requests: 240,
      sender: {
        ...rest,
        send: (request) => {
          hosts.add(new URL(request.url).origin);
          const url = `http://mock.test/v1${request.url.slice(baseUrl.length)}`;
          return send({ ...request, url });
        },
      },
    },
  );
  expect([...hosts]).toEqual([baseUrl]);
  expect(report.outcome).toBe('conforms');
  expect(
    report.verdicts.find(({ requirement }) => /versioning/.test(requirement.id)),
  ).toMatchObject({
    kind: 'not-tested',
    reason: expect.stringMatching(/^the base URL does not end in \/v1/),
  });
  expect(await rerunDifferences(contract, report)).toEqual([]);
});
