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
  unread: {
    most: 10,
    unit: 'percent',
    what: 'The part of the exchanges that `proxy` and `judge` see of the operations, and of the successes among them, whose response cannot be judged to its end: it is too large, cut, not recorded, takes too many steps to judge, or none came',
    over: 'Unless a requirement failed, what they found is inconclusive, and says why; exit code 2.',
    flag: '--require-tested',
  },
  wait: {
    most: 90_000,
    unit: 'milliseconds',
    what: 'One wait that a target asks for',
    over: 'The run ends there: what is left is not tested.',
  },
  time: {
    most: 90_000,
    unit: 'milliseconds',
    what: 'The time of a run, on top of half a second for each planned request and 90 s for each minute of the rate plan that it takes',
    over: 'The run ends there: what is left is not tested.',
    flag: '--time-limit',
  },
  smallerBodies: {
    most: 4 * 1024 * 1024,
    unit: 'characters',
    what: 'Bodies that are looked at to find a smaller one that breaks the same requirement, all together',
    over: 'The search ends there: the smallest that was found is told.',
  },
  waivers: {
    most: 10,
    unit: 'percent',
    what: 'Waivers of a run, of the requirements that can fail it; one is always taken',
    over: 'The waivers are refused before the first request; exit code 2.',
  },
  waiverTerm: {
    most: 366,
    unit: 'days',
    what: 'The term of a waiver, from the start of the run',
    over: 'The waivers are refused before the first request; exit code 2.',
  },
  waiverText: {
    most: 1000,
    unit: 'characters',
    what: 'The reason, and the owner, of a waiver',
    over: 'The waivers are refused before the first request; exit code 2.',
  },
  clientRequests: {
    most: 5000,
    unit: 'count',
    what: 'Requests of a client in one scenario of `certify-client`',
    over: 'The client is ended, which no client that conforms is.',
  },
  clientBytes: {
    most: 32 * 1024 * 1024,
    unit: 'bytes',
    what: 'Bodies of the requests of a client in one scenario, and of the responses to them',
    over: 'The client is ended, which no client that conforms is.',
  },
} as const satisfies Readonly<Record<string, Limit>>;
