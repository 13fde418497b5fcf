import { type JsonObject, hasCode } from '../../../contract/index.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { ItemCollection } from './item-collection.ts';
import { findCollection } from './item-collections.ts';

/** Puts items in the place of those of their collections, by path. What does not fit is left out. */
export function fillCollections(
  sandbox: Sandbox,
  items: Readonly<Record<string, readonly JsonObject[]>>,
): void {
  for (const [path, wanted] of Object.entries(items)) {
    const collection = findCollection(sandbox, path);
    if (collection === undefined) continue;
    for (const id of collection.ids) collection.remove(id);
    for (const item of wanted) addItem(collection, item);
  }
}

function addItem(collection: ItemCollection, item: JsonObject): void {
  try {
    collection.add(item);
  } catch (error) {
    if (!hasCode(error, 'seed')) throw error;
  }
}
