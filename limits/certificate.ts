import type { Limit } from './limit.ts';

const malformed = 'The certificate is malformed and does not hold; exit code 1. None is written.';

/** What a certificate and its keys may cost whoever verifies them. */
export const certificateLimits = {
  fileBytes: {
    most: 48 * 1024 * 1024,
    unit: 'bytes',
    what: 'A certificate file',
    over: '`verify` says that the certificate is too large; exit code 2.',
  },
  values: {
    most: 1_000_000,
    unit: 'count',
    what: 'JSON values of a certificate: members and elements, at all levels',
    over: '`verify` says that the certificate is too large; exit code 2.',
  },
  names: {
    most: 1000,
    unit: 'count',
    what: 'Different names of members in a certificate, at all levels',
    over: '`verify` says that the certificate is too large; exit code 2.',
  },
  shardBytes: {
    most: 512 * 1024 * 1024,
    unit: 'bytes',
    what: 'The certificates of shards that `verify` and `merge` read, together; they take some four times as much memory',
    over: 'The command says that they are too large; exit code 2.',
  },
  heapBytes: {
    most: 256 * 1024 * 1024,
    unit: 'bytes',
    what: 'Memory for what `verify` and `countersign`, without `--shard`, make of a certificate',
    over: 'The command says that it is too large; exit code 2.',
  },
  keyFileBytes: {
    most: 64 * 1024,
    unit: 'bytes',
    what: 'A key file',
    over: 'The command says that the file is too large; exit code 2.',
  },
  signedBytes: {
    most: 1024 * 1024 * 1024,
    unit: 'bytes',
    what: 'What is signed, times the signatures of the envelope, times the keys given',
    over: '`verify` says that the certificate is too large; exit code 2.',
  },
  settings: {
    most: 1024 * 1024,
    unit: 'characters',
    what: 'The configuration of a certificate, as JSON',
    over: 'The certificate is too large; exit code 2. None is written.',
  },
  settingValues: {
    most: 20_000,
    unit: 'count',
    what: 'JSON values of the configuration of a certificate',
    over: 'The certificate is too large; exit code 2. None is written.',
  },
  signatures: {
    most: 32,
    unit: 'count',
    what: 'Signatures of one envelope',
    over: 'The certificate is malformed and does not hold; exit code 1. No further one is added.',
  },
  keyid: {
    most: 1000,
    unit: 'characters',
    what: 'The keyid of a signature',
    over: malformed,
  },
  targetName: {
    most: 200,
    unit: 'characters',
    what: 'The name, and the version, of a target',
    over: malformed,
  },
  text: {
    most: 10_000,
    unit: 'characters',
    what: 'Any other text of a certificate outside of its log and configuration',
    over: 'What was expected and received, a reason and a sentence are cut when they are written. For others: the certificate is malformed and does not hold; exit code 1. None is written.',
  },
  logEntries: {
    most: 10_000,
    unit: 'count',
    what: 'Entries of the log of a certificate',
    over: '`verify` says that the certificate is too large; exit code 2. A run of more requests is not certified: it is split by `--shard`.',
  },
  verdicts: {
    most: 50_000,
    unit: 'count',
    what: 'Verdicts of a certificate',
    over: malformed,
  },
  choices: {
    most: 1000,
    unit: 'count',
    what: 'Choices of one open question in a certificate',
    over: malformed,
  },
  waivers: {
    most: 1000,
    unit: 'count',
    what: 'Waivers of a certificate',
    over: malformed,
  },
  futureMilliseconds: {
    most: 24 * 60 * 60 * 1000,
    unit: 'milliseconds',
    what: 'How far ahead of the clock of its verifier a run may have begun',
    over: 'Whether the certificate holds is inconclusive; exit code 2.',
  },
} as const satisfies Readonly<Record<string, Limit>>;
