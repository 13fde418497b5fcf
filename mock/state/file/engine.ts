import { PetstoreError } from '../../../contract/index.ts';
import type { Appended, Changes, StateEngine, StoredSandbox } from '../engine.ts';
import type { Entry, PlacedEntry, Span } from './block.ts';
import type { Disk } from './disk.ts';
import { explainDiskError } from './disk-error.ts';
import { Kept } from './kept.ts';
import { type Log, logName, openLog } from './log.ts';

export interface FileEngineOptions {
  /** Told what the user should know, a sentence each. */
  readonly notify?: (notice: string) => void;
  /** Rejects where the folder is no longer this engine's. */
  readonly confirm?: () => Promise<void>;
  /** Bytes of waste in the log, besides as much as is kept, before it is rewritten. */
  readonly slackBytes?: number;
}

/** An entry that is to be written, and who waits for it. */
interface Waiting {
  readonly entry: Entry;
  readonly resolve: () => void;
  readonly reject: (error: PetstoreError) => void;
}

/**
 * Keeps sandboxes in one log in a folder. What was asked for while the disk was busy is written and
 * synced together.
 *
 * @param folder how users know it
 * @throws {PetstoreError} with code `state`
 */
export async function createFileEngine(
  disk: Disk,
  folder: string,
  options: FileEngineOptions = {},
): Promise<StateEngine> {
  try {
    const { log, entries, cut } = await openLog(disk, folder);
    if (cut !== undefined)
      options.notify?.(
        `${folder}/${logName} ends with an incomplete record: the last ${cut.bytes} bytes, from byte ${cut.position}, were removed.`,
      );
    try {
      return new FileEngine(log, entries, folder, options);
    } catch (error) {
      await log.close();
      throw error;
    }
  } catch (error) {
    throw explainDiskError(folder, error);
  }
}

class FileEngine implements StateEngine {
  readonly #log: Log;
  readonly #folder: string;
  readonly #options: FileEngineOptions;
  /** What is on the disk. */
  readonly #kept = new Map<string, Kept>();
  /** Versions that sandboxes have once all that waits is written. */
  readonly #ahead = new Map<string, number>();
  #waiting: Waiting[] = [];
  #turn: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #keptBytes = 0;
  /** Size of the log before which it is not rewritten. */
  #tidyFrom = 0;

  constructor(
    log: Log,
    entries: readonly PlacedEntry[],
    folder: string,
    options: FileEngineOptions,
  ) {
    this.#log = log;
    this.#folder = folder;
    this.#options = options;
    this.#apply(entries);
  }

  load(sandbox: string): Promise<StoredSandbox> {
    return this.#inTurn(() => this.#readWhole(this.#keptOf(sandbox)));
  }

  read(sandbox: string, version: number): Promise<Changes | StoredSandbox> {
    return this.#inTurn(() => this.#readAfter(this.#keptOf(sandbox), version));
  }

