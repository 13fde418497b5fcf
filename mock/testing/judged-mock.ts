import { type RunReport, type Sender, bytesOf, runConformance } from '../../conformance/index.ts';
import { createStillClock } from '../../conformance/testing/still-clock.ts';
import type { Contract } from '../../contract/index.ts';
import { bodyOf, headersOf } from '../integrations/in-process/response-body.ts';
import { type Mock, createMock } from '../mock.ts';
import type { MockOptions } from '../served-document/options.ts';

/** Sends to a mock in process. Only for one whose responses come at once and whole. */
export function createMockSender(mock: Mock): Sender {
  return {
    async send({ url, method, headers, body, encoding }) {
      const { pathname, search } = new URL(url);
      const response = mock.handle({
        method,
        target: pathname + search,
        headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
        content: body === undefined ? undefined : bytesOf({ body, encoding }),
      });
      if (response.delivery !== undefined) throw new Error('This response needs a network.');
      return {
        kind: 'answered',
        response: {
          status: response.status,
          headers: headersOf(response),
          body: bodyOf(response, method) ?? '',
          utf8: true,
        },
      };
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Judges a mock in process by the whole suite, on a clock that no wait holds up. */
export async function judgeMock(contract: Contract, options: MockOptions = {}): Promise<RunReport> {
  const clock = createStillClock();
  const mock = createMock(contract, { ...options, clock });
  await mock.ready;
  const [{ key, plan } = { key: '', plan: '' }] = mock.keys;
  return await runConformance(
    contract,
    { baseUrl: `http://mock.test${contract.basePath}`, apiKey: key },
    {
      clock,
      sender: createMockSender(mock),
      exhaust: true,
      plan,
      requests: 90,
      longestWait: 2 * 86_400_000,
    },
  );
}
