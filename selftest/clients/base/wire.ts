/** What clients of the self-test stand on: a network and a time, both of them simulated. */
export interface Wire {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** Rejects where no response comes, or none in time. */
  send(request: WireRequest): Promise<WireResponse>;
}

export interface WireRequest {
  readonly method: string;
  /** Relative to the base address. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  /**
   * `kept`: one that is free, or a new one, which stays open. `own`: a new one, closed after the
   * response. `new`: a new one, which stays open. Default: `kept`.
   */
  readonly connection?: 'kept' | 'own' | 'new';
  /** Milliseconds until the client gives up, and closes the connection. Default: none. */
  readonly timeout?: number;
}

export interface WireResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Environment {
  readonly wire: Wire;
  readonly key: string;
  /** From 0 to 1, by the seed of the trial. */
  readonly random: () => number;
}

/** Does its usual work; rejects where that did not work, which is exit code 1. */
export type Client = (environment: Environment) => Promise<void>;
