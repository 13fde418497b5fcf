import type { Disk, DiskFile } from '../../../mock/state/file/disk.ts';

/** Names of the calls that change something or make it durable. */
export type DiskCall =
  | 'create'
  | 'rename'
  | 'remove'
  | 'syncFolder'
  | 'write'
  | 'truncate'
  | 'sync';

interface Content {
  /** What readers see. */
  bytes: Buffer;
  /** What a loss of power leaves for sure. */
  synced: Buffer;
}

/** A folder in memory that can fail at any call, and lose its power. */
export interface MemoryDisk extends Disk {
  /** Called before each of the calls; what it throws, the call is rejected with. */
  before: (call: DiskCall, count: number) => void;
  /** A write that fails has written this share of its bytes. */
  tornShare: number;
  /**
   * A folder as a loss of power leaves it. What was not synced is there in part: names by `keeps`,
   * bytes of a file up to a share of what was added.
   */
  afterPowerLoss(keeps: () => boolean, share: () => number): MemoryDisk;
  /** A folder as the end of the process leaves it. */
  afterKill(): MemoryDisk;
  readonly contents: ReadonlyMap<string, Buffer>;
}

export function createMemoryDisk(given: ReadonlyMap<string, Buffer> = new Map()): MemoryDisk {
  const names = new Map<string, Content>();
  for (const [name, bytes] of given) names.set(name, { bytes, synced: bytes });
  let syncedNames = new Map(names);
  let count = 0;
  const note = (call: DiskCall): void => disk.before(call, (count += 1));
  const find = (name: string): Content => {
    const found = names.get(name);
    if (found === undefined) throw Object.assign(new Error(`no ${name}`), { code: 'ENOENT' });
    return found;
  };

  function file(content: Content): DiskFile {
    return {
      size: async () => content.bytes.length,
      read: async (position, length) => content.bytes.subarray(position, position + length),
      async write(position, bytes) {
        const put = (added: Buffer): void => {
          const { bytes: former } = content;
          const gap = Buffer.alloc(Math.max(0, position - former.length));
          const rest = former.subarray(position + added.length);
          content.bytes = Buffer.concat([former.subarray(0, position), gap, added, rest]);
        };
        try {
          note('write');
        } catch (error) {
          put(bytes.subarray(0, Math.floor(bytes.length * disk.tornShare)));
          throw error;
        }
        put(bytes);
      },
      async truncate(size) {
        note('truncate');
        content.bytes = content.bytes.subarray(0, size);
      },
      async sync() {
        note('sync');
        content.synced = content.bytes;
      },
      close: async () => undefined,
    };
  }

  const disk: MemoryDisk = {
    before: () => undefined,
    tornShare: 0,
    list: async () => [...names.keys()],
    open: async (name) => file(find(name)),
    async create(name) {
      note('create');
      const content = { bytes: Buffer.alloc(0), synced: Buffer.alloc(0) };
      names.set(name, content);
      return file(content);
    },
    async rename(from, to) {
      note('rename');
      const content = find(from);
      names.delete(from);
      names.set(to, content);
    },
    async remove(name) {
      note('remove');
      find(name);
      names.delete(name);
    },
    async syncFolder() {
      note('syncFolder');
      syncedNames = new Map(names);
    },
    afterPowerLoss(keeps, share) {
      const left = keeps() ? names : syncedNames;
      const contents = [...left].map(([name, content]): [string, Buffer] => [
        name,
        loseSome(content, share()),
      ]);
      return createMemoryDisk(new Map(contents));
    },
    afterKill: () => createMemoryDisk(disk.contents),
    get contents() {
      return new Map([...names].map(([name, { bytes }]) => [name, bytes]));
    },
  };
  return disk;
}

/** What was synced, then a share of what was added since, the rest of it zeros or gone. */
function loseSome({ bytes, synced }: Content, share: number): Buffer {
  const isGrown = bytes.length >= synced.length && bytes.subarray(0, synced.length).equals(synced);
  if (!isGrown) return share < 0.5 ? synced : bytes;
  const added = bytes.length - synced.length;
  const kept = bytes.subarray(0, synced.length + Math.floor(added * share));
  return share < 0.5 ? kept : Buffer.concat([kept, Buffer.alloc(bytes.length - kept.length)]);
}
