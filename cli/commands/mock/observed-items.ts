import {
  type Contract,
  type InferredRole,
  isJsonArray,
  isJsonObject,
  type ItemView,
  type JsonObject,
  type JsonValue,
  type Operation,
  ownMember,
  parseJson,
  type SchemaNode,
} from '../../../contract/index.ts';
import { compileRouter } from '../../../traffic/request/route.ts';
import { countOf } from '../../../page/view/count.ts';

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
  readonly missing?: string;
}

/** A text as JSON; undefined for none, and for what is not JSON. */
export function readJson(text: string): JsonValue | undefined {
  try {
    return text === '' ? undefined : parseJson(text);
  } catch {
    return undefined;
  }
}

type Items = Map<string, JsonObject>;

/** Collects the items of a service from what was observed, in its order: the latest wins. */
export class ObservedItems {
  /** By path of the collection, ids of parents filled in, and by id. */
  readonly collections = new Map<string, Items>();
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
    const route = this.#route(observation.method, observation.target);
    if (route.kind === 'none') return;
    this.seen += 1;
    const { missing, status } = observation;
    if (missing !== undefined) add(this.#missing, missing, 1);
    const { operation } = route;
    const values = [...route.values.values()];
    for (const { isSingle, path: template, operations, success } of this.#contract
      .inferredResources) {
      const role = operations.find((one) => one.operation === operation)?.role;
      if (role === undefined || isSingle) continue;
      const path = fillPath(template, values);
      const items: Items = this.collections.get(path) ?? new Map();
      const { view } = success(operation);
      const left = applyObservation(items, { role, view, values }, observation);
      if (left > 0) add(this.#unnamed, path, left);
      // A list that was seen, even an empty one, shows what the collection holds.
      if (items.size > 0 || (role === 'list' && isGranted(status)))
        this.collections.set(path, items);
      return;
    }
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

function add(counts: Map<string, number>, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}

/** The path of a collection with the ids of its parents. */
function fillPath(template: string, values: readonly string[]): string {
  let index = 0;
  return template.replaceAll(/\{[^{}]*\}/g, () => encodeURIComponent(values[index++] ?? ''));
}

function isGranted(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Where an operation belongs. */
interface Part {
  readonly role: InferredRole;
  readonly view: ItemView | undefined;
  /** Values of the parameters of the path. */
  readonly values: readonly string[];
}

/** Gives the number of items without an identifier. */
function applyObservation(
  items: Items,
  { role, view, values }: Part,
  { status, sent, received }: Observation,
): number {
  const own = role === 'list' || role === 'create' || role === 'bulk' ? undefined : values.at(-1);
  // Somebody else has removed it meanwhile.
  const isGone = (status === 404 || status === 410) && role === 'get';
  if (own !== undefined && (isGone || (role === 'remove' && isGranted(status)))) items.delete(own);
  if (!isGranted(status)) return 0;
  if (role === 'remove' || role === 'action' || role === 'view' || role === 'bulk') return 0;
  const seen = view === undefined ? [] : itemsIn(received, view);
  if (view === undefined || seen.length === 0) {
    const before = own === undefined ? undefined : items.get(own);
    // A change that was granted without a body: the item is what was sent.
    if (own !== undefined && before !== undefined && isJsonObject(sent) && role !== 'get')
      items.set(own, { ...before, ...sent });
    return 0;
  }
  let unnamed = 0;
  for (const item of seen) {
    const id = nameOf(item, view) ?? own;
    if (id === undefined) unnamed += 1;
    else items.set(id, mergeItem(items.get(id), item, view.item));
  }
  return unnamed;
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

function nameOf(item: JsonObject, { idMember }: ItemView): string | undefined {
  const id = idMember === undefined ? undefined : ownMember(item, idMember);
  const isName = typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint';
  return isName && `${id}` !== '' ? `${id}` : undefined;
}

/** A list may show less of an item than was seen before: what it leaves out stays then. */
function mergeItem(
  before: JsonObject | undefined,
  item: JsonObject,
  shown: SchemaNode,
): JsonObject {
  if (before === undefined) return item;
  const names = shown.shape().properties;
  const kept = Object.entries(before).filter(([name]) => !names.has(name));
  return { ...Object.fromEntries(kept), ...item };
}

/** The operation of a role. */
export function operationOf(
  { operations }: Contract['inferredResources'][number],
  wanted: InferredRole,
): Operation | undefined {
  return operations.find(({ role }) => role === wanted)?.operation;
}
