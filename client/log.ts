import type { Exchange } from '../conformance/index.ts';
import * as codec from '../contract/json/codec.ts';
import type { JsonObject, JsonValue } from '../contract/json/value.ts';
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

const clientRecord = object({
  name: text,
  plan: orUndefined(text),
  from: milliseconds,
  to: milliseconds,
  scenarios: list(recordedScenario),
});

/** Whose requests were judged. */
export interface ClientSubject {
  /** For people: its command, or whose journal it was judged from. */
  readonly name: string;
  /** Base address of the mock; with several, one of them. */
  readonly baseUrl: string;
  /** Plan of its keys; undefined where they have several, or none. */
  readonly plan: string | undefined;
  /** When it was watched, milliseconds since 1970; the clocks of sandboxes may be years apart. */
  readonly watched: { readonly from: number; readonly to: number };
}

/** Everything that decides a report on a client besides contract and log; holds no key. */
export interface ClientRecord {
  readonly subject: Omit<ClientSubject, 'baseUrl'>;
  /** In the order of the log. */
  readonly scenarios: readonly RecordedScenario[];
}

export function renderClientRecord({ subject, scenarios }: ClientRecord): JsonObject {
  const { name, plan, watched } = subject;
  return clientRecord.render({ name, plan, ...watched, scenarios });
}

/** Reads a record strictly. Throws `PetstoreError` with code `shape` for the first wrong thing. */
export function readClientRecord(value: JsonValue): ClientRecord {
  const { name, plan, from, to, scenarios } = clientRecord.read(value, '');
  return { subject: { name, plan, watched: { from, to } }, scenarios };
}

/** Relative to the base address; what is not under it begins with `/..` (RFC 3986, 5.2.4). */
export function relativeTarget(target: string, basePath: string): string {
  const local = target.replace(/^https?:\/\/[^/?#]*/i, '');
  const rest = local.startsWith(basePath) ? local.slice(basePath.length) : undefined;
  return rest !== undefined && /^(?:[/?]|$)/.test(rest)
    ? rest
    : `${'/..'.repeat(basePath.split('/').length - 1)}${local}`;
}
