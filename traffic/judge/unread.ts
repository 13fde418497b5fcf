interface Count {
  all: number;
  unread: number;
  /** Of the first. */
  reason: string;
}

/**
 * Counts the exchanges of operations whose responses could be read, and those whose could not: too
 * large, not decodable, cut, not recorded, or none came.
 */
export class UnreadResponses {
  readonly #all: Count = { all: 0, unread: 0, reason: '' };
  readonly #successes: Count = { all: 0, unread: 0, reason: '' };
  readonly #required: number;

  /** @param required percent of them that have to be judged to their end */
  constructor(required: number) {
    this.#required = required;
  }

  /** @param reason why it could not be read, as a clause without its full stop; undefined where it was */
  add(isSuccess: boolean, reason?: string): void {
    for (const count of isSuccess ? [this.#all, this.#successes] : [this.#all]) {
      count.all += 1;
      if (reason === undefined) continue;
      if (count.unread === 0) count.reason = reason;
      count.unread += 1;
    }
  }

  /** Why so many say too little of the target, without a full stop; undefined where they do not. */
  explain(): string | undefined {
    return (
      explainCount(this.#all, 'exchanges of its operations', this.#required) ??
      explainCount(this.#successes, 'successes', this.#required)
    );
  }
}

/** Percent that have to be judged to their end where nothing else is asked for. */
export const requiredShare = 90;

function explainCount(
  { all, unread, reason }: Count,
  what: string,
  required: number,
): string | undefined {
  if (unread * 100 <= all * (100 - required)) return undefined;
  const percent = Math.floor((100 * (all - unread)) / all);
  return `${reason}; ${all - unread} of ${all} ${what} could be fully judged (${percent} %); at least ${required} % are required`;
}

/** Whether the client gave up, or the target never got the request, as browsers and the proxy say it. */
export function isGivenUp(reason: string): boolean {
  return /abort|cancel|blocked|the client disconnected|not forwarded/i.test(reason);
}
