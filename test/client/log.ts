import {
  type ClientIntent,
  type ReceivedResponse,
  routerOf,
  type SentRequest,
} from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import type { ClientEnd, ClientLog } from '../../client/log.ts';
import { type AnyEntry, begin, bodyType, composeExchange, timesOf } from '../conformance/log.ts';

/** A request of a client; by default a list request that gets 200 `[]` at once. */
export interface LogEntry extends AnyEntry {
  readonly method?: string;
  readonly sentHeaders?: SentRequest['headers'];
  /** Of the response. */
  readonly headers?: ReceivedResponse['headers'];
  readonly refusal?: string;
  readonly key?: string;
  readonly connection?: number;
  /** When its connection was opened, and when the client closed it: milliseconds since the log began. */
  readonly opened?: number;
  readonly closed?: number;
  readonly isWhole?: boolean;
  readonly scenario?: string;
}

export { begin } from '../conformance/log.ts';

export function composeLog(
  contract: Contract,
  log: readonly LogEntry[],
  source: ClientLog['source'] = 'scenarios',
): ClientLog {
  const times = timesOf(log);
  const [list] = contract.resources.map((resource) => resource.list.path);
  const exchanges = log.map((entry, index) => {
    const { target = list ?? '/', scenario = 'plain', answer = '[]', headers = [] } = entry;
    const { method = entry.body === undefined ? 'GET' : 'POST' } = entry;
    const { sentHeaders = bodyType(entry) } = entry;
    const sentAt = times[index] ?? begin;
    const route = routerOf(contract)(method, target);
    const operation = route.kind === 'operation' ? route.operation.id : '';
    return composeExchange(
      { ...entry, target, answer },
      {
        index,
        probe: scenario,
        intent: intentOf(entry, scenario, sentAt),
        sentAt,
        group: undefined,
      },
      { operation, method, headers: sentHeaders },
      headers,
    );
  });
  return { source, exchanges };
}

function intentOf(entry: LogEntry, scenario: string, arrived: number): ClientIntent {
  const { credential = 'valid', key = 'alice/Free', opened, closed, isWhole = true } = entry;
  const times = opened !== undefined && {
    opened: begin + opened,
    arrived,
    closed: closed === undefined ? undefined : begin + closed,
  };
  const { refusal: reason } = entry;
  return {
    kind: 'client',
    scenario,
    key: credential === 'valid' ? key : undefined,
    connection: entry.connection,
    ...(times && { times }),
    refusal: reason === undefined ? undefined : { reason, message: 'Refused.' },
    isWhole,
  };
}

/** Ends of commands, by result. */
export const ends: Readonly<Record<'well' | 'badly' | 'late' | 'killed', ClientEnd>> = {
  well: { kind: 'exited', code: 0 },
  badly: { kind: 'exited', code: 1 },
  late: { kind: 'timeout' },
  killed: { kind: 'killed', signal: 'SIGSEGV' },
};
