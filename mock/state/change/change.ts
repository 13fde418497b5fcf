import {
  type JsonValue,
  type TypeOf,
  PetstoreError,
  codec,
  isJsonObject,
  parseJson,
  renderJson,
} from '../../../contract/index.ts';
import { exchange } from './exchange.ts';
import {
  bucket,
  choiceIds,
  clockState,
  itemId,
  itemText,
  keptFaults,
  keyCount,
  limitNumbers,
  position,
} from './values.ts';

const { flag, jsonObject, list, number, object, optional, orNull, orUndefined, text, variants } =
  codec;

/** Grows with each form that a version before cannot read. */
const format = 1;

/** The items of one collection: all of them, those that differ, or those of the seed again. */
const collectionChange = variants({
  whole: { path: text, items: list(itemText), position },
  part: { path: text, put: list(itemText), gone: list(itemId), position },
  seed: { path: text },
});

const entity = object({
  key: text,
  members: jsonObject,
  made: jsonObject,
  absent: list(text),
  createdAt: orUndefined(number),
  changedAt: orUndefined(number),
});

const partitionFacts = {
  path: text,
  isOrphaned: flag,
  isDisclosed: flag,
  made: number,
  version: number,
  put: list(entity),
  aliases: list(object({ name: text, key: text })),
  removed: list(text),
};

/** Items of an inferred resource, within the parents that a path names. */
const partitionChange = variants({
  whole: partitionFacts,
  /** `gone`: keys of entities; `returned`: names that are removed no more. */
  part: { ...partitionFacts, gone: list(text), returned: list(text) },
  none: { path: text },
});

const snapshot = object({
  /** Beginning of the digest of the document that its items fit. */
  document: text,
  collections: list(object({ path: text, items: list(itemText), position })),
  entities: list(object(partitionFacts)),
  clock: clockState,
  choices: choiceIds,
  limits: limitNumbers,
  buckets: list(object({ key: text, bucket })),
});

const sandboxChange = object({
  format: number,
  /** Who made it, and which of theirs it is: no other change has the same. */
  by: text,
  /** When, by the clock of the mock that made it: milliseconds since 1970. */
  at: number,
  /** Beginning of the digest of the document that its items fit. */
  document: text,
  clock: optional(clockState),
  choices: optional(choiceIds),
  limits: optional(limitNumbers),
  collections: optional(list(collectionChange)),
  /** Items that fit no collection, by path; null for none any more. */
  aside: optional(list(object({ path: text, items: orNull(list(itemText)) }))),
  /** Where ids stood in collections that there are no more. */
  former: optional(list(object({ path: text, position: orNull(position) }))),
  entities: optional(list(partitionChange)),
  counts: optional(object({ isWhole: flag, keys: list(keyCount) })),
  faults: optional(orNull(keptFaults)),
  /** Null for none; `stubsDigest`: of the stubs of a file among them. */
  stubs: optional(object({ stubsDigest: text, state: orNull(jsonObject) })),
  /** By name; null for those that there are no more. */
  snapshots: optional(list(object({ name: text, snapshot: orNull(snapshot) }))),
  listCount: optional(number),
  /** `count`: index of the next entry; `isCleared`: those before these are forgotten. */
  journal: optional(object({ count: number, isCleared: flag, entries: list(exchange) })),
});

/**
 * What has changed in a sandbox, by what it is now: applied to the sandbox before, it makes the one
 * after. The change of a new sandbox is the sandbox as a whole.
 */
export type SandboxChange = TypeOf<typeof sandboxChange>;

export type CollectionChange = TypeOf<typeof collectionChange>;
export type PartitionChange = TypeOf<typeof partitionChange>;
export type PartitionFacts = Omit<Extract<PartitionChange, { readonly kind: 'whole' }>, 'kind'>;
export type KeptSnapshot = TypeOf<typeof snapshot>;
export type KeptItem = TypeOf<typeof itemText>;

/** What of a change says nothing of the sandbox. */
export type ChangeStamp = Pick<SandboxChange, 'format' | 'by' | 'at' | 'document'>;

export function stampChange(facts: Omit<ChangeStamp, 'format'>): ChangeStamp {
  return { format, ...facts };
}

/** True where nothing has changed. */
export function isNothing(change: SandboxChange): boolean {
  return Object.keys(change).length === stampLength;
}

const stampLength = Object.keys(stampChange({ by: '', at: 0, document: '' })).length;

/** JSON without line breaks. */
export function renderChange(change: SandboxChange): string {
  return renderJson(sandboxChange.render(change));
}

/** Throws `PetstoreError` for a change of a later version, or for none. */
export function parseChange(line: string): SandboxChange {
  const value = parseLine(line);
  const found = isJsonObject(value) ? value['format'] : undefined;
  if (typeof found === 'number' && found > format)
    throw new PetstoreError(
      'state',
      `The state was written by a later version, in format ${found}; this version reads up to format ${format}.`,
      { remedy: 'Use that version, or another address for the state.' },
    );
  try {
    return sandboxChange.read(value, '');
  } catch (cause) {
    if (!(cause instanceof PetstoreError)) throw cause;
    throw unreadable(cause.detail, cause);
  }
}

function parseLine(line: string): JsonValue {
  try {
    return parseJson(line);
  } catch (cause) {
    throw unreadable(cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function unreadable(reason: string, cause: unknown): PetstoreError {
  return new PetstoreError('state', `A change in the state cannot be read: ${reason}.`, { cause });
}
