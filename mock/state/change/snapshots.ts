import type { Inventory } from '../../store/inventory.ts';
import type { Bucket } from '../../rate-limit/limiter.ts';
import type { Snapshot } from '../../sandbox/sandbox.ts';
import type { Service } from '../../sandbox/service.ts';
import type { KeptSnapshot, SandboxChange } from './change.ts';
import { keepPartition, openPartition } from './entities.ts';
import { bareItem, formerInventory, keepInventory, openInventory } from './items.ts';

type Snapshots = ReadonlyMap<string, Snapshot>;

/** What has changed in the snapshots of a sandbox; undefined for nothing. */
export function captureSnapshots(
  now: Snapshots,
  before: Snapshots,
  document: string,
): SandboxChange['snapshots'] {
  const put = [...now]
    .filter(([name, snapshot]) => before.get(name) !== snapshot)
    .map(([name, snapshot]) => ({ name, snapshot: keepSnapshot(snapshot, document) }));
  const gone = [...before.keys()].filter((name) => !now.has(name));
  const all = [...gone.map((name) => ({ name, snapshot: null })), ...put];
  return all.length === 0 ? undefined : all;
}

/** `document`: the one that is served. A snapshot of another is kept as what it was read from. */
function keepSnapshot(snapshot: Snapshot, document: string): KeptSnapshot {
  const { state, entities, clock, choices, limits, buckets, service } = snapshot;
  return {
    document: service instanceof ForeignDocument ? service.name : document,
    collections: [...state].map(([path, inventory]) => ({ path, ...keepInventory(inventory) })),
    entities: [...entities].map(([path, partition]) => keepPartition(path, partition)),
    clock,
    choices,
    limits,
    buckets: [...buckets].map(([key, bucket]) => ({ key, bucket })),
  };
}

/** Stands for a document that is not served here: what was stored for it is converted. */
class ForeignDocument {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** The snapshot that was kept. `serviceFor`: how choices are served, undefined where they cannot be. */
export function openSnapshot(
  kept: KeptSnapshot,
  document: string,
  serviceFor: (choices: KeptSnapshot['choices']) => Service | undefined,
): Snapshot {
  const { collections, entities, buckets, clock, choices, limits } = kept;
  const service = kept.document === document ? serviceFor(choices) : undefined;
  const state = collections.map(({ path, items, position }): [string, Inventory] => {
    const collection = service?.collections.find((one) => one.path === path);
    if (collection !== undefined)
      return [path, openInventory(collection, { items, position }, true).inventory];
    const inventory = formerInventory(position);
    for (const item of items) inventory.put(bareItem(item));
    return [path, inventory];
  });
  return {
    service: service ?? new ForeignDocument(kept.document),
    state: new Map(state),
    entities: new Map(entities.map((facts) => [facts.path, openPartition(facts)])),
    clock,
    choices,
    limits,
    buckets: new Map(buckets.map(({ key, bucket }): [string, Bucket] => [key, bucket])),
  };
}
