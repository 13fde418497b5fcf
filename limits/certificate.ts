import type { Limit } from './limit.ts';

/** What a certificate and its keys may cost whoever verifies them. */
export const certificateLimits = {
  fileBytes: {
    most: 128 * 1024 * 1024,
    unit: 'bytes',
    what: 'A certificate file',
    over: '`verify` says that the file is too large; exit code 2.',
  },
  signatures: {
    most: 100,
    unit: 'count',
    what: 'Signatures of one envelope',
    over: 'The certificate is malformed.',
  },
} as const satisfies Readonly<Record<string, Limit>>;
