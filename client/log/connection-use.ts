import type { Exchange } from '../../conformance/index.ts';

/** What a request shows of how its client uses connections. */
export interface ConnectionUse {
  /** No request came before it on its connection. */
  readonly isFirst: boolean;
  /** Requests of its scenario that were sent while another one had no response, in order. */
  readonly parallel: readonly ParallelRequest[];
}

/** The first request on a connection that was opened while another request had no response. */
interface ParallelRequest {
  readonly opened: number;
  readonly arrived: number;
}

/** How each exchange of a client uses its connection. */
export function readConnectionUse(
  exchanges: readonly Exchange[],
): ReadonlyMap<Exchange, ConnectionUse> {
  const byScenario = Map.groupBy(exchanges, ({ intent }) =>
    intent.kind === 'client' ? intent.scenario : '',
  );
  return new Map([...byScenario.values()].flatMap((each) => [...readScenario(each)]));
}

function* readScenario(
  exchanges: readonly Exchange[],
): Generator<readonly [Exchange, ConnectionUse]> {
  const used = new Set<number>();
  const parallel: ParallelRequest[] = [];
  let lastResponse = 0;
  for (const exchange of exchanges) {
    const { intent } = exchange;
    if (intent.kind !== 'client') continue;
    const { connection, times } = intent;
    const isFirst = connection !== undefined && !used.has(connection);
    if (connection !== undefined) used.add(connection);
    if (isFirst && times !== undefined && times.opened < lastResponse) parallel.push(times);
    lastResponse = Math.max(lastResponse, sentInFull(exchange));
    yield [exchange, { isFirst, parallel }];
  }
}

/** When a response was sent to its end, on the scale of the times of connections. */
export function sentInFull({ intent, sentAt, endedAt }: Exchange): number {
  const arrived = intent.kind === 'client' ? intent.times?.arrived : undefined;
  return (arrived ?? sentAt) + endedAt - sentAt;
}
