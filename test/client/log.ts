import type {
  ReceivedResponse,
  ClientIntent,
  Exchange,
  SentRequest,
} from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import type { ClientEnd, ClientLog } from '../../client/log/log.ts';
import { matchOperation } from '../../client/log/request-target.ts';

/** A request of a log; what is left out is a list request answered 200 `[]` at once. */
export interface Told {
  /** Milliseconds since the log began; default: a second after the exchange before it. */
  readonly at?: number;
  /** Milliseconds until the response. */
  readonly takes?: number;
  readonly method?: string;
  readonly target?: string;
  readonly body?: string;
  readonly headers?: SentRequest['headers'];
  readonly credential?: SentRequest['credential'];
  readonly status?: number;
  readonly answered?: string;
  /** Further headers of the response. */
  readonly tells?: ReceivedResponse['headers'];
  readonly lost?: 'cut' | 'timeout';
  readonly refusal?: string;
  readonly key?: string;
  readonly connection?: number;
  /** When its connection was opened, and when closed by the client: milliseconds since the log began. */
  readonly opened?: number;
  readonly closed?: number;
  readonly isWhole?: boolean;
  readonly scenario?: string;
}

/** When logs begin. */
export const begin = Date.parse('2026-06-01T12:00:00.000Z');

export function tellLog(
  contract: Contract,
  told: readonly Told[],
  source: ClientLog['source'] = 'scenarios',
): ClientLog {
  let at = -1000;
  const exchanges = told.map((each, index): Exchange => {
    at = each.at ?? at + 1000;
    return tellExchange(contract, each, index, begin + at);
  });
  return { source, exchanges };
}

function tellExchange(contract: Contract, told: Told, index: number, sentAt: number): Exchange {
  const [list] = contract.resources.map((resource) => resource.list.path);
  const {
    method = told.body === undefined ? 'GET' : 'POST',
    target = list ?? '/',
    credential = 'valid',
    status = 200,
    answered = '[]',
    tells = [],
    takes = 0,
  } = told;
  const scenario = told.scenario ?? 'plain';
  const key = credential === 'valid' ? (told.key ?? 'alice/Free') : undefined;
  const refusal =
    told.refusal === undefined ? undefined : { reason: told.refusal, message: 'Refused.' };
  const intent: ClientIntent = {
    kind: 'client',
    scenario,
    key,
    connection: told.connection,
    ...(told.opened === undefined
      ? {}
      : {
          times: {
            opened: begin + told.opened,
            arrived: sentAt,
            closed: told.closed === undefined ? undefined : begin + told.closed,
          },
        }),
    refusal,
    isWhole: told.isWhole ?? true,
  };
  const type: SentRequest['headers'] =
    told.body === undefined ? [] : [['content-type', 'application/json']];
  return {
    index,
    probe: scenario,
    intent,
    request: {
      operation: matchOperation(contract, method, target.split('?')[0] ?? '')?.id ?? '',
      method,
      target,
      headers: told.headers ?? type,
      credential,
      body: told.body,
    },
    outcome:
      told.lost === undefined
        ? { kind: 'answered', response: { status, headers: tells, body: answered, utf8: true } }
        : { kind: 'no-response', error: { reason: told.lost, message: 'No response.' } },
    sentAt,
    endedAt: sentAt + takes,
    group: undefined,
  };
}

/** Ends of commands, by what they came to. */
export const ends: Readonly<Record<'well' | 'badly' | 'late' | 'killed', ClientEnd>> = {
  well: { kind: 'exited', code: 0 },
  badly: { kind: 'exited', code: 1 },
  late: { kind: 'timeout' },
  killed: { kind: 'killed', signal: 'SIGSEGV' },
};
