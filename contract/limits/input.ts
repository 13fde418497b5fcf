import type { Limit } from './limit.ts';

/** What a file that a command reads may cost, besides documents and certificates. */
export const inputLimits = {
  recordingBytes: {
    most: 256 * 1024 * 1024,
    unit: 'bytes',
    what: 'A recording or a report',
    over: 'Exit code 2.',
  },
  settingBytes: {
    most: 16 * 1024 * 1024,
    unit: 'bytes',
    what: 'Seeds, stubs, waivers, configurations, saved counterexamples',
    over: 'Exit code 2.',
  },
  values: {
    most: 5_000_000,
    unit: 'count',
    what: 'JSON values of such a file',
  },
} as const satisfies Readonly<Record<string, Limit>>;
