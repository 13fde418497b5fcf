import type { Limit } from './limit.ts';

/** What a run of the suite may take, and what it must have tested. */
export const runLimits = {
  untested: {
    most: 10,
    unit: 'percent',
    what: 'The part of the planned requests that the target or the time limit keeps from being tested. `--require-tested 95` leaves 5 %',
    over: 'The run is inconclusive, and says why; exit code 2.',
    flag: '--require-tested',
  },
} as const satisfies Readonly<Record<string, Limit>>;
