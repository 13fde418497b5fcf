import type { Entity } from '../../store/entities/entity.ts';
import type { EntitiesMark, EntityStore } from '../../store/entities/entity-store.ts';
import { Partition, type PartitionParts } from '../../store/entities/partition.ts';
import type { PartitionChange, PartitionFacts } from './change.ts';

/** What has changed in the entities of a sandbox; undefined for nothing. */
export function captureEntities(
  { partitions }: EntityStore,
  before: EntitiesMark,
): readonly PartitionChange[] | undefined {
  const changes = [...partitions].flatMap(([path, partition]): PartitionChange[] => {
    if (before.partitions.get(path) !== partition)
      return [{ kind: 'whole', ...keepPartition(path, partition) }];
    const noted = before.noted.get(path);
    return noted === undefined ? [] : [...comparePartitions(path, noted.parts, partition.parts)];
  });
  const left = [...before.partitions.keys()].filter((path) => !partitions.has(path));
  const all = [...changes, ...left.map((path) => ({ kind: 'none', path }) as const)];
  return all.length === 0 ? undefined : all;
}

/** A partition as data. */
export function keepPartition(path: string, { parts }: Partition): PartitionFacts {
  const { entities, aliases, removed } = parts;
  return {
    ...factsOf(path, parts),
    put: [...entities.values()].map(keepEntity),
    aliases: [...aliases].map(([name, key]) => ({ name, key })),
    removed: [...removed],
  };
}

function factsOf(path: string, { isOrphaned, isDisclosed, made, version }: PartitionParts) {
  return { path, isOrphaned, isDisclosed, made, version };
}

function keepEntity({ absent, ...entity }: Entity) {
  return { ...entity, absent: [...absent] };
}

function comparePartitions(
  path: string,
  before: PartitionParts,
  now: PartitionParts,
): readonly PartitionChange[] {
  const changed = [...now.entities].filter(([key, entity]) => before.entities.get(key) !== entity);
  const gone = [...before.entities.keys()].filter((key) => !now.entities.has(key));
  const kept = [...before.entities.keys()].filter((key) => now.entities.has(key));
  const order = [...kept, ...changed.flatMap(([key]) => (before.entities.has(key) ? [] : [key]))];
  // One that was removed and put again stands at the end.
  const isMoved = [...now.entities.keys()].some((key, index) => order[index] !== key);
  if (isMoved) return [{ kind: 'whole', ...keepPartition(path, Partition.of(now)) }];
  const aliases = [...now.aliases].filter(([name, key]) => before.aliases.get(name) !== key);
  const removed = [...now.removed].filter((name) => !before.removed.has(name));
  const returned = [...before.removed].filter((name) => !now.removed.has(name));
  const isSame =
    before.version === now.version &&
    before.made === now.made &&
    before.isDisclosed === now.isDisclosed;
  if (isSame) return [];
  return [
    {
      kind: 'part',
      ...factsOf(path, now),
      put: changed.map(([, entity]) => keepEntity(entity)),
      aliases: aliases.map(([name, key]) => ({ name, key })),
      removed,
      gone,
      returned,
    },
  ];
}

/** Makes the changes. */
export function applyEntities(store: EntityStore, changes: readonly PartitionChange[]): void {
  for (const change of changes) {
    const { path } = change;
    if (change.kind !== 'part') store.put(path, undefined);
    if (change.kind !== 'none') {
      const before = change.kind === 'part' ? store.partitions.get(path) : undefined;
      store.put(path, changePartition(before, change));
    }
  }
}

/** The partition that was kept. */
export function openPartition(facts: PartitionFacts): Partition {
  return changePartition(undefined, { kind: 'whole', ...facts });
}

function changePartition(
  before: Partition | undefined,
  change: Exclude<PartitionChange, { readonly kind: 'none' }>,
): Partition {
  const { entities, aliases, removed } = (before ?? new Partition()).parts;
  const [gone, returned] =
    change.kind === 'part' ? [new Set(change.gone), new Set(change.returned)] : [none, none];
  return Partition.of({
    ...change,
    entities: new Map([
      ...[...entities].filter(([key]) => !gone.has(key)),
      ...change.put.map((entity): [string, Entity] => [
        entity.key,
        { ...entity, absent: new Set(entity.absent) },
      ]),
    ]),
    aliases: new Map([
      ...aliases,
      ...change.aliases.map(({ name, key }): [string, string] => [name, key]),
    ]),
    removed: new Set([...[...removed].filter((name) => !returned.has(name)), ...change.removed]),
  });
}

const none: ReadonlySet<string> = new Set();
