import { type RunReport, type Sender, runConformance } from '../../conformance/index.ts';
import { createStillClock } from '../../conformance/testing/still-clock.ts';
import type { Contract } from '../../contract/index.ts';
import { createMock } from '../mock.ts';
import type { MockOptions } from '../served-document/options.ts';

/** Judges a mock in process by the whole suite, on a clock that no wait holds up. */
export async function judgeMock(contract: Contract, options: MockOptions = {}): Promise<RunReport> {
  const clock = createStillClock();
  const mock = createMock(contract, { ...options, clock });
  const sender: Sender = {
    async send({ url, method, headers, body }) {
      const response = await mock.fetch(url, {
        method,
        headers: headers.map(([name, value]): [string, string] => [name, value]),
        ...(body === undefined ? {} : { body }),
      });
      return {
        kind: 'answered',
        response: {
          status: response.status,
          headers: [...response.headers],
          body: await response.text(),
          utf8: true,
        },
      };
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const [{ key, plan } = { key: '', plan: '' }] = mock.keys;
  return await runConformance(
    contract,
    { baseUrl: `http://mock.test${contract.basePath}`, apiKey: key },
    { clock, sender, exhaust: true, plan, requests: 90, longestWait: 2 * 86_400_000 },
  );
}
