import { PetstoreError, addAll } from '../../../contract/index.ts';
import type { PlacedEntry, Span } from './block.ts';

/** About what the line of an entry takes, besides its texts. */
const entryBytes = 120;

/** What is kept of a sandbox; its texts by where they are in the log. */
export class Kept {
  /** What the snapshot stands for; without one, where the changes begin. */
  base = 0;
  snapshot: Span | undefined;
  /** One for each version after the base. */
  changes: Span[] = [];
  /** Nothing is kept but where its versions go on. */
  isForgotten = true;
  #changeBytes = 0;

  get version(): number {
    return this.base + this.changes.length;
  }

  /** What it takes in a log without waste. */
  get bytes(): number {
    return this.#changeBytes + (this.snapshot?.bytes ?? 0) + entryBytes;
  }

  /**
   * Does what an entry says. A snapshot that comes late changes nothing.
   *
   * @throws {PetstoreError} with code `state` for changes that do not follow what is kept
   */
  apply({ kind, sandbox, version, texts }: PlacedEntry): void {
    switch (kind) {
      case 'append':
        if (version !== this.version + texts.length) throw gap(sandbox, this.version);
        addAll(this.changes, texts);
        this.#changeBytes += sumBytes(texts);
        this.isForgotten = false;
        break;
      case 'snapshot':
        if (version <= this.base || version > this.version) return;
        this.#changeBytes -= sumBytes(this.changes.splice(0, version - this.base));
        this.base = version;
        this.snapshot = texts[0];
        break;
      case 'begin':
      case 'forget':
        this.base = version;
        this.snapshot = texts[0];
        this.changes = [];
        this.#changeBytes = 0;
        this.isForgotten = kind === 'forget';
        break;
    }
  }
}

function gap(sandbox: string, version: number): PetstoreError {
  const remedy = 'Replace it with a backup. The file was not changed.';
  const detail = `The log lacks changes of the sandbox "${sandbox}" after version ${version}.`;
  return new PetstoreError('state', detail, { remedy });
}

function sumBytes(texts: readonly Span[]): number {
  return texts.reduce((sum, { bytes }) => sum + bytes + 1, 0);
}
