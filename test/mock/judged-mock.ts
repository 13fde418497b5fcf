import {
  type ReceivedResponse,
  type RunOptions,
  type RunReport,
  type Sender,
  bytesOf,
  runConformance,
} from '../../conformance/index.ts';
import { createStillClock } from '../conformance/still-clock.ts';
import type { Contract } from '../../contract/index.ts';
import { bodyOf, headersOf } from '../../mock/integrations/in-process/response-body.ts';
import { type Mock, createMock } from '../../mock/mock.ts';
import type { MockOptions } from '../../mock/served-document/options.ts';

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

/** How a mock is judged, besides the settings of the run. */
export interface Judging extends RunOptions {
  /** By default one of the mock's own. */
  readonly apiKey?: string;
  /** What the mock gets as Authorization, by what was sent. */
  readonly authorization?: (sent: string) => string;
  /** What comes back, by the response of the mock and its number from 1 on. */
  readonly change?: (response: ReceivedResponse, nth: number) => ReceivedResponse;
}

/** Judges a mock in process by the whole suite, on a clock that no wait holds up. */
export async function judgeMock(
  contract: Contract,
  options: MockOptions = {},
  { apiKey, authorization, change, ...settings }: Judging = {},
): Promise<RunReport> {
  const clock = createStillClock();
  const mock = createMock(contract, { ...options, clock });
  await mock.ready;
  const [{ key, plan } = { key: '', plan: '' }] = mock.keys;
  const { send, ...rest } = createMockSender(mock);
  let nth = 0;
  return await runConformance(
    contract,
    { baseUrl: `http://mock.test${contract.basePath}`, apiKey: apiKey ?? key },
    {
      clock,
      exhaust: true,
      plan,
      requests: 90,
      longestWait: 2 * 86_400_000,
      ...settings,
      sender: {
        ...rest,
        send: async (request) => {
          const headers = request.headers.map(([name, value]) => {
            const isKey = name.toLowerCase() === 'authorization';
            return [name, isKey && authorization ? authorization(value) : value] as const;
          });
          const outcome = await send({ ...request, headers });
          if (outcome.kind !== 'answered' || change === undefined) return outcome;
          return { kind: 'answered', response: change(outcome.response, (nth += 1)) };
        },
      },
    },
  );
}
