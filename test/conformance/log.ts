import type { Contract } from '../../contract/index.ts';
import type { TargetFacts } from '../../conformance/judge/trace/trace.ts';
import { judge, type Verdict } from '../../conformance/judge/verdict.ts';
import type {
  Exchange,
  Intent,
  Outcome,
  SentRequest,
  TransportError,
} from '../../conformance/transport/exchange.ts';

/**
 * A request and its response as a test tells them; what is left out keeps the contract: a valid
 * request with the key, answered at once with the rate-limit headers, each a second after the other.
 */
export interface Told {
  readonly operation: string;
  /** Path and query: `/pets?limit=5`. */
  readonly target: string;
  readonly intent?: Intent;
  readonly credential?: SentRequest['credential'];
  /** The body that is sent: a text as it is, anything else as JSON. */
  readonly body?: unknown;
  /** Default 200. */
  readonly status?: number;
  /** The body that is answered: a text as it is, anything else as JSON; default: an error with the status. */
  readonly answer?: unknown;
  /** Headers of the response beside the usual ones; undefined leaves one of those out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** False: the body is not UTF-8. */
  readonly utf8?: boolean;
  /** No response came. */
  readonly lost?: TransportError['reason'];
  readonly group?: string;
  /** Milliseconds since the log began; default: a second after the exchange before it. */
  readonly at?: number;
  /** Milliseconds until the response. */
  readonly takes?: number;
}

/** When logs begin, in milliseconds since the Unix epoch: a full minute. */
export const begin = Date.UTC(2026, 0, 5, 12);

/** Requests of the daily limit of the Petstore's Free plan. */
const limit = 1000;

/** What a log is, the exchanges in it, and the verdicts on it: those asked for and every failure. */
export type Case = readonly [
  title: string,
  log: readonly Told[],
  verdicts: Readonly<Record<string, Verdict['kind']>>,
];

/** Turns what a test tells into the exchanges of a run. */
export function tellLog(contract: Contract, told: readonly Told[]): readonly Exchange[] {
  let at = begin - 1000;
  return told.map((each, index) => {
    at = each.at === undefined ? at + 1000 : begin + each.at;
    const method = contract.operations.find(({ id }) => id === each.operation)?.method ?? 'GET';
    return {
      index,
      probe: 'told',
      intent: each.intent ?? valid(),
      request: {
        operation: each.operation,
        method,
        target: each.target,
        headers:
          each.body === undefined
            ? [['accept', 'application/json']]
            : [
                ['accept', 'application/json'],
                ['content-type', 'application/json'],
              ],
        credential: each.credential ?? 'valid',
        body: each.body === undefined ? undefined : textOf(each.body),
      },
      outcome: outcomeOf(contract, each, index),
      sentAt: at,
      endedAt: at + (each.takes ?? 0),
      group: each.group,
    };
  });
}

function outcomeOf({ rateLimit }: Contract, told: Told, index: number): Outcome {
  const { status = 200, lost, headers, utf8 = true } = told;
  if (lost) return { kind: 'no-response', error: { reason: lost, message: 'nothing came' } };
  const error = { code: 'refused', message: 'It was refused.', status };
  const body = textOf(told.answer ?? error);
  const longest = Math.max(0, ...(rateLimit?.windows ?? []).map(({ seconds }) => seconds));
  const all = {
    ...(body === '' ? {} : { 'Content-Type': 'application/json' }),
    ...(rateLimit && {
      [rateLimit.headers.limit]: `${limit}`,
      [rateLimit.headers.remaining]: `${limit - 1 - index}`,
      [rateLimit.headers.reset]: `${begin / 1000 + longest / 2}`,
    }),
    ...headers,
  };
  const sent = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return { kind: 'answered', response: { status, headers: sent, body, utf8 } };
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
export function list(pets: unknown, more: Partial<Told> & { readonly query?: string } = {}): Told {
  const { query = '', ...rest } = more;
  return { operation: 'listPets', target: `/pets${query}`, answer: pets, ...rest };
}

/** Adds a pet. */
export function add(body: unknown, pet: unknown, more: Partial<Told> = {}): Told {
  return { operation: 'createPet', target: '/pets', body, answer: pet, status: 201, ...more };
}

/** A request to add a pet that is refused. */
export function refused(body: unknown, intent: Intent, more: Partial<Told> = {}): Told {
  return { operation: 'createPet', target: '/pets', body, intent, status: 400, ...more };
}

/** Reads one pet. */
export function get(id: number | string, pet: unknown, more: Partial<Told> = {}): Told {
  return { operation: 'getPet', target: `/pets/${id}`, answer: pet, ...more };
}

/**
 * Judges a log: the verdicts on the requirements that a test asks for, and every failure beside
 * them.
 */
export function judgeTold(
  contract: Contract,
  told: readonly Told[],
  ids: readonly string[],
  { plan = 'Free', exclusive }: Partial<TargetFacts> = {},
): Readonly<Record<string, Verdict['kind'] | undefined>> {
  const verdicts = judge(contract, tellLog(contract, told), {
    plan,
    exclusive,
    whyNotTested: () => ({ kind: 'not-shown' }),
  });
  const kinds = new Map(verdicts.map(({ requirement, kind }) => [requirement.id, kind]));
  const failed = [...kinds].filter(([, kind]) => kind === 'failed').map(([id]) => id);
  return Object.fromEntries([...ids, ...failed].map((id) => [id, kinds.get(id)]));
}
