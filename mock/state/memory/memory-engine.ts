import type { Appended, Changes, StateEngine, StoredSandbox } from '../engine.ts';

interface Log {
  version: number;
  /** Version up to which the changes are compacted. */
  compacted: number;
  snapshot: string | undefined;
  /** Those after `compacted`. */
  changes: readonly string[];
}

/** Keeps the logs in memory: for mocks of one process that share their sandboxes, as in tests. */
export function createMemoryEngine(): StateEngine {
  const logs = new Map<string, Log>();
  /** Versions of sandboxes that were forgotten. */
  const former = new Map<string, number>();
  const open = (sandbox: string): Log => {
    const version = former.get(sandbox) ?? 0;
    return logs.get(sandbox) ?? { version, compacted: version, snapshot: undefined, changes: [] };
  };
  const load = ({ version, snapshot, changes }: Log): StoredSandbox => {
    return { kind: 'whole', version, snapshot, changes };
  };
  const read = (log: Log, version: number): Changes | StoredSandbox => {
    if (version < log.compacted || version > log.version) return load(log);
    const changes = log.changes.slice(version - log.compacted);
    return { kind: 'changes', version: log.version, changes };
  };
  return {
    load: (sandbox) => Promise.resolve(load(open(sandbox))),
    read: (sandbox, version) => Promise.resolve(read(open(sandbox), version)),
    append(sandbox, version, changes): Promise<Appended> {
      const log = open(sandbox);
      if (log.version !== version)
        return Promise.resolve({ kind: 'conflict', missed: read(log, version) });
      if (changes.length === 0) return Promise.resolve({ kind: 'appended', version });
      log.version += changes.length;
      log.changes = [...log.changes, ...changes];
      logs.set(sandbox, log);
      return Promise.resolve({ kind: 'appended', version: log.version });
    },
    compact(sandbox, version, snapshot) {
      const log = logs.get(sandbox);
      if (log === undefined || version <= log.compacted || version > log.version)
        return Promise.resolve();
      log.changes = log.changes.slice(version - log.compacted);
      log.compacted = version;
      log.snapshot = snapshot;
      return Promise.resolve();
    },
    forget(sandbox) {
      const log = logs.get(sandbox);
      if (log !== undefined) former.set(sandbox, log.version + 1);
      logs.delete(sandbox);
      return Promise.resolve();
    },
    list: () => Promise.resolve([...logs.keys()]),
    close: () => Promise.resolve(),
  };
}
