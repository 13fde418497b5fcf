import type { Limit } from './limit.ts';

/** What a certificate and its keys may cost whoever verifies them. */
export const certificateLimits = {
  fileBytes: {
    most: 48 * 1024 * 1024,
    unit: 'bytes',
    what: 'A certificate file',
    over: 'Inconclusive, exit code 2.',
  },
  values: {
    most: 1_000_000,
    unit: 'count',
    what: 'JSON values of a certificate: members and elements, at all levels',
  },
  names: {
    most: 1000,
    unit: 'count',
    what: 'Different names of members in a certificate, at all levels',
  },
  heapBytes: {
    most: 256 * 1024 * 1024,
    unit: 'bytes',
    what: 'Memory of `verify`',
    over: 'Exit code 2.',
  },
  keyFileBytes: {
    most: 64 * 1024,
    unit: 'bytes',
    what: 'A key file',
  },
  settings: {
    most: 1024 * 1024,
    unit: 'characters',
    what: 'The settings of a certificate, as JSON',
  },
  settingValues: {
    most: 20_000,
    unit: 'count',
    what: 'JSON values of the settings of a certificate',
  },
  signatures: {
    most: 8,
    unit: 'count',
    what: 'Signatures of a certificate',
    over: 'It does not hold, exit code 1.',
  },
  keyid: {
    most: 1000,
    unit: 'characters',
    what: 'The keyid of a signature',
  },
  targetName: {
    most: 200,
    unit: 'characters',
    what: 'The name, and the version, of a target',
  },
  logEntries: {
    most: 10_000,
    unit: 'count',
    what: 'Requests of a certified run',
    over: 'Not certified: use `--shard`.',
  },
  futureMilliseconds: {
    most: 24 * 60 * 60 * 1000,
    unit: 'milliseconds',
    what: 'How far in the future a run may have begun',
  },
} as const satisfies Readonly<Record<string, Limit>>;
