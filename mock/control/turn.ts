import { PetstoreError } from '../../contract/index.ts';

/** Control requests that wait for the journal of a sandbox. */
export const mostWaits = 100;

/** Webhooks that the control interface sends at once. */
export const mostDeliveries = 100;

/** What may be under way so often at once, and no more often. */
export interface Turns {
  /** What comes of an action; rejects with `PetstoreError` of code `memory` for one too many. */
  readonly take: <T>(action: () => Promise<T>) => Promise<T>;
}

/** What requests to the control interface of one mock wait for. */
export interface ControlTurns {
  /** Requests that wait for the journal of a sandbox. */
  readonly waits: Turns;
  /** Webhooks whose receivers have not responded yet. */
  readonly deliveries: Turns;
}

export function createControlTurns(): ControlTurns {
  return {
    waits: createTurns(
      mostWaits,
      `At most ${mostWaits} requests can wait for journals at once. Try again, or without "wait".`,
    ),
    deliveries: createTurns(
      mostDeliveries,
      `At most ${mostDeliveries} webhooks can be under way at once. Try again.`,
    ),
  };
}

function createTurns(most: number, refusal: string): Turns {
  let taken = 0;
  return {
    take: async (action) => {
      if (taken >= most) throw new PetstoreError('memory', refusal);
      taken += 1;
      try {
        return await action();
      } finally {
        taken -= 1;
      }
    },
  };
}
