/** The kind of an error, for programs. */
export type ErrorCode =
  /** Invalid command-line arguments. */
  | 'argument'
  /** A choice that the document does not have, or the mock cannot make. */
  | 'choice'
  /** A time that a sandbox clock cannot show. */
  | 'clock'
  /** An invalid fault. */
  | 'fault'
  /** A run without a result: the target is unreachable, or the run was interrupted. */
  | 'inconclusive'
  /** A journal that cannot be read. */
  | 'journal'
  /** A key file without a key of the expected kind. */
  | 'key'
  /** A rate limit that the document does not have, or that is invalid. */
  | 'limit'
  /** A mock has reached its memory limit. */
  | 'memory'
  /** Reports that are not shards of one run, or contradict their logs. */
  | 'merge'
  /** A replay id or saved counterexample that cannot be read or sent. */
  | 'replay'
  /** An invalid sandbox name, or too many sandboxes. */
  | 'sandbox'
  /** An item that does not match the contract. */
  | 'seed'
  /** JSON of another shape than expected; `place` is a pointer into it. */
  | 'shape'
  /** A missing snapshot, or too many. */
  | 'snapshot'
  /** External state that cannot be reached, read or written. */
  | 'state'
  /** An invalid stub. */
  | 'stub'
  /** An invalid target. */
  | 'target'
  /** An invalid waiver. */
  | 'waiver'
  /** A webhook that cannot be sent. */
  | 'webhook'
  /** The receiver of a webhook does not respond. */
  | 'receiver';

interface ErrorFacts {
  /** A JSON pointer (RFC 6901), an option or a file. */
  readonly place?: string;
  /** How to correct it, in one sentence. */
  readonly remedy?: string;
  readonly cause?: unknown;
}

/** An error that the user can correct. The message is the detail, then the remedy. */
export class PetstoreError extends Error {
  override readonly name = 'PetstoreError';
  readonly code: ErrorCode;
  readonly detail: string;
  readonly place: string | undefined;
  readonly remedy: string | undefined;

  constructor(code: ErrorCode, detail: string, { place, remedy, cause }: ErrorFacts = {}) {
    super(
      remedy === undefined ? detail : `${detail} ${remedy}`,
      cause === undefined ? {} : { cause },
    );
    this.code = code;
    this.detail = detail;
    this.place = place;
    this.remedy = remedy;
  }
}

/** Whether something thrown is an error with one of these codes. */
export function hasCode(error: unknown, ...codes: readonly ErrorCode[]): error is PetstoreError {
  return error instanceof PetstoreError && codes.includes(error.code);
}

/** Handles a rejection: resolves with a `PetstoreError`, and throws anything else again. */
export function asPetstoreError(error: unknown): PetstoreError {
  if (error instanceof PetstoreError) return error;
  throw error;
}
