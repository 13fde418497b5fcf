import { type Codec, codec, isNumeric } from '../../../contract/index.ts';
import { brokenConnections } from '../../control/fault/fault.ts';
import { isItemId } from '../../store/stored-form.ts';
import type { ItemId } from '../../store/item-id.ts';

const { list, number, object, optional, orUndefined, shapeError, text, variants } = codec;

/** A place in the ids of a collection. */
export const position: Codec<number | bigint> = {
  read(value, at) {
    if (isNumeric(value)) return value;
    throw shapeError(at, 'must be a number');
  },
  render: (value) => value,
};

export const itemId: Codec<ItemId> = {
  read(value, at) {
    if (isItemId(value)) return value;
    throw shapeError(at, 'must be a number or a string');
  },
  render: (value) => value,
};

/** An item by its id, and its JSON as it is served. */
export const itemText = object({ id: itemId, text });

export const clockState = variants({ running: { ahead: number }, frozen: { at: number } });

/** Choices by question. */
export const choiceIds = codec.map(text);

/** Limits by plan and window. */
export const limitNumbers = codec.map(codec.map(number));

/** Null stands for the beginning of time. */
const windowStart: Codec<number> = {
  read: (value, at) => (value === null ? Number.NEGATIVE_INFINITY : number.read(value, at)),
  render: (value) => (value === Number.NEGATIVE_INFINITY ? null : value),
};

/** A member that is left out, or undefined. */
const maybe = <Value>(member: Codec<Value>) => optional(orUndefined(member));

/** What the limiter remembers of a caller. */
export const bucket = object({
  counts: list(
    object({
      start: windowStart,
      used: number,
      times: optional(list(number)),
      each: maybe(list(number)),
    }),
  ),
  retryAt: number,
  hammered: number,
  bannedUntil: number,
});

const faultRule = object({
  operation: maybe(text),
  count: maybe(number),
  probability: maybe(number),
  seed: maybe(number),
  status: maybe(number),
  retryAfter: maybe(number),
  delay: maybe(object({ from: number, to: number })),
  connection: maybe(codec.oneOf(brokenConnections)),
  body: maybe(codec.oneOf(['truncated', 'malformed'])),
  drip: maybe(object({ bytes: number, milliseconds: number })),
});

export const keptFaults = object({
  count: number,
  active: list(object({ id: text, rule: faultRule, applied: number, draws: number })),
});

/** The counts of one key; `seen` undefined for one that was not seen yet. */
export const keyCount = object({
  key: text,
  seen: orUndefined(object({ plan: orUndefined(text) })),
  bucket: orUndefined(bucket),
});
