import type { Limit } from './limit.ts';

/** What one response of a target, and all of a run, may cost the suite. */
export const responseLimits = {
  bytes: {
    most: 8 * 1024 * 1024,
    unit: 'bytes',
    what: 'The body of a response, as it comes and without its content codings',
    over: 'It is not judged, its size is told, and the run is inconclusive unless something failed.',
    flag: '--max-response-bytes',
  },
  endless: {
    most: 4,
    unit: 'count',
    what: 'Times that size after which a body that goes on counts as one without end',
    over: 'The operation fails the requirement that it responds.',
  },
  bytesTogether: {
    most: 24 * 1024 * 1024,
    unit: 'bytes',
    what: 'All bodies of a run of more than 16 KiB, together',
    over: 'Further bodies of that size are not judged, and the run is inconclusive unless something failed.',
    flag: '--max-response-bytes',
  },
  values: {
    most: 120_000,
    unit: 'items',
    what: 'Values in the JSON of one response: members, items and what holds them',
    over: 'It is not judged, their number is told, and the run is inconclusive unless something failed.',
    flag: '--max-response-bytes',
  },
  valuesTogether: {
    most: 500_000,
    unit: 'items',
    what: 'Values in the bodies of a run of more than 16 KiB, together',
    over: 'Further bodies of that size are not judged, and the run is inconclusive unless something failed.',
    flag: '--max-response-bytes',
  },
  smallBytesTogether: {
    most: 16 * 1024 * 1024,
    unit: 'bytes',
    what: 'The header fields of all responses of a run, and their bodies of no more than 16 KiB, together, with 8 KiB more for each response',
    over: 'What would add more is not judged, and the run is inconclusive unless something failed.',
    flag: '--max-response-bytes',
  },
  smallValuesTogether: {
    most: 600_000,
    unit: 'items',
    what: 'Values in the bodies of a run of no more than 16 KiB, and two for each header field of any response, together, with 400 more for each response',
    over: 'What would add more is not judged, and the run is inconclusive unless something failed.',
    flag: '--max-response-bytes',
  },
  levels: {
    most: 200,
    unit: 'levels',
    what: 'Levels of arrays and objects in the JSON of a response',
    over: 'It is not judged, their number is told, and the run is inconclusive unless something failed.',
  },
  codings: {
    most: 4,
    unit: 'count',
    what: 'Content codings of a response, one over the other',
    over: 'It is not judged, and the run is inconclusive unless something failed.',
  },
  zstdFrames: {
    most: 1000,
    unit: 'count',
    what: 'Frames of a response that is coded as zstd',
    over: 'It is not judged, and the run is inconclusive unless something failed.',
  },
  headerBytes: {
    most: 64 * 1024,
    unit: 'bytes',
    what: 'The header fields of a response, and its trailers',
    over: 'It is not judged, and the run is inconclusive unless something failed.',
  },
  interim: {
    most: 100,
    unit: 'count',
    what: 'Interim responses (1xx) before a response',
    over: 'The operation fails the requirement that it responds.',
  },
} as const satisfies Readonly<Record<string, Limit>>;
