import { PetstoreError, addAll } from '../../../contract/index.ts';
import {
  type Block,
  type Entry,
  type PlacedEntry,
  type Span,
  moveEntry,
  renderBlock,
  renderFormat,
} from './block.ts';
import type { Disk, DiskFile } from './disk.ts';
import { type LogEnd, formatVersion, scanLog } from './scan.ts';

/** The file of the log in its folder. */
export const logName = 'state.jsonl';

/** A log that is being written anew; it counts once it has the name of the log. */
const newName = 'state.jsonl.new';

/** The file that all changes are appended to. One call at a time. */
export interface Log {
  /** Bytes of the file. */
  readonly size: number;
  /** Resolves once the entries are on the disk; after an error nothing of them is in the log. */
  append(entries: readonly Entry[]): Promise<readonly PlacedEntry[]>;
  /** Puts entries in the place of all that the log holds. */
  rewrite(blocks: AsyncIterable<readonly Entry[]>): Promise<readonly PlacedEntry[]>;
  readText(span: Span): Promise<string>;
  close(): Promise<void>;
}

/** A log that was opened, with what it holds, in its order. */
export interface OpenedLog {
  readonly log: Log;
  readonly entries: readonly PlacedEntry[];
  /** What was cut from its end, if anything. */
  readonly cut: { readonly position: number; readonly bytes: number } | undefined;
}

/**
 * Opens the log of a folder, or makes one.
 *
 * @param folder how users know the folder
 * @throws {PetstoreError} with code `state` where the log cannot be read; it is left as it is
 */
export async function openLog(disk: Disk, folder: string): Promise<OpenedLog> {
  const names = await disk.list();
  if (names.includes(newName)) await disk.remove(newName);
  if (!names.includes(logName)) {
    const { file, size } = await writeAnew(disk, noEntries());
    await giveName(disk);
    return { log: createLog(disk, file, size), entries: [], cut: undefined };
  }
  const file = await disk.open(logName);
  try {
    const entries: PlacedEntry[] = [];
    const found = await scanLog(file, (entry) => entries.push(entry));
    if (found.kind !== 'whole' && found.kind !== 'torn')
      throw explain(`${folder}/${logName}`, found);
    if (found.kind === 'whole')
      return { log: createLog(disk, file, found.end), entries, cut: undefined };
    await file.truncate(found.end);
    await file.sync();
    const cut = { position: found.end, bytes: found.lost };
    return { log: createLog(disk, file, found.end), entries, cut };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function* noEntries(): AsyncIterable<readonly Entry[]> {}

function explain(
  path: string,
  found: Exclude<LogEnd, { readonly kind: 'whole' | 'torn' }>,
): PetstoreError {
  const error = (detail: string, remedy: string): PetstoreError =>
    new PetstoreError('state', `${path} ${detail}`, { place: path, remedy });
  const aside = 'move it away to start with empty state. The file was not changed.';
  switch (found.kind) {
    case 'newer':
      return error(
        `has format ${found.version}; this version of petstore-contract reads up to ${formatVersion}.`,
        'Use the version that wrote it, or another folder.',
      );
    case 'foreign':
      return error('is not a log of petstore-contract.', `Replace it with a backup, or ${aside}`);
    case 'damaged':
      return error(
        `is damaged at byte ${found.position}; complete records follow.`,
        `Replace it with a backup, or ${aside}`,
      );
  }
}

interface Written {
  readonly file: DiskFile;
  readonly size: number;
  readonly entries: readonly PlacedEntry[];
}

/** Writes a whole log beside the one there is. */
async function writeAnew(disk: Disk, blocks: AsyncIterable<readonly Entry[]>): Promise<Written> {
  const file = await disk.create(newName);
  try {
    const entries: PlacedEntry[] = [];
    const head = renderFormat(formatVersion);
    await file.write(0, head);
    let size = head.length;
    for await (const some of blocks) {
      const block = renderBlock(some);
      await file.write(size, block.bytes);
      addAll(entries, placeBlock(block, size));
      size += block.bytes.length;
    }
    await file.sync();
    return { file, size, entries };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Puts the log that was written anew in the place of the one there is. */
async function giveName(disk: Disk): Promise<void> {
  await disk.rename(newName, logName);
  await disk.syncFolder();
}

function placeBlock({ entries }: Block, position: number): readonly PlacedEntry[] {
  return entries.map((entry) => moveEntry(entry, position));
}

function createLog(disk: Disk, opened: DiskFile, openedSize: number): Log {
  let [file, size] = [opened, openedSize];
  /** Set where it is not known what the file holds: what was written may be there or not. */
  let broken: PetstoreError | undefined;

  /** What an append began to write would be taken for damage by the next one. */
  async function takeBack(cause: unknown): Promise<void> {
    try {
      await file.truncate(size);
      await file.sync();
    } catch {
      breakOff(cause);
    }
  }

  function breakOff(cause: unknown): void {
    const remedy = 'Check the disk, then start again.';
    const detail = 'The state log cannot be written.';
    broken = new PetstoreError('state', detail, { remedy, cause });
  }

  return {
    get size() {
      return size;
    },
    async append(entries) {
      if (broken !== undefined) throw broken;
      const block = renderBlock(entries);
      try {
        await file.write(size, block.bytes);
        await file.sync();
      } catch (error) {
        await takeBack(error);
        throw error;
      }
      const placed = placeBlock(block, size);
      size += block.bytes.length;
      return placed;
    },
    async rewrite(blocks) {
      if (broken !== undefined) throw broken;
      const former = file;
      const written = await writeAnew(disk, blocks);
      try {
        await giveName(disk);
      } catch (error) {
        breakOff(error);
        await written.file.close();
        throw error;
      }
      ({ file, size } = written);
      await former.close();
      return written.entries;
    },
    readText: async ({ position, bytes }) => (await file.read(position, bytes)).toString(),
    close: () => file.close(),
  };
}
