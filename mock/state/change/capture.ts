import { type JsonObject, renderJson } from '../../../contract/index.ts';
import { Faults, type KeptFaults } from '../../control/fault/faults.ts';
import { StubControl } from '../../control/stub/stub-control.ts';
import type { LimitOptions } from '../../rate-limit/plans.ts';
import type { JournalMark } from '../../sandbox/journal.ts';
import type { ClockState } from '../../sandbox/sandbox-clock.ts';
import type { KeyCount, Sandbox, Snapshot } from '../../sandbox/sandbox.ts';
import type { ChoiceIds } from '../../sandbox/service.ts';
import type { StoreMark } from '../../store/store.ts';
import { type SandboxChange, stampChange } from './change.ts';
import { captureEntities } from './entities.ts';
import { captureCollections, captureMisplaced } from './items.ts';
import { captureSnapshots } from './snapshots.ts';

/** What a sandbox was, for telling what has changed since, and undoing what requests changed. */
export interface SandboxMark {
  readonly clock: ClockState;
  readonly choices: ChoiceIds;
  readonly limits: LimitOptions;
  readonly counts: ReadonlyMap<string, KeyCount>;
  readonly faults: KeptFaults | undefined;
  readonly stubs: JsonObject | undefined;
  readonly snapshots: ReadonlyMap<string, Snapshot>;
  readonly listCount: number;
  readonly journal: JournalMark;
  readonly store: StoreMark;
}

/** Marks a sandbox before something changes it. */
export function markSandbox(sandbox: Sandbox): SandboxMark {
  const { clock, choices, limits, counts, snapshots, listCount } = sandbox;
  return {
    clock: clock.state,
    choices,
    limits,
    counts,
    faults: keptFaults(sandbox),
    stubs: sandbox.stubs?.state,
    snapshots: new Map(snapshots),
    listCount,
    journal: sandbox.journal.mark(),
    store: sandbox.store.mark(),
  };
}

/** Undoes what a request has changed; what came later is undone before. */
export function undoRequest(sandbox: Sandbox, mark: SandboxMark): void {
  sandbox.store.undo(mark.store);
  sandbox.journal.undo(mark.journal);
  sandbox.undoCounts(mark.counts);
  sandbox.listCount = mark.listCount;
  const { faults } = sandbox;
  if (mark.faults !== undefined && faults instanceof Faults && !isSame(mark.faults, faults.kept))
    faults.restore(mark.faults);
  if (mark.stubs !== undefined) new StubControl(sandbox).restore(mark.stubs);
}

function keptFaults({ faults }: Sandbox): KeptFaults | undefined {
  return faults instanceof Faults ? faults.kept : undefined;
}

/** Who makes changes, and for which document. */
export interface Author {
  /** Of one change; each call gives another. */
  nextId(): string;
  /** Beginning of the digest of the document that is served. */
  readonly document: string;
  /** Digest of the stubs that are put into every sandbox. */
  readonly stubsDigest: string;
}

/** What has changed since. */
export function captureChange(sandbox: Sandbox, mark: SandboxMark, author: Author): SandboxChange {
  const { clock, choices, limits, listCount, journal, store } = sandbox;
  const faults = keptFaults(sandbox);
  const stubs = sandbox.stubs?.state;
  const { document, stubsDigest } = author;
  const entries = journal.since(mark.journal);
  const isCleared = journal.cleared !== mark.journal.cleared;
  const hasEntries = isCleared || journal.count !== mark.journal.count;
  return {
    ...stampChange({ by: author.nextId(), at: clock.base, document }),
    ...(clock.state === mark.clock ? {} : { clock: clock.state }),
    ...(choices === mark.choices ? {} : { choices }),
    ...(limits === mark.limits ? {} : { limits }),
    ...named('collections', captureCollections(store, mark.store)),
    ...captureMisplaced(store, mark.store),
    ...named('entities', captureEntities(store.entities, mark.store.entities)),
    ...named('counts', captureCounts(sandbox.counts, mark.counts)),
    ...(isSame(faults, mark.faults) ? {} : { faults: faults ?? null }),
    ...(isSameJson(stubs, mark.stubs) ? {} : { stubs: { stubsDigest, state: stubs ?? null } }),
    ...named('snapshots', captureSnapshots(sandbox.snapshots, mark.snapshots, document)),
    ...(listCount === mark.listCount ? {} : { listCount }),
    ...(hasEntries ? { journal: { count: journal.count, isCleared, entries } } : {}),
  };
}

/** The sandbox as a whole: the change of a new one. */
export function captureWhole(sandbox: Sandbox, author: Author): SandboxChange {
  const empty = new Map<string, never>();
  return captureChange(
    sandbox,
    {
      clock: { kind: 'running', ahead: 0 },
      choices: {},
      limits: {},
      counts: empty,
      faults: undefined,
      stubs: undefined,
      snapshots: empty,
      listCount: 0,
      journal: { count: -1, cleared: -1, oldest: undefined },
      store: {
        inventories: empty,
        own: empty,
        aside: empty,
        former: empty,
        entities: { partitions: empty, noted: empty },
      },
    },
    author,
  );
}

function named<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [One in Name]?: Value } {
  const members: { [One in Name]?: Value } = {};
  if (value !== undefined) members[name] = value;
  return members;
}

function captureCounts(
  now: ReadonlyMap<string, KeyCount>,
  before: ReadonlyMap<string, KeyCount>,
): SandboxChange['counts'] {
  const isWhole = [...before].some(
    ([key, { caller }]) =>
      !now.has(key) || (caller !== undefined && now.get(key)?.caller === undefined),
  );
  const keys = [...now].flatMap(([key, { plan, bucket, caller }]) => {
    const former = isWhole ? undefined : before.get(key);
    const isSeen = caller !== undefined;
    const isSameCount =
      former !== undefined && former.bucket === bucket && (former.caller !== undefined) === isSeen;
    return isSameCount ? [] : [{ key, bucket, seen: isSeen ? { plan } : undefined }];
  });
  return isWhole || keys.length > 0 ? { isWhole, keys } : undefined;
}

function isSameJson(one: JsonObject | undefined, other: JsonObject | undefined): boolean {
  return one === other || renderJson(one ?? null) === renderJson(other ?? null);
}

function isSame(one: KeptFaults | undefined, other: KeptFaults | undefined): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
