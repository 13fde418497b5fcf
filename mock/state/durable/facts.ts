import * as codec from '../../../contract/json/codec.ts';
import type { Codec, TypeOf } from '../../../contract/json/codec.ts';
import { PetstoreError } from '../../../contract/error/petstore-error.ts';
import { isNumeric, parseJson, renderJson } from '../../../contract/json/value.ts';
import { bucket } from '../../rate-limit/limiter.ts';
import { clockState } from '../../sandbox/clock.ts';
import { keyCount } from '../../sandbox/sandbox.ts';
import { type ItemId, isItemId } from '../../items/store/item.ts';
import type { PartName } from './stored-kind.ts';

const { flag, jsonObject, list, number, object, optional, orUndefined, shapeError, text } = codec;

/** Grows with each form of a part that a version before cannot read. */
export const format = 1;

/** The next id of a collection. */
const position: Codec<number | bigint> = {
  read(value, at) {
    if (isNumeric(value)) return value;
    throw shapeError(at, 'must be a number');
  },
  render: (value) => value,
};

const itemId: Codec<ItemId> = {
  read(value, at) {
    if (isItemId(value)) return value;
    throw shapeError(at, 'must be a number or a string');
  },
  render: (value) => value,
};

export const choiceIds = codec.map(text);
/** By plan and window. */
const limitNumbers = codec.map(codec.map(number));

const places = list(object({ path: text, position }));

/** All of a sandbox that is small. */
export const facts = object({
  format: number,
  /** Beginning of the digest of the document that the items are valid for. */
  document: text,
  clock: clockState,
  choices: choiceIds,
  limits: limitNumbers,
  listCount: number,
  counts: list(keyCount),
  faults: orUndefined(jsonObject),
  /** Collections that differ from the seed. */
  collections: places,
  /** Collections with items that do not fit the document. */
  aside: list(text),
  /** Collections that the document does not have. */
  former: places,
  /** Names, in their order. */
  snapshots: list(text),
  /** Requests so far: the index of the next entry of the journal. */
  requests: number,
});

export type Facts = TypeOf<typeof facts>;

/** `stubsDigest`: of the file whose stubs are among them. */
export const stubs = object({ stubsDigest: text, state: codec.orNull(jsonObject) });

const partitionMembers = {
  isOrphaned: flag,
  isDisclosed: flag,
  /** How often an id was made. */
  made: position,
  /** Versions before 0.3 counted changes. */
  version: optional(number),
};

/** A partition of items that responses show in different ways, without them. */
export const partitionHead = object(partitionMembers);

const entityMembers = {
  key: text,
  members: jsonObject,
  made: jsonObject,
  absent: list(text),
  createdAt: orUndefined(number),
  changedAt: orUndefined(number),
};

const entity = object(entityMembers);

/** Such an item, and its place among those of its partition. */
export const placedEntity = object({ place: number, ...entityMembers });

/** A snapshot is one part: it is written once, when it is taken. */
export const snapshot = object({
  /** Beginning of the digest of the document that its items are valid for. */
  document: text,
  collections: list(object({ path: text, items: list(object({ id: itemId, text })), position })),
  entities: list(
    object({
      path: text,
      ...partitionMembers,
      entities: list(entity),
      aliases: list(object({ name: text, key: text })),
      removed: list(text),
    }),
  ),
  clock: clockState,
  choices: choiceIds,
  limits: limitNumbers,
  buckets: list(object({ key: text, bucket })),
  /** Faults and stubs. */
  rules: optional(text),
});

export type StoredEntity = TypeOf<typeof entity>;
export type StoredSnapshot = TypeOf<typeof snapshot>;

/** A part as text, without line breaks. */
export function renderPart<Value>(shape: Codec<Value>, value: Value): string {
  return renderJson(shape.render(value));
}

/** @throws {PetstoreError} with code `state` for text that is not such a part */
export function parsePart<Value>(shape: Codec<Value>, source: string): Value {
  try {
    return shape.read(parseJson(source), '');
  } catch (cause) {
    throw unreadable(cause);
  }
}

/** @throws {PetstoreError} with code `state` for facts of a later version, or of another program */
export function parseFacts(source: string): Facts {
  const found = parsePart(codec.openObject({ format: number }), source).format;
  if (found > format)
    throw new PetstoreError(
      'state',
      `The state was written by a later version, in format ${found}; this version reads up to format ${format}.`,
      { remedy: 'Use that version, or another address for the state.' },
    );
  return parsePart(facts, source);
}

/** @throws {PetstoreError} with code `state` for text that is not the name of a part */
export function parsePartName(name: string): PartName {
  return parsePart(list(codec.json), name);
}

export function unreadable(cause: unknown): PetstoreError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new PetstoreError('state', `The stored state cannot be read: ${reason}.`, {
    remedy: 'Use another address for the state, or restore a copy.',
    cause,
  });
}
