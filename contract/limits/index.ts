/**
 * Limits used by several rooms. All others are where they are used; docs/limits.md lists those that users
 * can reach.
 */

/** Most items of a generated list. */
export const maxSampleItems = 1_000;

/** Most characters of a generated text. */
export const maxSampleText = 1024 * 1024;

/** Most characters of a generated response header. */
export const maxSampleHeader = 8192;

/** Most characters of all generated headers of a response, including names. */
export const maxSampleHeaders = 8448;

/** Default maximum of bytes in a response body, compressed and decompressed. */
export const responseBytesLimit = 8 * 1024 * 1024;

/** Most JSON values of a response. */
export const maxResponseValues = 120_000;

/** Most bytes of the header fields of a response. */
export const maxHeaderBytes = 64 * 1024;

/** Limits of a file that a command reads, except documents and certificates. */
export const inputLimits = {
  /** Bytes of the file. */
  recordingBytes: 256 * 1024 * 1024,
  /** JSON values of such a file. */
  values: 5_000_000,
} as const;

/** Limits of a certificate and its keys, for whoever verifies them. */
export const certificateLimits = {
  /** Bytes of a certificate file. */
  fileBytes: 48 * 1024 * 1024,
  /** JSON values of a certificate: members and elements, at all levels. */
  values: 1_000_000,
  /** Different member names in a certificate, at all levels. */
  names: 1000,
  /** Memory of `verify`, in bytes. */
  heapBytes: 256 * 1024 * 1024,
  /** Bytes of a key file. */
  keyFileBytes: 64 * 1024,
  /** Characters of the settings of a certificate, as JSON. */
  settings: 1024 * 1024,
  /** JSON values of the settings of a certificate. */
  settingValues: 20_000,
  /** Signatures of a certificate. */
  signatures: 8,
  /** Characters of the keyid of a signature. */
  keyid: 1000,
  /** Characters of the name and of the version of a target. */
  targetName: 200,
  /** Requests of a certified run. */
  logEntries: 10_000,
  /** How far in the future a run may have begun, in milliseconds. */
  futureMilliseconds: 24 * 60 * 60 * 1000,
} as const;
