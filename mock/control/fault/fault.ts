/** How a connection breaks off. */
export const brokenConnections = ['reset', 'reset-after-headers', 'silence'] as const;

/** A fault as it is asked for: which requests it meets, and what it does to their responses. */
export interface FaultRule {
  /** Id of an operation of the document; by default every request. */
  readonly operation?: string | undefined;
  /** Requests to apply it to, then it is spent; by default without end. */
  readonly count?: number | undefined;
  /** Share of the requests that it meets, above 0 up to 1, drawn by `seed`. Default: 1. */
  readonly probability?: number | undefined;
  /** The same seed meets the same requests of a series. Default: 1. */
  readonly seed?: number | undefined;
  /** Answers this status from 400 on in the error shape, and does nothing else. */
  readonly status?: number | undefined;
  /** Seconds in the `Retry-After` that goes with the status. */
  readonly retryAfter?: number | undefined;
  /** Milliseconds before the response, drawn by `seed` from this range. */
  readonly delay?: { readonly from: number; readonly to: number } | undefined;
  /**
   * `reset`: the connection is reset after the work is done; `reset-after-headers`: so it is, once the
   * response has begun; `silence`: no response comes. A browser sends a request again by itself whose
   * connection is reset before the response begins, if the connection had been used before.
   */
  readonly connection?: (typeof brokenConnections)[number] | undefined;
  /** `truncated`: the connection is reset within the body; `malformed`: the body is no JSON. */
  readonly body?: 'truncated' | 'malformed' | undefined;
  /** The body in pieces of so many bytes, with so many milliseconds before each. */
  readonly drip?: { readonly bytes: number; readonly milliseconds: number } | undefined;
}

/** A fault that is in force, or spent. */
export interface Fault extends FaultRule {
  readonly id: string;
  /** Requests that it was applied to. */
  readonly applied: number;
}

const connectionEffects = {
  reset: 'connection reset',
  'reset-after-headers': 'connection reset after the headers',
  silence: 'no response',
} as const satisfies Record<(typeof brokenConnections)[number], string>;

/** What it does, in words, for logs. */
export function describeFault({ status, delay, connection, body, drip }: FaultRule): string {
  const effects = [
    status === undefined ? undefined : `status ${status}`,
    delay && `delay of ${delay.from === delay.to ? '' : `${delay.from} to `}${delay.to} ms`,
    connection && connectionEffects[connection],
    body && `${body} body`,
    drip && `${drip.bytes} bytes every ${drip.milliseconds} ms`,
  ];
  return effects.filter((effect) => effect !== undefined).join(', ');
}
