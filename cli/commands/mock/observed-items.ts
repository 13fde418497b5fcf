import {
  readJson,
  type ReceivedResponse,
  routerOf,
  type SentRequest,
} from '../../../conformance/index.ts';
import type { Contract } from '../../../contract/contract.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../contract/json/value.ts';
import type { InferredResource, ItemView } from '../../../contract/resource/resource.ts';
import type { SchemaNode } from '../../../contract/schema/schema-node.ts';
import { fillPath } from '../../../mock/items/collection.ts';
import { isItemId } from '../../../mock/items/store/item.ts';
import { valueAt } from '../../../contract/json/place.ts';

/** A request to a service and its response, with the parts from which items can be read. */
export interface Observation {
  readonly method: string;
  /** Relative to the base address: `/pets?limit=5`. */
  readonly target: string;
  readonly status: number;
  /** Body of the request as JSON; undefined for none. */
  readonly sent: JsonValue | undefined;
  readonly received: JsonValue | undefined;
  /**
   * Why the body of the response is incomplete, as the end of a sentence that begins with "the
   * body".
   */
  readonly missing?: string | undefined;
}

/** What the suite sent and received. */
export function observationOf(
  { method, target, body: sent }: SentRequest,
  { status, body: received }: ReceivedResponse,
): Observation {
  return { method, target, status, sent: readJson(sent), received: readJson(received) };
}

/** Roles of operations whose requests and responses contain no items. */
const silentRoles: ReadonlySet<string | undefined> = new Set([undefined, 'action', 'view', 'bulk']);

/** Most notes that are printed. */
const maxNotes = 20;

/**
 * Collects the items of a service from observed exchanges, in their order: the latest state wins.
 */
export class ObservedItems {
  /** By the path of the collection, with the ids of parents filled in, then by item id. */
  readonly collections = new Map<string, Map<string, JsonObject>>();
  /** Number of exchanges with an operation of the document. */
  seen = 0;
  readonly #contract: Contract;
  readonly #notes = new Set<string>();

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  /** Records what was skipped, in one sentence. */
  note(sentence: string): void {
    this.#notes.add(sentence);
  }

  /** What was skipped, one sentence each. */
  get notes(): readonly string[] {
    const more = this.#notes.size - maxNotes;
    const shown = [...this.#notes].slice(0, maxNotes);
    return more > 0 ? [...shown, `and ${more} more notes like these.`] : shown;
  }

  take({ method, target, status, sent, received, missing }: Observation): void {
    const route = routerOf(this.#contract)(method, target);
    if (route.kind === 'none') return;
    this.seen += 1;
    if (missing !== undefined) this.note(`no items from a response: the body ${missing}.`);
    const roleIn = ({ operations }: InferredResource): string | undefined =>
      operations.find(({ operation }) => operation === route.operation)?.role;
    const resource = this.#contract.inferredResources.find(
      (each) => !each.isSingle && !silentRoles.has(roleIn(each)),
    );
    if (resource === undefined) return;
    const role = roleIn(resource);
    const ids = [...route.texts.values()];
    const path = fillPath(resource.path, ids);
    const items = this.collections.get(path) ?? new Map<string, JsonObject>();
    const own = role === 'list' || role === 'create' ? undefined : ids.at(-1);
    const isGranted = status >= 200 && status < 300;
    // If the item is not found, somebody else removed it.
    if (role === 'remove' ? isGranted : role === 'get' && [404, 410].includes(status))
      items.delete(own ?? '');
    else if (isGranted) {
      const shown = this.#addShown(path, items, received, resource.viewOf(route.operation), own);
      const before = items.get(own ?? '');
      // A successful change without a response body: the item is what was sent.
      if (!shown && own && before && method !== 'GET' && isJsonObject(sent))
        items.set(own, { ...before, ...sent });
    }
    // Even an empty list shows what the collection holds.
    if (items.size > 0 || (role === 'list' && isGranted)) this.collections.set(path, items);
  }

  /** Returns false if the body shows no item. `own`: the id in the path of the request. */
  #addShown(
    path: string,
    items: Map<string, JsonObject>,
    body: JsonValue | undefined,
    view: ItemView | undefined,
    own: string | undefined,
  ): boolean {
    const shown = itemsIn(body, view);
    for (const item of shown) {
      const named = view?.idPlace && valueAt(item, view.idPlace);
      const id = isItemId(named) && named !== '' ? `${named}` : own;
      if (id === undefined) this.note(`${path}: an item has no identifier.`);
      else items.set(id, mergeItem(items.get(id), item, view?.item));
    }
    return shown.length > 0;
  }
}

export function itemsIn(
  body: JsonValue | undefined,
  view: ItemView | undefined,
): readonly JsonObject[] {
  if (view === undefined) return [];
  const found = valueAt(body, view.place);
  return (view.isList && isJsonArray(found) ? found : [found]).filter(isJsonObject);
}

/** A list may show only some members of an item. Keeps the earlier values of the others. */
function mergeItem(
  before: JsonObject | undefined,
  item: JsonObject,
  shown: SchemaNode | undefined,
): JsonObject {
  if (before === undefined || shown === undefined) return item;
  const names = shown.shape().properties;
  const kept = Object.entries(before).filter(([name]) => !names.has(name));
  return { ...Object.fromEntries(kept), ...item };
}
