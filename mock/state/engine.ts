/**
 * A sandbox is stored as named parts: an item, an entry of the journal, and so on. Each part is a JSON
 * text without line breaks. All parts of a sandbox have one version.
 */
export interface StoredSandbox {
  /** Undefined for a sandbox of which nothing is stored. */
  readonly version: string | undefined;
  /** These are all parts. Otherwise they are those that changed after a version. */
  readonly isWhole: boolean;
  /** By name; undefined for a part that was removed. */
  readonly parts: Parts;
}

export type Parts = ReadonlyMap<string, string | undefined>;

/** Replaces one version of a sandbox by the next. */
export interface StateWrite {
  readonly sandbox: string;
  /** The version that the parts were changed in; undefined for a new sandbox. */
  readonly after: string | undefined;
  /** Never used before, as `nextVersion` makes it. */
  readonly next: string;
  /** The parts that change; undefined for one that is removed. */
  readonly parts: Parts;
}

/**
 * Stores sandboxes outside the memory of the process. All methods reject with `PetstoreError` if the
 * engine cannot be reached or written to.
 */
export interface StateEngine {
  /** What changed after a version; the whole sandbox if that version is undefined or not known. */
  read(sandbox: string, after: string | undefined): Promise<StoredSandbox>;
  /**
   * Stores all parts or none. Once it resolves with true, nothing of it is lost. False: the stored
   * version is another. A write that is sent twice is done once, and resolves with true both times.
   */
  write(write: StateWrite): Promise<boolean>;
  /** Removes a sandbox. */
  forget(sandbox: string): Promise<void>;
  /** Names of the sandboxes that are stored. */
  list(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** The version after another: the next number, and a random text that no other writer has. */
export function nextVersion(after: string | undefined): string {
  const number = after === undefined ? 0 : Number.parseInt(after, 10);
  return `${number + 1}-${crypto.randomUUID().slice(-12)}`;
}
