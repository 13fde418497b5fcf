import type { Limit } from './limit.ts';

/** What a certificate and its keys may cost whoever verifies them. */
export const certificateLimits = {
  fileBytes: {
    most: 64 * 1024 * 1024,
    unit: 'bytes',
    what: 'A certificate file',
    over: '`verify` says that the certificate is too large; exit code 1.',
  },
  values: {
    most: 2_000_000,
    unit: 'count',
    what: 'JSON values of a certificate: members and elements, at all levels',
    over: '`verify` says that the certificate is too large; exit code 1.',
  },
  signatures: {
    most: 100,
    unit: 'count',
    what: 'Signatures of one envelope',
    over: 'The certificate is malformed.',
  },
} as const satisfies Readonly<Record<string, Limit>>;
