/**
 * Limits that more than one room uses. All others are where they are used; docs/limits.md has those that
 * users can meet.
 */

/** Items of a generated list. */
export const mostSampleItems = 1_000;

/** Characters of a generated text. */
export const mostSampleText = 1024 * 1024;

/** Characters of a generated header of a response. */
export const mostSampleHeader = 8192;

/** Characters of all generated headers of a response, with their names. */
export const mostSampleHeaders = 8448;

/** Bytes of the body of a response, compressed and decompressed, by default. */
export const mostResponseBytes = 8 * 1024 * 1024;

/** JSON values of a response. */
export const mostResponseValues = 120_000;

/** Bytes of the header fields of a response. */
export const mostHeaderBytes = 64 * 1024;

/** A file that a command reads, besides documents and certificates. */
export const inputLimits = {
  /** A file that a command reads, bytes. */
  recordingBytes: 256 * 1024 * 1024,
  /** JSON values of such a file. */
  values: 5_000_000,
} as const;

/** What a certificate and its keys may cost whoever verifies them. */
export const certificateLimits = {
  /** A certificate file, bytes. */
  fileBytes: 48 * 1024 * 1024,
  /** JSON values of a certificate: members and elements, at all levels. */
  values: 1_000_000,
  /** Different names of members in a certificate, at all levels. */
  names: 1000,
  /** Memory of `verify`, bytes. */
  heapBytes: 256 * 1024 * 1024,
  /** A key file, bytes. */
  keyFileBytes: 64 * 1024,
  /** The settings of a certificate, as JSON, characters. */
  settings: 1024 * 1024,
  /** JSON values of the settings of a certificate. */
  settingValues: 20_000,
  /** Signatures of a certificate. */
  signatures: 8,
  /** The keyid of a signature, characters. */
  keyid: 1000,
  /** The name, and the version, of a target, characters. */
  targetName: 200,
  /** Requests of a certified run. */
  logEntries: 10_000,
  /** How far in the future a run may have begun, milliseconds. */
  futureMilliseconds: 24 * 60 * 60 * 1000,
} as const;
