import type { SchemaNode, Shape } from '../../contract/index.ts';

/** What names an item. Beyond 2^53 a `bigint`, so that a map finds it by value. */
export type ItemId = number | bigint | string;

/** Gives every new item an id of its own. */
export interface IdSource {
  /** Undefined when the schema leaves no id that is free. */
  next(isTaken: (id: ItemId) => boolean): ItemId | undefined;
  /** Takes note of an id that an item has, so that no later item gets it. */
  note(id: ItemId): void;
  /** Where it stands: it has given nothing from here on. */
  position: number | bigint;
  /** Goes on where another source stands, where that is further. */
  follow(other: IdSource): void;
  /** A source that goes on from here by itself. */
  copy(): IdSource;
}

const mostTries = 10_000;

/** Counts on from the largest integer seen; at the schema's end, takes the smallest free id. */
export function createIdSource(schema: SchemaNode): IdSource {
  return continueIds(schema, firstCount(schema.shape()));
}

function continueIds(schema: SchemaNode, from: number | bigint): IdSource {
  const shape = schema.shape();
  const first = firstCount(shape);
  let count = from;
  return {
    get position() {
      return count;
    },
    set position(to) {
      count = to;
    },
    follow({ position }) {
      if (position > count) count = position;
    },
    copy: () => continueIds(schema, count),
    next(isTaken) {
      for (let tries = 0; tries < mostTries; tries += 1) {
        const id = renderId(shape, count);
        const fits = schema.validate(id).length === 0;
        if (!fits && count === first) return undefined;
        count = fits ? successor(count) : first;
        if (fits && !isTaken(id)) return id;
      }
      return undefined;
    },
    note(id) {
      if (typeof id !== 'string' && id >= count) count = successor(id);
    },
  };
}

/** A source that only tells where another stood. */
export function standingIds(position: number | bigint): IdSource {
  return {
    position,
    next: () => undefined,
    note: () => {},
    follow: () => {},
    copy: () => standingIds(position),
  };
}

function successor(count: number | bigint): number | bigint {
  if (typeof count === 'number' && count < Number.MAX_SAFE_INTEGER) return Math.floor(count) + 1;
  const next = BigInt(count) + 1n;
  return next > Number.MAX_SAFE_INTEGER || next < Number.MIN_SAFE_INTEGER ? next : Number(next);
}

function firstCount({ minimum }: Shape): number | bigint {
  if (minimum === undefined || minimum.value < 1) return 1;
  const least = typeof minimum.value === 'number' ? Math.ceil(minimum.value) : minimum.value;
  return minimum.exclusive ? successor(least) : least;
}

function renderId({ types, format }: Shape, count: number | bigint): ItemId {
  if (types.includes('integer') || types.includes('number')) return count;
  if (format === 'uuid') return `00000000-0000-4000-8000-${count.toString(16).padStart(12, '0')}`;
  return `${count}`;
}
