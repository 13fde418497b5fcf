/** Changes of one sandbox after a version; a text of JSON each, without line breaks. */
export interface Changes {
  readonly kind: 'changes';
  /** Version after the last of them. */
  readonly version: number;
  readonly changes: readonly string[];
}

/** A sandbox as a whole, where the changes before it are compacted; and the changes after that. */
export interface StoredSandbox {
  readonly kind: 'whole';
  /** Version after the last of the changes. */
  readonly version: number;
  /** JSON without line breaks; undefined where nothing was compacted yet: a new sandbox. */
  readonly snapshot: string | undefined;
  readonly changes: readonly string[];
}

/** What came of an append: done, or what others appended first. Then nothing was appended. */
export type Appended =
  | { readonly kind: 'appended'; readonly version: number }
  | { readonly kind: 'conflict'; readonly missed: Changes | StoredSandbox };

/**
 * Keeps a log of changes for each sandbox, outside the memory of the process. A version is the
 * number of changes since the sandbox began: 0 for a new one. All methods reject with
 * `PetstoreError` where the engine cannot be reached or written to.
 */
export interface StateEngine {
  /** The whole sandbox; version 0, no snapshot and no changes where it is not known. */
  load(sandbox: string): Promise<StoredSandbox>;
  /** What was appended after a version; the whole where that is compacted. */
  read(sandbox: string, version: number): Promise<Changes | StoredSandbox>;
  /** Appends all or none after a version, atomically. Once it resolves, nothing of it is lost. */
  append(sandbox: string, version: number, changes: readonly string[]): Promise<Appended>;
  /** Puts a snapshot in the place of all changes up to a version. It may be called late or twice. */
  compact(sandbox: string, version: number, snapshot: string): Promise<void>;
  /** Forgets a sandbox; its next version is still greater than any before. */
  forget(sandbox: string): Promise<void>;
  /** Names of the sandboxes that are kept. */
  list(): Promise<readonly string[]>;
  close(): Promise<void>;
}
