import type { Limit } from './limit.ts';

/** What a run of the suite may take, and what it must have tested. */
export const runLimits = {
  untested: {
    most: 10,
    unit: 'percent',
    what: 'Planned requests that could not be tested. `--require-tested 95` permits 5 %',
    over: 'The run is inconclusive.',
    flag: '--require-tested',
  },
  unread: {
    most: 10,
    unit: 'percent',
    what: 'Exchanges of `proxy` and `judge`, and successful ones among them, that could not be judged completely',
    over: 'The result is inconclusive unless a requirement failed.',
    flag: '--require-tested',
  },
  wait: {
    most: 90_000,
    unit: 'milliseconds',
    what: 'One wait that a target asks for',
    over: 'The run ends.',
  },
  time: {
    most: 90_000,
    unit: 'milliseconds',
    what: 'The time of a run, on top of its waits for rate limits and half a second per request',
    over: 'The run ends.',
    flag: '--time-limit',
  },
  smallerBodies: {
    most: 4 * 1024 * 1024,
    unit: 'characters',
    what: 'Bodies that are looked at to find a smaller one that breaks the same requirement, all together',
  },
  waivers: {
    most: 10,
    unit: 'percent',
    what: 'Waived requirements; one is always permitted',
    over: 'The waivers are refused.',
  },
  waiverTerm: {
    most: 366,
    unit: 'days',
    what: 'The term of a waiver',
    over: 'The waivers are refused.',
  },
  waiverText: {
    most: 1000,
    unit: 'characters',
    what: 'The reason, and the owner, of a waiver',
  },
  clientRequests: {
    most: 5000,
    unit: 'count',
    what: 'Requests of a client in one scenario',
  },
  clientBytes: {
    most: 32 * 1024 * 1024,
    unit: 'bytes',
    what: 'Bodies of the requests of a client in one scenario, and of the responses to them',
  },
} as const satisfies Readonly<Record<string, Limit>>;
