import type { Contract } from '../../contract/contract.ts';
import type { TargetFacts } from '../../conformance/judge/trace/trace.ts';
import { judge, type Verdict } from '../../conformance/judge/verdict.ts';
import type {
  Exchange,
  Intent,
  ReceivedResponse,
  SentRequest,
  TransportError,
} from '../../conformance/transport/exchange.ts';

/** What any request of a log and its response have, of a run or of a client. */
export interface AnyEntry {
  /** Path and query: `/pets?limit=5`. */
  readonly target?: string;
  readonly credential?: SentRequest['credential'];
  /** The request body: a string unchanged, anything else as JSON. */
  readonly body?: unknown;
  /** Default 200. */
  readonly status?: number;
  /** The response body: a string unchanged, anything else as JSON. */
  readonly answer?: unknown;
  /** False: the body is not UTF-8. */
  readonly utf8?: boolean;
  /** No response came. */
  readonly lost?: TransportError['reason'];
  /** Milliseconds since the log began; default: a second after the exchange before it. */
  readonly at?: number;
  /** Milliseconds until the response. */
  readonly takes?: number;
}

/**
 * An exchange of a run; what is left out keeps the contract: a valid request with the key, answered at
 * once with an error and the rate-limit headers.
 */
export interface LogEntry extends AnyEntry {
  readonly operation: string;
  readonly target: string;
  readonly intent?: Intent;
  /** Headers of the response beside the usual ones; undefined leaves one of those out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly group?: string;
}

/** When logs begin, in milliseconds since the Unix epoch: a full minute. */
export const begin = Date.UTC(2026, 0, 5, 12);

/** Requests of the daily limit of the Petstore's Free plan. */
const limit = 1000;

/** What a log is, the exchanges in it, and the verdicts on it: those asked for and every failure. */
export type Case = readonly [
  title: string,
  log: readonly LogEntry[],
  verdicts: Readonly<Record<string, Verdict['kind']>>,
];

/** The exchanges of a run. */
export function composeLog(contract: Contract, log: readonly LogEntry[]): readonly Exchange[] {
  const times = timesOf(log);
  return log.map((entry, index) => {
    const { operation, status = 200, intent = valid(), group } = entry;
    const { answer = { code: 'refused', message: 'It was refused.', status } } = entry;
    const usual = answer === '' ? {} : { 'Content-Type': 'application/json' };
    const all = { ...usual, ...rateHeaders(contract, index), ...entry.headers };
    const method = contract.operations.find(({ id }) => id === operation)?.method ?? 'GET';
    return composeExchange(
      { ...entry, answer },
      { index, probe: 'log', intent, sentAt: times[index] ?? begin, group },
      { operation, method, headers: [['accept', 'application/json'], ...bodyType(entry)] },
      Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
  });
}

/** When each request of a log is sent. */
export function timesOf(log: readonly AnyEntry[]): readonly number[] {
  let at = -1000;
  return log.map((entry) => begin + (at = entry.at ?? at + 1000));
}

export function composeExchange(
  {
    target = '',
    credential = 'valid',
    body,
    status = 200,
    answer,
    utf8 = true,
    ...entry
  }: AnyEntry,
  about: Pick<Exchange, 'index' | 'probe' | 'intent' | 'sentAt' | 'group'>,
  request: Pick<SentRequest, 'operation' | 'method' | 'headers'>,
  headers: ReceivedResponse['headers'],
): Exchange {
  const { lost, takes = 0 } = entry;
  const sent = body === undefined ? undefined : textOf(body);
  return {
    ...about,
    request: { ...request, target, credential, body: sent },
    outcome:
      lost === undefined
        ? { kind: 'answered', response: { status, headers, body: textOf(answer), utf8 } }
        : { kind: 'no-response', error: { reason: lost, message: 'nothing came' } },
    endedAt: about.sentAt + takes,
  };
}

/** The media type of the body that is sent. */
export function bodyType({ body }: AnyEntry): SentRequest['headers'] {
  return body === undefined ? [] : [['content-type', 'application/json']];
}

function rateHeaders({ rateLimit }: Contract, index: number): Readonly<Record<string, string>> {
  if (rateLimit === undefined) return {};
  const longest = Math.max(0, ...rateLimit.windows.map(({ seconds }) => seconds));
  return {
    [rateLimit.headers.limit]: `${limit}`,
    [rateLimit.headers.remaining]: `${limit - 1 - index}`,
    [rateLimit.headers.reset]: `${begin / 1000 + longest / 2}`,
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A request that keeps the contract. */
export function valid(
  exercises: readonly string[] = [],
  mayRefuse: readonly string[] = [],
): Intent {
  return { kind: 'valid', exercises, mayRefuse };
}

/** A request that breaks the contract and has to be refused. */
export function invalid(
  requirement: string,
  status = 400,
  more: { readonly also?: string; readonly unless?: readonly string[] } = {},
): Intent {
  return { kind: 'invalid', requirement, way: 'it is wrong', status, ...more };
}

/** Lists the pets. */
export function list(
  pets: unknown,
  more: Partial<LogEntry> & { readonly query?: string } = {},
): LogEntry {
  const { query = '', ...rest } = more;
  return { operation: 'listPets', target: `/pets${query}`, answer: pets, ...rest };
}

/** Adds a pet. */
export function add(body: unknown, pet: unknown, more: Partial<LogEntry> = {}): LogEntry {
  return { operation: 'createPet', target: '/pets', body, answer: pet, status: 201, ...more };
}

/** A request to add a pet that is refused. */
export function refused(body: unknown, intent: Intent, more: Partial<LogEntry> = {}): LogEntry {
  return { operation: 'createPet', target: '/pets', body, intent, status: 400, ...more };
}

/** Reads one pet. */
export function get(id: number | string, pet: unknown, more: Partial<LogEntry> = {}): LogEntry {
  return { operation: 'getPet', target: `/pets/${id}`, answer: pet, ...more };
}

/**
 * Judges a log: the verdicts on the requirements that a test asks for, and every failure beside
 * them.
 */
export function judgeLog(
  contract: Contract,
  log: readonly LogEntry[],
  ids: readonly string[],
  { plan = 'Free', exclusive }: Partial<TargetFacts> = {},
): Readonly<Record<string, Verdict['kind'] | undefined>> {
  const verdicts = judge(contract, composeLog(contract, log), {
    plan,
    exclusive,
    whyNotTested: () => ({ kind: 'not-shown' }),
  });
  const kinds = new Map(verdicts.map(({ requirement, kind }) => [requirement.id, kind]));
  const failed = [...kinds].filter(([, kind]) => kind === 'failed').map(([id]) => id);
  return Object.fromEntries([...ids, ...failed].map((id) => [id, kinds.get(id)]));
}
