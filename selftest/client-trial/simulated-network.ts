import type { createScenarioRunner } from '../../client/index.ts';
import type { MockResponse } from '../../mock/index.ts';
import type { Wire, WireRequest, WireResponse } from '../clients/client.ts';
import type { SimulatedTime } from './simulated-time.ts';

type Recorder = Awaited<ReturnType<ReturnType<typeof createScenarioRunner>['setUp']>>['recorder'];

/** Milliseconds until a connection is open, or closed, as long for each: the order stays. */
const opening = 0.1;

interface Connection {
  isFree: boolean;
  isOpen: boolean;
}

/**
 * A network between one client and the mock of a scenario. What goes one way takes a part of a
 * millisecond, by chance.
 */
export function createNetwork(recorder: Recorder, time: SimulatedTime, random: () => number): Wire {
  const connections: Connection[] = [];
  const travel = (): Promise<void> => time.sleep(0.1 + random() * 0.6);
  const connect = async (): Promise<Connection> => {
    const connection = { isFree: false, isOpen: true };
    connections.push(connection);
    await time.sleep(opening);
    recorder.connections.opened(connection);
    await travel();
    return connection;
  };
  const close = (connection: Connection): void => {
    if (!connection.isOpen) return;
    connection.isOpen = false;
    void time.sleep(opening).then(() => recorder.connections.closed(connection));
  };
  const take = (): Promise<Connection> | Connection => {
    const free = connections.find(({ isFree, isOpen }) => isFree && isOpen);
    if (free === undefined) return connect();
    free.isFree = false;
    return free;
  };
  const exchange = async (request: WireRequest, connection: Connection): Promise<WireResponse> => {
    await travel();
    const response = recorder.handle(readRequest(recorder.contract.basePath, request, connection));
    await time.sleep(response.delivery?.delay ?? 0);
    await travel();
    if (response.delivery?.end === 'reset') connection.isOpen = false;
    if (response.delivery?.end === 'silence') await time.sleep(Infinity);
    if (!connection.isOpen) throw new Error('The connection was closed.');
    return readResponse(request, response);
  };
  return {
    now: () => time.now(),
    sleep: (milliseconds) => time.sleep(milliseconds),
    async send(request) {
      const connection = await (request.connection === undefined || request.connection === 'kept'
        ? take()
        : connect());
      if (request.timeout !== undefined)
        void time.sleep(request.timeout).then(() => {
          if (!connection.isFree) close(connection);
        });
      const answer = exchange(request, connection);
      const gone = request.timeout === undefined ? [] : [expire(time, request.timeout)];
      const response = await Promise.race([answer, ...gone]);
      if (request.connection === 'own') close(connection);
      connection.isFree = true;
      return response;
    },
  };
}

async function expire(time: SimulatedTime, milliseconds: number): Promise<never> {
  await time.sleep(milliseconds);
  throw new Error('The client gave up.');
}

function readRequest(
  basePath: string,
  { method, target, headers, body }: WireRequest,
  connection: Connection,
): Parameters<Recorder['handle']>[0] {
  const content = typeof body === 'string' ? Buffer.from(body) : body;
  const length =
    content === undefined || headers['transfer-encoding'] !== undefined
      ? {}
      : { 'content-length': `${content.length}` };
  return {
    method,
    target: basePath + target,
    headers: { host: 'service.example', ...headers, ...length },
    content,
    connection,
  };
}

function readResponse({ method }: WireRequest, response: MockResponse): WireResponse {
  const { status, headers, body } = response;
  const pairs = Array.from({ length: headers.length / 2 }, (_, at): [string, string] => [
    headers[2 * at]?.toLowerCase() ?? '',
    headers[2 * at + 1] ?? '',
  ]);
  return { status, headers: Object.fromEntries(pairs), text: method === 'HEAD' ? '' : body };
}
