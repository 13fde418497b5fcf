import type { Operation } from '../../contract/openapi/operation.ts';

/**
 * Counts the exchanges of operations whose responses could be read, and those whose could not: too
 * large, not decodable, cut, not recorded, or none came.
 */
export interface UnreadResponses {
  /** @param reason why it could not be read, as a clause without its full stop; undefined where it was */
  readonly add: (isSuccess: boolean, reason?: string) => void;
  /** Why so many say too little of the target, without a full stop; undefined where they do not. */
  readonly explain: () => string | undefined;
}

interface Count {
  all: number;
  unread: number;
  /** Of the first. */
  reason: string;
}

/** @param required percent of them that have to be judged to their end */
export function createUnreadResponses(required: number): UnreadResponses {
  const counts: Readonly<Record<'all' | 'successes', Count>> = {
    all: { all: 0, unread: 0, reason: '' },
    successes: { all: 0, unread: 0, reason: '' },
  };
  const note = (count: Count, reason: string | undefined): void => {
    count.all += 1;
    if (reason === undefined) return;
    if (count.unread === 0) count.reason = reason;
    count.unread += 1;
  };
  return {
    add: (isSuccess, reason) => {
      note(counts.all, reason);
      if (isSuccess) note(counts.successes, reason);
    },
    explain: () =>
      explainCount(counts.all, 'exchanges of its operations', required) ??
      explainCount(counts.successes, 'successes', required),
  };
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

/** Whether the document describes a body for a status of an operation. */
export function hasDescribedBody({ responses }: Operation, status: number): boolean {
  const family = `${Math.floor(status / 100)}XX`;
  const found =
    responses.find((each) => each.status === String(status)) ??
    responses.find((each) => each.status.toUpperCase() === family) ??
    responses.find((each) => each.status === 'default');
  return found !== undefined && found.content.length > 0;
}

/** Whether the client gave up, or the target never got the request, as browsers and the proxy say it. */
export function isGivenUp(reason: string): boolean {
  return /abort|cancel|blocked|the client disconnected|not forwarded/i.test(reason);
}
