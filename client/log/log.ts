import type { Exchange } from '../../conformance/index.ts';
import * as codec from '../../contract/json/codec.ts';
import type { TypeOf } from '../../contract/json/codec.ts';

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

export interface PlayedScenario {
  /** That of the exchanges' probes. */
  readonly id: string;
  /** A client that keeps its contract ends with exit code 0 all the same. */
  readonly mustSucceed: boolean;
  readonly end: ClientEnd;
}

/** The command failed where it had to succeed, or did not come to its end. */
export function isBadEnd({ mustSucceed, end }: Omit<PlayedScenario, 'id'>): boolean {
  return end.kind === 'timeout' || end.kind === 'killed' || (mustSucceed && !isGoodEnd(end));
}

export function isGoodEnd(end: ClientEnd): boolean {
  return end.kind === 'exited' && end.code === 0;
}

/** How the client's command ended. `timeout` and `aborted`: it was ended. */
export type ClientEnd = TypeOf<typeof clientEnd>;

export const clientEnd = codec.variants({
  exited: { code: codec.whole(0, 255) },
  killed: { signal: codec.text },
  timeout: {},
  aborted: {},
});
