import { readJson, type ReceivedResponse, type SentRequest } from '../../../conformance/index.ts';
import {
  type Contract,
  isJsonArray,
  isJsonObject,
  type ItemView,
  type JsonObject,
  type JsonValue,
  ownMember,
  type SchemaNode,
} from '../../../contract/index.ts';
import { countOf } from '../../../page/view/count.ts';
import { compileRouter } from '../../../traffic/request/route.ts';

/** A request to a service and its response, as far as items can be read from them. */
export interface Observation {
  readonly method: string;
  /** Relative to the base address: `/pets?limit=5`. */
  readonly target: string;
  readonly status: number;
  /** Body of the request as JSON; undefined for none. */
  readonly sent: JsonValue | undefined;
  readonly received: JsonValue | undefined;
  /** Why the body of the response is not there to its end. Follows "the body". */
  readonly missing?: string | undefined;
}

/** What the suite sent and received. */
export function observationOf(
  { method, target, body: sent }: SentRequest,
  { status, body: received }: ReceivedResponse,
): Observation {
  return { method, target, status, sent: readJson(sent), received: readJson(received) };
}

/** Roles of operations whose requests and responses have no item that can be read. */
const silentRoles: ReadonlySet<string> = new Set(['action', 'view', 'bulk']);

/** Collects the items of a service from what was observed, in its order: the latest wins. */
export class ObservedItems {
  /** By path of the collection, ids of parents filled in, and by id. */
  readonly collections = new Map<string, Map<string, JsonObject>>();
  /** Observations of an operation of the document. */
  seen = 0;
  /** Items without an identifier, by path of the collection. */
  readonly #unnamed = new Map<string, number>();
  /** Responses whose items are not there, by the reason. */
  readonly #missing = new Map<string, number>();
  readonly #contract: Contract;
  readonly #route: ReturnType<typeof compileRouter>;

  constructor(contract: Contract) {
    this.#contract = contract;
    this.#route = compileRouter(contract);
  }

  take(observation: Observation): void {
    const { method, target, missing, status } = observation;
    const route = this.#route(method, target);
    if (route.kind === 'none') return;
    this.seen += 1;
    if (missing !== undefined) add(this.#missing, missing);
    for (const { isSingle, path: template, operations, success } of this.#contract
      .inferredResources) {
      const role = operations.find((one) => one.operation === route.operation)?.role;
      if (role === undefined || silentRoles.has(role) || isSingle) continue;
      const values = [...route.values.values()];
      const path = fillPath(template, values);
      const items = this.collections.get(path) ?? new Map<string, JsonObject>();
      const own = role === 'list' || role === 'create' ? undefined : values.at(-1);
      const isGranted = status >= 200 && status < 300;
      // An item that is not found was removed by somebody else.
      if (role === 'remove' ? isGranted : role === 'get' && [404, 410].includes(status))
        items.delete(own ?? '');
      else if (isGranted)
        this.#takeShown(path, items, success(route.operation).view, own, observation);
      // A list that was seen, even an empty one, shows what the collection holds.
      if (items.size > 0 || (role === 'list' && isGranted)) this.collections.set(path, items);
      return;
    }
  }

  /** `own`: the id in the path of the request. */
  #takeShown(
    path: string,
    items: Map<string, JsonObject>,
    view: ItemView | undefined,
    own: string | undefined,
    { method, sent, received }: Observation,
  ): void {
    const shown = view === undefined ? [] : itemsIn(received, view);
    for (const item of shown) {
      const id = nameOf(item, view?.idMember) ?? own;
      if (id === undefined) add(this.#unnamed, path);
      else items.set(id, mergeItem(items.get(id), item, view?.item));
    }
    const before = own === undefined ? undefined : items.get(own);
    if (shown.length > 0 || own === undefined || before === undefined) return;
    // A change that was granted without a body: the item is what was sent.
    if (method !== 'GET' && isJsonObject(sent)) items.set(own, { ...before, ...sent });
  }

  /** What was not taken, a sentence each. */
  listNotes(): readonly string[] {
    return [
      ...[...this.#missing].map(
        ([reason, count]) => `no items from ${countOf(count, 'response')}: the body ${reason}.`,
      ),
      ...[...this.#unnamed].map(
        ([path, count]) => `${path}: ${count} of the items have no identifier.`,
      ),
    ];
  }
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** The path of a collection with the ids of its parents. */
function fillPath(template: string, values: readonly string[]): string {
  let index = 0;
  return template.replaceAll(/\{[^{}]*\}/g, () => encodeURIComponent(values[index++] ?? ''));
}

/** The items of a response. */
export function itemsIn(
  body: JsonValue | undefined,
  { place, isList }: ItemView,
): readonly JsonObject[] {
  let found = body;
  for (const name of place) found = isJsonObject(found) ? ownMember(found, name) : undefined;
  const all = isList && isJsonArray(found) ? found : found === undefined ? [] : [found];
  return all.filter(isJsonObject);
}

function nameOf(item: JsonObject, idMember: string | undefined): string | undefined {
  const id = idMember === undefined ? undefined : ownMember(item, idMember);
  const isName = typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint';
  return isName && `${id}` !== '' ? `${id}` : undefined;
}

/** A list may show less of an item than was seen before: what it leaves out stays then. */
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
