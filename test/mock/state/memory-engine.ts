import type { StateEngine } from '../../../mock/state/engine.ts';

interface Stored {
  /** Every version with the names of its changed parts, the latest last. */
  readonly log: { readonly version: string; readonly names: readonly string[] }[];
  readonly parts: Map<string, string>;
}

/** Stores sandboxes in memory, for several mocks in one test process. */
export function createMemoryEngine(): StateEngine {
  const sandboxes = new Map<string, Stored>();
  const find = (sandbox: string): Stored => sandboxes.get(sandbox) ?? { log: [], parts: new Map() };
  return {
    read(sandbox, after) {
      const { log, parts } = find(sandbox);
      const version = log.at(-1)?.version;
      const index = log.findIndex((one) => one.version === after);
      if (index === -1) return Promise.resolve({ version, isWhole: true, parts: new Map(parts) });
      const names = log.slice(index + 1).flatMap((one) => one.names);
      const changed = new Map(names.map((name) => [name, parts.get(name)]));
      return Promise.resolve({ version, isWhole: false, parts: changed });
    },
    write({ sandbox, after, next, parts }) {
      const stored = find(sandbox);
      if (stored.log.some(({ version }) => version === next)) return Promise.resolve(true);
      if (stored.log.at(-1)?.version !== after) return Promise.resolve(false);
      stored.log.push({ version: next, names: [...parts.keys()] });
      for (const [name, text] of parts)
        if (text === undefined) stored.parts.delete(name);
        else stored.parts.set(name, text);
      sandboxes.set(sandbox, stored);
      return Promise.resolve(true);
    },
    forget(sandbox) {
      sandboxes.delete(sandbox);
      return Promise.resolve();
    },
    list: () => Promise.resolve([...sandboxes.keys()]),
    close: () => Promise.resolve(),
  };
}