  async append(sandbox: string, version: number, changes: readonly string[]): Promise<Appended> {
    if (this.#versionAhead(sandbox) !== version)
      return { kind: 'conflict', missed: await this.read(sandbox, version) };
    const after = version + changes.length;
    if (changes.length > 0)
      await this.#write({ kind: 'append', sandbox, version: after, texts: changes });
    return { kind: 'appended', version: after };
  }

  async compact(sandbox: string, version: number, snapshot: string): Promise<void> {
    const { base } = this.#keptOf(sandbox);
    if (version <= base || version > this.#versionAhead(sandbox)) return;
    await this.#write({ kind: 'snapshot', sandbox, version, texts: [snapshot] });
  }

  async forget(sandbox: string): Promise<void> {
    const version = this.#versionAhead(sandbox);
    if (version === 0 || (!this.#ahead.has(sandbox) && this.#keptOf(sandbox).isForgotten)) return;
    await this.#write({ kind: 'forget', sandbox, version: version + 1, texts: [] });
  }

  list(): Promise<readonly string[]> {
    return this.#inTurn(() =>
      [...this.#kept].filter(([, { isForgotten }]) => !isForgotten).map(([name]) => name),
    );
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    const closed = this.#inTurn(() => this.#log.close());
    this.#isClosed = true;
    await closed;
  }

  #keptOf(sandbox: string): Kept {
    return this.#kept.get(sandbox) ?? new Kept();
  }

  #versionAhead(sandbox: string): number {
    return this.#ahead.get(sandbox) ?? this.#keptOf(sandbox).version;
  }

  /** One after the other, in the order of the calls. */
  #inTurn<T>(task: () => T | Promise<T>): Promise<T> {
    if (this.#isClosed)
      return Promise.reject(new PetstoreError('state', 'The state storage is closed.'));
    const result = this.#turn.then(task).catch((error: unknown) => {
      throw explainDiskError(this.#folder, error);
    });
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async #write(entry: Entry): Promise<void> {
    if (entry.kind !== 'snapshot') this.#ahead.set(entry.sandbox, entry.version);
    const written = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ entry, resolve, reject });
    });
    if (this.#waiting.length === 1) this.#inTurn(() => this.#flush()).catch(this.#refuse);
    await written;
  }

  /** Writes and syncs all that waits. */
  async #flush(): Promise<void> {
    const flushed = this.#waiting;
    this.#waiting = [];
    try {
      await this.#options.confirm?.();
      this.#apply(await this.#log.append(flushed.map(({ entry }) => entry)));
    } catch (error) {
      // What came in since is meant to follow what failed.
      this.#waiting = [...flushed, ...this.#waiting];
      throw error;
    }
    for (const { entry, resolve } of flushed) {
      if (this.#ahead.get(entry.sandbox) === entry.version) this.#ahead.delete(entry.sandbox);
      resolve();
    }
    await this.#tidy();
  }

  readonly #refuse = (error: PetstoreError): void => {
    const refused = this.#waiting;
    this.#waiting = [];
    this.#ahead.clear();
    for (const { reject } of refused) reject(error);
  };

  #apply(entries: readonly PlacedEntry[]): void {
    for (const entry of entries) {
      const former = this.#kept.get(entry.sandbox);
      const kept = former ?? new Kept();
      this.#keptBytes -= former?.bytes ?? 0;
      kept.apply(entry);
      this.#keptBytes += kept.bytes;
      this.#kept.set(entry.sandbox, kept);
    }
  }

  /** Rewrites the log where most of it is waste. Where that fails, it goes on growing for a while. */
  async #tidy(): Promise<void> {
    const { slackBytes = 2 ** 22, notify } = this.#options;
    if (this.#log.size < Math.max(this.#tidyFrom, 2 * this.#keptBytes + slackBytes)) return;
    try {
      const entries = await this.#log.rewrite(this.#readAll());
      for (const [name, { isForgotten }] of this.#kept) if (!isForgotten) this.#kept.delete(name);
      this.#keptBytes = 0;
      this.#apply(entries);
      this.#tidyFrom = 0;
    } catch (error) {
      this.#tidyFrom = this.#log.size + slackBytes;
      notify?.(`The log is not compacted: ${explainDiskError(this.#folder, error).message}`);
    }
  }

  async *#readAll(): AsyncGenerator<readonly Entry[]> {
    for (const [sandbox, kept] of this.#kept) {
      const { version, snapshot, changes } = await this.#readWhole(kept);
      if (kept.isForgotten) {
        yield [{ kind: 'forget', sandbox, version, texts: [] }];
        continue;
      }
      yield [
        {
          kind: 'begin',
          sandbox,
          version: kept.base,
          texts: snapshot === undefined ? [] : [snapshot],
        },
        { kind: 'append', sandbox, version, texts: changes },
      ];
    }
  }

  async #readAfter(kept: Kept, version: number): Promise<Changes | StoredSandbox> {
    if (version < kept.base || version > kept.version) return await this.#readWhole(kept);
    return {
      kind: 'changes',
      version: kept.version,
      changes: await this.#readTexts(kept.changes.slice(version - kept.base)),
    };
  }

  async #readWhole(kept: Kept): Promise<StoredSandbox> {
    const { version, snapshot, changes } = kept;
    return {
      kind: 'whole',
      version,
      snapshot: snapshot && (await this.#log.readText(snapshot)),
      changes: await this.#readTexts(changes),
    };
  }

  #readTexts(spans: readonly Span[]): Promise<readonly string[]> {
    return Promise.all(spans.map((span) => this.#log.readText(span)));
  }
}
