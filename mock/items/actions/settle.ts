import type { Operation } from '../../../contract/openapi/operation.ts';
import type { Collection, Place } from '../collection.ts';
import { type Item, openItem } from '../store/item.ts';
import { isShownElsewhere, itemInBody, withMade } from '../view/item-view.ts';

/** Makes what the response of an operation shows of an item part of it, so that others show the same. */
export function compileSettle(
  collection: Collection,
  operation: Operation,
): (item: Item, call: Place) => Item {
  const { resource, plain } = collection;
  const view = resource.viewOf(operation);
  const shown = collection.viewOf(operation);
  if (plain !== undefined || view === undefined || shown === undefined) return (item) => item;
  if (!isShownElsewhere(resource, operation)) return (item) => item;
  return (item, call) =>
    collection.close(
      withMade(openItem(item), view, itemInBody(view, shown.value(item))),
      collection.read(call),
    );
}
