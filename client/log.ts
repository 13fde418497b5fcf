import { type Exchange, type Outcome, routerOf } from '../conformance/index.ts';
import type { Contract } from '../contract/contract.ts';
import * as codec from '../contract/json/codec.ts';
import type { TypeOf } from '../contract/json/codec.ts';

const { flag, list, milliseconds, object, orUndefined, text } = codec;

/**
 * What a client sent and was answered, as it was seen at the mock. Data only, and all that the
 * rules are judged by, together with the facts: whoever has both can judge again. The intent of
 * every exchange is of the kind `client`; its target is relative to the base address, and its times
 * are those of the sandbox that answered.
 */
export interface ClientLog {
  /** `journal`: without bodies of responses, and with long bodies cut off. */
  readonly source: 'scenarios' | 'journal';
  /** In the order in which the requests came in. */
  readonly exchanges: readonly Exchange[];
}

export interface ClientFacts {
  /** In the order in which they were played; empty for a journal. */
  readonly scenarios: readonly PlayedScenario[];
  /** The clock is stopped, so the time that the client waited is unknown. Default: false. */
  readonly isClockStill?: boolean;
}

type PlayedScenario = Omit<RecordedScenario, 'openedAt'>;

/** How the client's command ended. `timeout` and `aborted`: it was ended. */
export type ClientEnd = TypeOf<typeof clientEnd>;

const clientEnd = codec.variants({
  exited: { code: codec.whole(0, 255) },
  killed: { signal: text },
  timeout: {},
  aborted: {},
});

/** The command failed where it had to succeed, or did not come to its end. */
export function isBadEnd({ mustSucceed, end }: Omit<PlayedScenario, 'id'>): boolean {
  return end.kind === 'timeout' || end.kind === 'killed' || (mustSucceed && !isGoodEnd(end));
}

export function isGoodEnd(end: ClientEnd | undefined): boolean {
  return end?.kind === 'exited' && end.code === 0;
}

/** Whether the command ended by itself in a scenario: what was aborted might have done more. */
export function isPlayed(scenario: string, { scenarios }: ClientFacts): boolean {
  return scenarios.some(({ id, end }) => id === scenario && end.kind === 'exited');
}

/** A scenario that was played, and when it was opened: milliseconds since 1970. */
export type RecordedScenario = TypeOf<typeof recordedScenario>;

const recordedScenario = object({
  /** That of the exchanges' probes. */
  id: text,
  /** A client that keeps its contract ends with exit code 0 all the same. */
  mustSucceed: flag,
  end: clientEnd,
  openedAt: milliseconds,
});

/** Everything that decides a report on a client besides contract and log; holds no key. */
export type ClientRecord = TypeOf<typeof clientRecord>;

export const clientRecord = object({
  /** For people: its command, or whose journal it was judged from. */
  name: text,
  /** Plan of its keys; undefined where they have several, or none. */
  plan: orUndefined(text),
  /** When it was watched, milliseconds since 1970; the clocks of sandboxes may be years apart. */
  from: milliseconds,
  to: milliseconds,
  /** In the order of the log. */
  scenarios: list(recordedScenario),
});

/** Whose requests were judged. */
export interface ClientSubject extends Omit<ClientRecord, 'scenarios'> {
  /** Base address of the mock; with several, one of them. */
  readonly baseUrl: string;
}

/** Id of the operation that the document has for a request; empty for none. */
export function operationIdAt(contract: Contract, method: string, target: string): string {
  const route = routerOf(contract)(method, target);
  return route.kind === 'operation' ? route.operation.id : '';
}

/** What a client got of a response that was lost on purpose. */
export function lostOutcome(loss: 'reset' | 'silence'): Outcome {
  return loss === 'silence'
    ? { kind: 'no-response', error: { reason: 'timeout', message: 'No response was sent.' } }
    : { kind: 'no-response', error: { reason: 'cut', message: 'The connection was reset.' } };
}

/** Relative to the base address; what is not under it begins with `/..` (RFC 3986, 5.2.4). */
export function relativeTarget(target: string, basePath: string): string {
  const local = target.replace(/^https?:\/\/[^/?#]*/i, '');
  const rest = local.startsWith(basePath) ? local.slice(basePath.length) : undefined;
  return rest !== undefined && /^(?:[/?]|$)/.test(rest)
    ? rest
    : `${'/..'.repeat(basePath.split('/').length - 1)}${local}`;
}
