import {
  compilePathMatch,
  type Contract,
  type InferredOperation,
  type InferredResource,
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

/** A request to a service and its response, as far as items can be read from them. */
export interface Observation {
  readonly method: string;
  /** Absolute, or below the base address. */
  readonly address: string;
  readonly status: number;
  /** Body of the request as JSON; undefined for none. */
  readonly sent: JsonValue | undefined;
  readonly received: JsonValue | undefined;
  /** Why the body of the response is not there to its end. Follows "its body". */
  readonly missing?: string;
}

/** An observation of an operation of the document. */
export interface PlacedObservation extends Observation {
  readonly operation: Operation;
  /** Decoded values of the path's parameters, in the order of the template. */
  readonly pathValues: readonly string[];
}

/** A text as JSON; undefined for none, and for what is none. */
export function readJson(text: string): JsonValue | undefined {
  try {
    return text === '' ? undefined : parseJson(text);
  } catch {
    return undefined;
  }
}

/** Observations of the operations of a document, by the base address that most of them have. */
interface Placed {
  readonly base: string;
  readonly observations: readonly PlacedObservation[];
  /** Number of those that are of another address, or of no operation. */
  readonly others: number;
}

/** Finds the base address under which most of what was observed is in the document. */
export function placeObservations(contract: Contract, all: readonly Observation[]): Placed {
  const find = compileFind(contract);
  const byBase = new Map<string, PlacedObservation[]>();
  for (const observation of all) {
    const { origin, path } = splitAddress(observation.address);
    for (const base of basesOf(path)) {
      const found = find(observation.method, path.slice(base.length));
      if (found === undefined) continue;
      const placed = byBase.get(origin + base) ?? [];
      placed.push({ ...observation, ...found });
      byBase.set(origin + base, placed);
    }
  }
  const rank = ([base, { length }]: readonly [string, readonly unknown[]]): number =>
    length * 2 + (base.endsWith(contract.basePath) ? 1 : 0);
  const [best] = [...byBase].toSorted((one, other) => rank(other) - rank(one));
  const [base = '', observations = []] = best ?? [];
  return { base, observations, others: all.length - observations.length };
}

/** Every start of a path that a base path can be: `/v1/pets` has ``, `/v1` and `/v1/pets`. */
function basesOf(path: string): readonly string[] {
  const ends = [...path.matchAll(/\/|$/g)].map(({ index }) => index);
  return [...new Set(ends)].map((end) => path.slice(0, end));
}

function splitAddress(address: string): { readonly origin: string; readonly path: string } {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url !== undefined) return { origin: url.origin, path: url.pathname };
  return { origin: '', path: address.split(/[?#]/, 1)[0] ?? '' };
}

type Found = Pick<PlacedObservation, 'operation' | 'pathValues'>;

/** Templates with fewer parameters go first, as concrete paths go before others. */
function compileFind({
  operations,
}: Contract): (method: string, path: string) => Found | undefined {
  const compiled = operations
    .map((operation) => {
      const path = operation.path.split(/[?#]/)[0] ?? '';
      return { operation, match: compilePathMatch(path), parameters: path.split('{').length };
    })
    .toSorted((one, other) => one.parameters - other.parameters);
  return (method, path) => {
    for (const { operation, match } of compiled) {
      const values = operation.method === method ? match(path) : undefined;
      if (values !== undefined) return { operation, pathValues: values.map(decode) };
    }
    return undefined;
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Items of the collections of a service. */
export interface CollectedItems {
  /** By path of the collection, ids of parents filled in, and by id. */
  readonly collections: ReadonlyMap<string, ReadonlyMap<string, JsonObject>>;
  /** What was not taken, a sentence each. */
  readonly notes: readonly string[];
}

/** Where an operation belongs. */
interface Part {
  readonly resource: InferredResource;
  readonly inferred: InferredOperation;
}

/** Collects items of what was observed, in the order of its times: the latest wins. */
export function collectItems(
  contract: Contract,
  observations: readonly PlacedObservation[],
): CollectedItems {
  const collections = new Map<string, Map<string, JsonObject>>();
  const unnamed = new Map<string, number>();
  for (const observation of observations) {
    const part = findPart(contract, observation);
    if (part === undefined) continue;
    const path = fillPath(part.resource.path, observation.pathValues);
    const items = collections.get(path) ?? new Map<string, JsonObject>();
    const left = applyObservation(items, part, observation);
    if (left > 0) unnamed.set(path, (unnamed.get(path) ?? 0) + left);
    if (items.size > 0 || collections.has(path) || isListed(part, observation))
      collections.set(path, items);
  }
  const notes = [...unnamed].map(
    ([path, count]) => `${path}: ${count} of the items have no identifier.`,
  );
  return { collections, notes };
}

function findPart(
  { inferredResources }: Contract,
  { operation }: PlacedObservation,
): Part | undefined {
  for (const resource of inferredResources) {
    const inferred = resource.operations.find((one) => one.operation === operation);
    if (inferred !== undefined && !resource.isSingle) return { resource, inferred };
  }
  return undefined;
}

function fillPath(template: string, values: readonly string[]): string {
  let index = 0;
  return template.replaceAll(/\{[^{}]*\}/g, () => encodeURIComponent(values[index++] ?? ''));
}

/** A list that was seen, even an empty one, says what the collection holds. */
function isListed({ inferred }: Part, { status }: PlacedObservation): boolean {
  return inferred.role === 'list' && isGranted(status);
}

function isGranted(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Gives the number of items that nothing names. */
function applyObservation(
  items: Map<string, JsonObject>,
  { resource, inferred: { role } }: Part,
  { operation, pathValues, status, sent, received }: PlacedObservation,
): number {
  const own =
    role === 'list' || role === 'create' || role === 'bulk' ? undefined : pathValues.at(-1);
  if (!isGranted(status)) {
    // Somebody else has removed it meanwhile.
    if ((status === 404 || status === 410) && role === 'get' && own !== undefined)
      items.delete(own);
    return 0;
  }
  if (role === 'remove' && own !== undefined) items.delete(own);
  if (role === 'remove' || role === 'action' || role === 'view' || role === 'bulk') return 0;
  const { view } = resource.success(operation);
  const seen = view === undefined ? [] : itemsIn(received, view);
  if (view === undefined || seen.length === 0) {
    if (own !== undefined) applySent(items, own, role, sent);
    return 0;
  }
  const named = seen.map((item) => ({ id: nameOf(item, view) ?? own, item }));
  for (const { id, item } of named)
    if (id !== undefined) items.set(id, mergeItem(items.get(id), item, view.item));
  return named.filter(({ id }) => id === undefined).length;
}

function itemsIn(body: JsonValue | undefined, { place, isList }: ItemView): readonly JsonObject[] {
  const found = place.reduce<JsonValue | undefined>(
    (value, name) => (isJsonObject(value) ? ownMember(value, name) : undefined),
    body,
  );
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

/** A change that was granted without a body: the item is what was sent. */
function applySent(
  items: Map<string, JsonObject>,
  id: string,
  role: InferredOperation['role'],
  sent: JsonValue | undefined,
): void {
  const before = items.get(id);
  if (before === undefined || !isJsonObject(sent)) return;
  if (role === 'replace' || role === 'update') items.set(id, { ...before, ...sent });
}
