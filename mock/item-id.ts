import type { SchemaNode } from '../contract/index.ts';
import type { Inventory, ItemId } from './inventory.ts';

/** Gives every new item an id that no item of the inventory has or had. */
export interface IdSource {
  /** Undefined when the schema leaves no id that is free. */
  next(inventory: Inventory): ItemId | undefined;
  /** Takes note of an id that came with an item. */
  note(id: ItemId): void;
}

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);
const TRIES = 10_000;

/**
 * Counts on from the largest integer id seen. Where the schema ends there (int64, `maximum`), it takes the
 * smallest free id. String ids are the count as text, or a UUID that ends in it.
 */
export function createIdSource(schema: SchemaNode): IdSource {
  const first = firstId(schema);
  let count = first;
  return {
    next(inventory) {
      for (let tries = 0; tries < TRIES; tries += 1) {
        const id = renderId(schema, count);
        const fits = schema.validate(id).length === 0;
        if (!fits && count === first) return undefined;
        count = fits ? count + 1n : first;
        if (fits && !inventory.has(id)) return id;
      }
      return undefined;
    },
    note(id) {
      if (typeof id === 'string') return;
      const following = BigInt(id) + 1n;
      if (following > count) count = following;
    },
  };
}

function firstId(schema: SchemaNode): bigint {
  const minimum = schema.shape().minimum;
  if (minimum === undefined || !(typeof minimum.value === 'bigint' || Number.isSafeInteger(minimum.value))) return 1n;
  const least = BigInt(minimum.value) + (minimum.exclusive ? 1n : 0n);
  return least > 1n ? least : 1n;
}

function renderId(schema: SchemaNode, count: bigint): ItemId {
  const { types, format } = schema.shape();
  if (types.includes('integer') || types.includes('number')) return count > MAX_SAFE ? count : Number(count);
  if (format === 'uuid') return `00000000-0000-4000-8000-${count.toString(16).padStart(12, '0')}`;
  return `${count}`;
}
