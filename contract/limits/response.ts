import type { Limit } from './limit.ts';

/** What one response of a target, and all of a run, may cost the suite. */
export const responseLimits = {
  bytes: {
    most: 8 * 1024 * 1024,
    unit: 'bytes',
    what: 'The body of a response, compressed and decompressed',
    over: 'Not judged.',
    flag: '--max-response-bytes',
  },
  endless: {
    most: 4,
    unit: 'count',
    what: 'Times that size after which a body that goes on counts as one without end',
  },
  bytesTogether: {
    most: 24 * 1024 * 1024,
    unit: 'bytes',
    what: 'All bodies over 16 KiB of a run',
    over: 'Further ones are not judged.',
    flag: '--max-response-bytes',
  },
  values: {
    most: 120_000,
    unit: 'items',
    what: 'JSON values of a response',
    over: 'Not judged.',
    flag: '--max-response-bytes',
  },
  valuesTogether: {
    most: 500_000,
    unit: 'items',
    what: 'Values in the bodies of a run of more than 16 KiB, together',
    flag: '--max-response-bytes',
  },
  smallBytesTogether: {
    most: 16 * 1024 * 1024,
    unit: 'bytes',
    what: 'All other bodies and all headers of a run, with 8 KiB more per response',
    flag: '--max-response-bytes',
  },
  smallValuesTogether: {
    most: 600_000,
    unit: 'items',
    what: 'Values in the bodies of a run of no more than 16 KiB, and two for each header field of any response, together, with 400 more for each response',
    flag: '--max-response-bytes',
  },
  levels: {
    most: 200,
    unit: 'levels',
    what: 'Nesting of the JSON of a response',
    over: 'Not judged.',
  },
  codings: {
    most: 4,
    unit: 'count',
    what: 'Content codings of a response, one over the other',
  },
  zstdFrames: {
    most: 1000,
    unit: 'count',
    what: 'Frames of a response that is coded as zstd',
  },
  headerBytes: {
    most: 64 * 1024,
    unit: 'bytes',
    what: 'The header fields of a response',
    over: 'Not judged.',
  },
  interim: {
    most: 100,
    unit: 'count',
    what: 'Interim responses (1xx) before a response',
  },
} as const satisfies Readonly<Record<string, Limit>>;
