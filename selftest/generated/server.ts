import type { Contract } from '../../contract/contract.ts';
import {
  bytesOf,
  createMovableClock,
  pairsOf,
  type RunOptions,
  type RunReport,
  runConformance,
  type Sender,
  type WireRequest,
} from '../../conformance/index.ts';
import { createMock, type Mock } from '../../mock/index.ts';
import type { Layer, Reply, FaultContext } from './layer.ts';

/** A server in this process, for several runs. */
interface Server {
  readonly mock: Mock;
  readonly judge: (options: RunOptions) => Promise<RunReport>;
}

/**
 * Serves a contract by its mock, behind a layer with a fault. `deadline`: when runs are
 * interrupted, in milliseconds since 1970.
 */
export async function startServer(
  contract: Contract,
  context: FaultContext | undefined,
  {
    layer,
    deadline = Infinity,
  }: { readonly layer?: Layer | undefined; readonly deadline?: number } = {},
): Promise<Server> {
  // Ten seconds past a full minute: the clock moves only when the run sleeps.
  const clock = createMovableClock(() => Date.UTC(2026, 0, 5, 12, 0, 10));
  const mock = createMock(contract, { clock });
  const sandbox = (await mock.control()).sandbox('main');
  const keep = () => {
    sandbox.takeSnapshot('before');
    return () => sandbox.restoreSnapshot('before');
  };
  const late = new AbortController();
  const sender = createMockSender(mock, async (request) => {
    // Requests in the process are not events, between which a timer could expire.
    if (Date.now() > deadline) late.abort();
    return layer === undefined || context === undefined
      ? serve(mock, request)
      : await layer(context.read(request), (each) => serve(mock, each), keep);
  });
  const plan = mock.keys[0]?.plan || undefined;
  const longestWait = 2 * 86_400_000;
  const usual = { clock, sender, plan, longestWait, disposable: true, exclusive: true };
  return {
    mock,
    judge: ({ signal, ...options }) =>
      runConformance(contract, targetOf(contract, mock), {
        ...usual,
        ...options,
        signal: AbortSignal.any([late.signal, ...(signal ? [signal] : [])]),
      }),
  };
}

/** The URL of a mock of a contract, and the key for the suite. */
export function targetOf({ basePath }: Contract, mock: Mock) {
  return { baseUrl: `http://mock.test${basePath}`, apiKey: mock.keys[0]?.key };
}

/** Sends to a mock in this process whose responses arrive at once and complete. */
export function createMockSender(
  mock: Mock,
  answer = (request: WireRequest): Promise<Reply | undefined> =>
    Promise.resolve(serve(mock, request)),
): Sender {
  return {
    send: async (request) => {
      const reply = await answer(request);
      if (reply === undefined) {
        const error = { reason: 'timeout', message: 'no response in time' } as const;
        return { kind: 'no-response', error };
      }
      const body = request.method === 'HEAD' ? '' : reply.body;
      return { kind: 'answered', response: { ...reply, body, utf8: true } };
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function serve(mock: Mock, { url, method, headers, body, encoding }: WireRequest): Reply {
  const { pathname, search } = new URL(url);
  const response = mock.handle({
    method,
    target: pathname + search,
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    content: body === undefined ? undefined : bytesOf({ body, encoding }),
  });
  const { status, body: text } = response;
  return { status, headers: pairsOf(response.headers), body: text };
}
