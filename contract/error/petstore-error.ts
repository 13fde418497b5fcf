/** What went wrong, for programs to switch on. */
export type ErrorCode =
  /** A command line asks for what cannot be. */
  | 'argument'
  /** A choice that the document does not have, or that it cannot make. */
  | 'choice'
  /** A time that a sandbox clock cannot show. */
  | 'clock'
  /** A fault that makes no sense. */
  | 'fault'
  /** A run that cannot say anything: nobody is there, or it was interrupted. */
  | 'inconclusive'
  /** A journal that cannot be read. */
  | 'journal'
  /** A key file that holds no key of the kind that is wanted. */
  | 'key'
  /** A rate limit that the document does not have, or that cannot be. */
  | 'limit'
  /** A mock keeps as much as it may. */
  | 'memory'
  /** Reports that are not of the shards of one run, or say what their logs do not. */
  | 'merge'
  /** A replay id, or a saved counterexample, that cannot be read or sent. */
  | 'replay'
  /** A name that no sandbox can have, or one sandbox too many. */
  | 'sandbox'
  /** An item that does not fit the contract. */
  | 'seed'
  /** JSON that has another shape than the one wanted; `place` is a pointer into it. */
  | 'shape'
  /** A snapshot that is not there, or one too many. */
  | 'snapshot'
  /** State outside the process that cannot be reached, read or written. */
  | 'state'
  /** A stub that makes no sense. */
  | 'stub'
  /** A target that cannot be asked so. */
  | 'target'
  /** A waiver that cannot be used. */
  | 'waiver'
  /** A webhook that cannot be sent so. */
  | 'webhook'
  /** The receiver of a webhook does not respond. */
  | 'receiver';

interface ErrorFacts {
  /** Where: a JSON pointer (RFC 6901), an option, or a file. */
  readonly place?: string;
  /** What to do about it, in a sentence. */
  readonly remedy?: string;
  readonly cause?: unknown;
}

/** Something that a person can put right. The message is the detail, then the remedy. */
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

/** Whether something thrown is an error of one of these codes. */
export function hasCode(error: unknown, ...codes: readonly ErrorCode[]): error is PetstoreError {
  return error instanceof PetstoreError && codes.includes(error.code);
}
