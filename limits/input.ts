import type { Limit } from './limit.ts';

/** What a file that a command reads may cost, besides documents and certificates. */
export const inputLimits = {
  recordingBytes: {
    most: 256 * 1024 * 1024,
    unit: 'bytes',
    what: 'A recording or a report: an HTTP Archive, a journal, a `report.json`, its attached bodies',
    over: 'It is refused as too large; exit code 2.',
  },
  settingBytes: {
    most: 16 * 1024 * 1024,
    unit: 'bytes',
    what: 'A seed, stubs, waivers, a configuration, a key or a saved counterexample',
    over: 'It is refused as too large; exit code 2.',
  },
  values: {
    most: 5_000_000,
    unit: 'count',
    what: 'JSON values of such a file: members and elements, at all levels',
    over: 'It is refused as too large, with the place of the first that is too many; exit code 2.',
  },
} as const satisfies Readonly<Record<string, Limit>>;
