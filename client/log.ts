import { type Exchange, type Outcome, routerOf } from '../conformance/index.ts';
import type { Contract } from '../contract/contract.ts';
import * as codec from '../contract/json/codec.ts';
import type { TypeOf } from '../contract/json/codec.ts';
import type { Operation } from '../contract/openapi/operation.ts';

const { flag, list, milliseconds, object, orUndefined, text } = codec;

/**
 * The requests of a client and its responses, as seen by the mock. Plain data: log and facts are
 * all that the rules use, so anyone who has both can judge again. Every exchange has an intent of
 * kind `client`; targets are relative to the base URL, and times are those of the sandbox.
 */
export interface ClientLog {
  /** `journal`: no bodies of responses, and long bodies are truncated. */
  readonly source: 'scenarios' | 'journal';
  /** In the order in which requests arrived. */
  readonly exchanges: readonly Exchange[];
}

export interface ClientFacts {
  /** In the order in which they ran; empty for a journal. */
  readonly scenarios: readonly PlayedScenario[];
  /** The clock is frozen, so waiting times are unknown. Default: false. */
  readonly isClockStill?: boolean;
}

type PlayedScenario = Omit<RecordedScenario, 'openedAt'>;

/** How the client's command ended. `timeout` and `aborted`: it was stopped. */
export type ClientEnd = TypeOf<typeof clientEnd>;

const clientEnd = codec.variants({
  exited: { code: codec.whole(0, 255) },
  killed: { signal: text },
  timeout: {},
  aborted: {},
});

/** The command failed although it had to succeed, ran too long, or was ended by a signal. */
export function isBadEnd({ mustSucceed, end }: Omit<PlayedScenario, 'id'>): boolean {
  return end.kind === 'timeout' || end.kind === 'killed' || (mustSucceed && !isGoodEnd(end));
}

export function isGoodEnd(end: ClientEnd | undefined): boolean {
  return end?.kind === 'exited' && end.code === 0;
}

/** Whether the command ended by itself in a scenario. An aborted one might have sent more. */
export function isPlayed(scenario: string, { scenarios }: ClientFacts): boolean {
  return scenarios.some(({ id, end }) => id === scenario && end.kind === 'exited');
}

/** A scenario that ran, and when it was opened, in milliseconds since 1970. */
export type RecordedScenario = TypeOf<typeof recordedScenario>;

const recordedScenario = object({
  /** Equal to `probe` of its exchanges. */
  id: text,
  /** Whether a correct client ends with exit code 0 in this scenario. */
  mustSucceed: flag,
  end: clientEnd,
  openedAt: milliseconds,
});

/** Everything besides contract and log that decides a report on a client. Contains no key. */
export type ClientRecord = TypeOf<typeof clientRecord>;

export const clientRecord = object({
  /** For people: its command, or the name of the journal. */
  name: text,
  /** Plan of its keys; undefined for several plans, or none. */
  plan: orUndefined(text),
  /**
   * The period of observation in milliseconds since 1970. The clocks of sandboxes may differ by
   * years.
   */
  from: milliseconds,
  to: milliseconds,
  /** In the order of the log. */
  scenarios: list(recordedScenario),
});

export interface ClientSubject extends Omit<ClientRecord, 'scenarios'> {
  /** Base URL of the mock; one of them if there are several. */
  readonly baseUrl: string;
}

/** The operation that a request calls; undefined for none. */
export function operationAt(
  contract: Contract,
  method: string,
  target: string,
): Operation | undefined {
  const route = routerOf(contract)(method, target);
  return route.kind === 'operation' ? route.operation : undefined;
}

/** What a client received of a response that was lost on purpose. */
export function lostOutcome(loss: 'reset' | 'silence'): Outcome {
  return loss === 'silence'
    ? { kind: 'no-response', error: { reason: 'timeout', message: 'No response was sent.' } }
    : { kind: 'no-response', error: { reason: 'cut', message: 'The connection was reset.' } };
}

/**
 * Relative to the base URL. A target that is not below it, or has `/..` right after it, begins with
 * `/..` for each segment of the base path (RFC 3986, 5.2.4).
 */
export function relativeTarget(target: string, basePath: string): string {
  const local = target.replace(/^https?:\/\/[^/?#]*/i, '');
  const rest = local.startsWith(basePath) ? local.slice(basePath.length) : '/..';
  return /^(?!\/\.\.)(?:[/?]|$)/.test(rest) ? rest : outside(basePath) + local;
}

/** The target that `relativeTarget` made relative. */
export function absoluteTarget(target: string, basePath: string): string {
  return target.startsWith('/..') ? target.slice(outside(basePath).length) : basePath + target;
}

function outside(basePath: string): string {
  return '/..'.repeat(basePath.split('/').length - 1);
}
