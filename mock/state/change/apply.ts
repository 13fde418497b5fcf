import { hasCode } from '../../../contract/index.ts';
import { Faults } from '../../control/fault/faults.ts';
import { StubControl } from '../../control/stub/stub-control.ts';
import type { Exchange } from '../../sandbox/journal.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { ChoiceIds, Service } from '../../sandbox/service.ts';
import type { MockRuntime } from '../../served-document/served-document.ts';
import type { SandboxChange } from './change.ts';
import { applyEntities } from './entities.ts';
import { type ItemsTarget, applyCollections, applyMisplaced } from './items.ts';
import { openSnapshot } from './snapshots.ts';

/** How sandboxes are served here. */
export type Serving = Pick<MockRuntime, 'service' | 'serviceFor' | 'choose' | 'sandboxes'>;

/** Makes a sandbox a new one in all things. */
export function clearSandbox(sandbox: Sandbox, serving: Serving): void {
  sandbox.store.restore(new Map());
  sandbox.limits = {};
  serving.choose(sandbox, {});
  sandbox.undoCounts(new Map());
  sandbox.faults = undefined;
  sandbox.stubs = undefined;
  serving.sandboxes.initialize(sandbox);
  sandbox.snapshots.clear();
  sandbox.clock.restore();
  sandbox.listCount = 0;
  sandbox.journal.restart(0);
}

/**
 * Applies a change to the sandbox that it was made from. What the served document has no place for is
 * set aside or left out. Gives the entries of the journal that came with it.
 */
export function applyChange(
  sandbox: Sandbox,
  change: SandboxChange,
  serving: Serving,
): readonly Exchange[] {
  const { choices, limits, clock, entities, counts, faults, listCount } = change;
  sandbox.clock.follow(change.at);
  if (choices !== undefined) choose(sandbox, choices, serving);
  if (limits !== undefined) limit(sandbox, limits);
  const document = documentOf(sandbox.service);
  const target: ItemsTarget = {
    store: sandbox.store,
    collections: sandbox.service.collections,
    isTrusted: change.document === document,
  };
  applyCollections(target, change.collections ?? []);
  applyMisplaced(target, change);
  applyEntities(sandbox.store.entities, entities ?? []);
  if (counts !== undefined) applyCounts(sandbox, counts);
  if (clock !== undefined) sandbox.clock.restore(clock);
  if (faults !== undefined) applyFaults(sandbox, faults);
  if (change.stubs !== undefined) applyStubs(sandbox, change.stubs, serving);
  for (const { name, snapshot } of change.snapshots ?? []) {
    if (snapshot === null) sandbox.snapshots.delete(name);
    else {
      const opened = openSnapshot(snapshot, document, (ids) => serviceFor(serving, ids));
      sandbox.snapshots.set(name, opened);
    }
  }
  if (listCount !== undefined) sandbox.listCount = listCount;
  return applyJournal(sandbox, change.journal);
}

/** Beginning of the digest of a service's document. */
export function documentOf({ contract }: Pick<Service, 'contract'>): string {
  return contract.digest.slice(0, 16);
}

/** Choices that the document does not have are left out. */
function choose(sandbox: Sandbox, wanted: ChoiceIds, serving: Serving): void {
  try {
    serving.choose(sandbox, wanted);
  } catch (error) {
    if (!hasCode(error, 'choice')) throw error;
    const fitting = Object.entries(wanted).filter(
      ([id, choice]) => serviceFor(serving, { [id]: choice }) !== undefined,
    );
    serving.choose(sandbox, Object.fromEntries(fitting));
  }
}

function serviceFor(serving: Serving, choices: ChoiceIds): Service | undefined {
  try {
    return serving.serviceFor(choices);
  } catch (error) {
    if (!hasCode(error, 'choice')) throw error;
    return undefined;
  }
}

/** Limits of plans or windows that the document does not have are left out, all of them. */
function limit(sandbox: Sandbox, limits: Sandbox['limits']): void {
  try {
    sandbox.service.openMeter(undefined, limits);
    sandbox.limits = limits;
  } catch (error) {
    if (!hasCode(error, 'limit')) throw error;
    sandbox.limits = {};
  }
  sandbox.adopt(sandbox.service);
}

function applyCounts(
  sandbox: Sandbox,
  { isWhole, keys }: NonNullable<SandboxChange['counts']>,
): void {
  if (isWhole) sandbox.undoCounts(new Map());
  for (const { key, bucket, seen } of keys) sandbox.putCount(key, bucket, seen);
}

function applyFaults(sandbox: Sandbox, kept: NonNullable<SandboxChange['faults']> | null): void {
  const faults = new Faults(() => sandbox.service.contract);
  if (kept !== null) faults.restore(kept);
  sandbox.faults = kept === null ? undefined : faults;
}

/** Stubs of another file make room for those of this one. */
function applyStubs(
  sandbox: Sandbox,
  { stubsDigest, state }: NonNullable<SandboxChange['stubs']>,
  { sandboxes }: Serving,
): void {
  const control = new StubControl(sandbox);
  if (state === null) control.clear();
  else control.restore(state);
  if (stubsDigest === sandboxes.stubsDigest) return;
  if (sandboxes.initializers.stubs === undefined) control.useFile([]);
  else sandboxes.initializers.stubs(sandbox);
}

function applyJournal({ journal }: Sandbox, change: SandboxChange['journal']): readonly Exchange[] {
  if (change === undefined) return [];
  const { count, isCleared, entries } = change;
  if (isCleared || journal.count !== count - entries.length)
    journal.restart(count - entries.length);
  for (const { entry, detail } of entries) journal.add(entry, detail);
  return entries;
}
