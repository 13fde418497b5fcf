import { isJsonPatch } from '../../contract/json/json-patch.ts';
import { valueAt, withValueAt } from '../../contract/json/place.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  jsonEquals,
  listOf,
  parseJson,
  renderJson,
} from '../../contract/json/value.ts';
import { largest } from '../../contract/list/list.ts';
import { type MediaType, jsonContent, essence } from '../../contract/openapi/media-type.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { successResponse, successStatus } from '../../contract/openapi/response.ts';
import { membersOf } from '../../contract/resource/item-view.ts';
import { lastWord, plainName } from '../../contract/resource/names.ts';
import { headerText } from '../http/message.ts';
import { argumentKey } from '../http/parameter-text.ts';
import {
  type Action,
  type Call,
  type Outcome,
  type Success,
  success,
} from '../operation/response/outcome.ts';
import { isRefusal, refuse, renderIssues } from '../operation/response/refusal.ts';
import { chooseContent, represent, valueOf } from '../operation/response/representation.ts';
import type { Collection, Collections } from './collection.ts';
import { ItemOperation } from './item-operation.ts';
import { layOver, withStatus } from './item-view.ts';
import { compileList } from './list.ts';
import { JsonPatchError, mergePatch, patchJson } from './patch.ts';
import { type Item, type OpenItem, openItem } from './store/item.ts';

/**
 * The action of an operation: by its role in a collection, else by the examples of the document.
 * HEAD responds like GET of the path, with its own status if it succeeds.
 */
export function compileAction(collections: Collections, operation: Operation): Action {
  const get = operation.method === 'HEAD' ? collections.getOf(operation.path) : undefined;
  if (get !== undefined) {
    const act = compileAction(collections, get);
    if (successResponse(operation) === undefined) return act;
    return (input, call) => {
      const outcome = act(input, call);
      return isRefusal(outcome) ? outcome : { ...outcome, status: successStatus(operation) };
    };
  }
  const otherwise = compileExample(operation, collections.contract.basePath);
  const collection = collections.ofOperation(operation);
  return collection === undefined
    ? otherwise
    : compileRole(new ItemOperation(collection, operation), otherwise);
}

/**
 * Returns the first example of the document, else a sample of the schema, with the values of the
 * path, in the media type that the request accepts.
 */
function compileExample(operation: Operation, basePath: string): Action {
  const { content: contents = [], headers = [] } = successResponse(operation) ?? {};
  const status = successStatus(operation);
  // Redirects lead to the root of the service, in the format that the document requires.
  const schema = headers.find(({ name }) => name.toLowerCase() === 'location')?.schema;
  const places = status >= 300 && status < 400 ? [`${basePath}/`, 'https://example.org/'] : [];
  const location = places.find((place) => schema?.isValid(place) ?? true);
  const facts = location === undefined ? undefined : { location };
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  const known = new Map<MediaType, JsonValue>();
  return ({ parameters }, { request }) => {
    const content = chooseContent(contents, headerText(request.headers, 'accept'));
    if (content === undefined) return success(status, '', facts);
    const value = known.get(content) ?? valueOf(content);
    known.set(content, value);
    const members = content.schema && membersOf(content.schema);
    const layers = inPath.flatMap((parameter) => {
      const given = parameters.get(argumentKey(parameter));
      return given === undefined || members?.has(parameter.name) !== true
        ? []
        : [[parameter.name, given] as const];
    });
    const shown =
      content.schema && isJsonObject(value) ? layOver(value, [], layers, content.schema) : value;
    return represent(status, shown, content, facts);
  };
}

/** The action of an operation by its role. `otherwise`: returns what the document shows. */
function compileRole(one: ItemOperation, otherwise: Action): Action {
  switch (one.role) {
    case 'create':
      return compileCreate(one, otherwise);
    case 'list':
      return compileList(one, otherwise);
    case 'get':
      return (input, call) => {
        const item = one.find(call, input);
        if (item === undefined) return one.missing(call, input);
        return one.show(item) ?? otherwise(input, call);
      };
    case 'replace':
    case 'update':
      return compileChange(one, otherwise);
    case 'remove':
      return compileRemove(one, otherwise);
    case 'action':
    case 'view': {
      const parameters = one.operation.path.split('{').length - 1;
      const isOfItem = one.place !== 'collection' && one.resource.parents.length < parameters;
      return isOfItem ? compileAct(one, otherwise) : otherwise;
    }
    case 'bulk':
    case undefined:
    default:
      return otherwise;
  }
}

/** Stores what is sent as a new item, and returns it as documented. */
function compileCreate(one: ItemOperation, otherwise: Action): Action {
  const { collection, operation } = one;
  const headers = successResponse(operation)?.headers ?? [];
  const showsLocation =
    one.status === 201 ||
    !showsUsualId(one) ||
    headers.some(({ name }) => name.toLowerCase() === 'location');
  const documentsConflict = one.statuses.has(409);
  return (input, call): Outcome => {
    const all = one.sentIn(input.body);
    for (const sent of documentsConflict ? all : []) {
      // Items from the document's examples exist at the start, and do not count as duplicates.
      const key = one.keyIn(sent);
      const inventory = collection.read(call);
      const id = key === undefined ? undefined : inventory.find(key)?.id;
      if (id !== undefined && inventory.isCreated(id))
        return refuse('conflict', `There is already an item with the name or id ${key}.`);
    }
    const items: Item[] = [];
    for (const sent of all) {
      const made = one.create(sent, call);
      if (isRefusal(made)) return made;
      one.put(made, call);
      collection.disclose(call);
      items.push(made);
    }
    const [first] = items;
    const location = first && showsLocation ? collection.location(call, first.id) : undefined;
    const outcome = showAll(one, items) ?? otherwise(input, call);
    return outcome.kind === 'success' ? { ...outcome, facts: { location } } : outcome;
  };
}

/** All items in one body if it holds a list and stays valid, else the first item. */
function showAll(one: ItemOperation, items: readonly Item[]): Success | undefined {
  const { view, shown } = one;
  const [first] = items;
  const whole = first && one.show(first);
  if (items.length < 2 || view?.isList !== true || shown === undefined) return whole;
  const bodies = items.map((item) => shown.value(item));
  const inner = bodies.flatMap((body) => listOf(valueAt(body, view.place)));
  const body = withValueAt(bodies[0], view.place, inner);
  const isValid = view.body.isValid(body);
  return isValid && whole ? { ...whole, body: renderJson(body) } : whole;
}

const usualIds = 8;

/** Whether clients can find the id themselves: by its name, near the top level of the body. */
function showsUsualId({ resource, view }: ItemOperation): boolean {
  const [name, ...more] = view?.idPlace ?? [];
  return (
    view !== undefined &&
    name !== undefined &&
    more.length === 0 &&
    view.place.length < 2 &&
    resource.idNames.slice(0, usualIds).includes(plainName(name))
  );
}

/**
 * Changes an item: PUT replaces it, other methods update it. A missing item is created if the
 * document has no response for it, if PUT or POST distinguish that by 201, or if only PUT can add items.
 */
function compileChange(one: ItemOperation, otherwise: Action): Action {
  const { collection, operation, statuses } = one;
  const isReplacement = one.role === 'replace';
  const get = collection.operationOf('get');
  const reading = get && new ItemOperation(collection, get);
  // Where nothing else adds items, PUT does, unless the document says that it cannot.
  const isOnlyWay = collection.operationOf('create') === undefined && !statuses.has(404);
  // A POST whose only success is 201 says nothing of missing items.
  const isDistinct = statuses.has(200) || statuses.has(204) || !one.documentsAbsence;
  const creates =
    ((isReplacement || (operation.method === 'POST' && isDistinct)) && statuses.has(201)) ||
    (isReplacement && isOnlyWay && !collection.resource.isSingle);
  const act: Action = (input, call) => {
    const name = collection.nameIn(call, input);
    const known = creates ? collection.read(call).find(name) : one.find(call, input);
    if (known === undefined && one.documentsAbsence && !creates) return one.missing(call, input);
    const old =
      known === undefined
        ? { ...collection.untouched(call.pathValues, name), createdAt: call.now }
        : openItem(known);
    const type = essence(headerText(call.request.headers, 'content-type') ?? '');
    const isNamedPatch = type === 'application/json-patch+json' && isJsonArray(input.body);
    const isPatch = isNamedPatch || isJsonPatch(input.body);
    let sent: JsonObject = {};
    let changed: OpenItem;
    if (!isReplacement && isPatch)
      changed = patchItem(collection, reading, old, listOf(input.body), call);
    else {
      [sent = {}] = one.sentIn(input.body);
      changed =
        isReplacement && operation.requestBody !== undefined
          ? one.replace(old, sent)
          : mergeItem(old, collection.changesIn(sent));
    }
    const item = one.change(changed, sent, call);
    if (isRefusal(item)) return item;
    one.put(item, call);
    if (creates && known === undefined) collection.disclose(call);
    return withAddedStatus(one, one.show(item) ?? otherwise(input, call), known === undefined);
  };
  return (input, call): Outcome => {
    try {
      return act(input, call);
    } catch (error) {
      if (!(error instanceof JsonPatchError)) throw error;
      const reason = error.isConflict && statuses.has(409) ? 'conflict' : 'invalid_body';
      return refuse(reason, error.message, { documented: statuses });
    }
  };
}

/**
 * The response of an operation that creates or changes an item, as PUT does, if it documents 201
 * besides 200 or 204: 201 only for a created item (RFC 9110 section 9.3.4), also in its envelope.
 * If the body would break the schema of that status, the response stays as it is.
 */
function withAddedStatus(
  { operation, view }: ItemOperation,
  outcome: Outcome,
  isAdded: boolean,
): Outcome {
  const fits = (status: number): boolean => (status === 201) === isAdded;
  if (isRefusal(outcome) || fits(outcome.status)) return outcome;
  for (const { status: text, content } of operation.responses) {
    const status = Number(text);
    if (![200, 201, 204].includes(status) || !fits(status)) continue;
    if (content.length === 0) return success(status, '');
    const schema = jsonContent(content)?.schema;
    if (schema === undefined || outcome.body === '') continue;
    const body = parseJson(outcome.body);
    if (!schema.isValid(body)) continue;
    const isEnvelope = (view?.place.length ?? 0) > 0 && isJsonObject(body);
    const shown = isEnvelope ? renderJson(withStatus(body, schema, status)) : outcome.body;
    return { ...outcome, status, body: shown };
  }
  return outcome;
}

function mergeItem(item: OpenItem, sent: JsonObject): OpenItem {
  const gone = Object.keys(sent).filter((name) => sent[name] === null);
  const absent = new Set([...item.absent, ...gone].filter((name) => sent[name] == null));
  const nulls = Object.fromEntries(gone.map((name) => [name, null]));
  return { ...item, members: { ...mergePatch(item.members, sent), ...nulls }, absent };
}

/** A JSON Patch applies to what GET of the item returns. */
function patchItem(
  collection: Collection,
  get: ItemOperation | undefined,
  item: OpenItem,
  patch: readonly JsonValue[],
  call: Call,
): OpenItem {
  const view = get?.view;
  const whole = get?.shown?.value(collection.close(item, collection.read(call)));
  const found = valueAt(whole, view?.place ?? []);
  const before = isJsonObject(found) ? found : item.members;
  const after = patchJson(before, patch);
  const issues = view === undefined || view.place.length > 0 ? [] : view.item.validate(after);
  if (!isJsonObject(after) || issues.length > 0)
    throw new JsonPatchError(
      `The JSON Patch makes the item invalid: ${issues.length > 0 ? renderIssues(issues) : 'it must be an object'}`,
      true,
    );
  const id = view?.idPlace ?? [];
  if (id.length > 0 && !jsonEquals(valueAt(before, id) ?? null, valueAt(after, id) ?? null))
    throw new JsonPatchError(`The JSON Patch changes ${id.join('.')}, which names the item.`, true);
  const members = new Map(Object.entries(item.members));
  const absent = new Set(item.absent);
  for (const [name, value = null] of Object.entries(after))
    if (!Object.hasOwn(before, name) || !jsonEquals(before[name] ?? null, value)) {
      members.set(name, value);
      absent.delete(name);
    }
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) absent.add(name);
  for (const name of absent) members.delete(name);
  return { ...item, members: Object.fromEntries(members), absent };
}

/**
 * Removes an item: later requests do not find it. An item that was removed with its parent can be
 * removed again, and so can an unknown one if the operation documents no response for it.
 */
function compileRemove(one: ItemOperation, otherwise: Action): Action {
  const { collection } = one;
  return (input, call) => {
    const known = one.find(call, input);
    const isOrphan = collection.read(call).isOrphan(collection.nameIn(call, input));
    if (known === undefined && one.documentsAbsence && !isOrphan) return one.missing(call, input);
    collection.remove(call, input);
    return (known && one.show(known)) ?? otherwise(input, call);
  };
}

/** Performs an action on one item: if its target status is clear, the item gets it. */
function compileAct(one: ItemOperation, otherwise: Action): Action {
  const { collection, operation } = one;
  const showsItem = isOfItem(one);
  const target = operation.method === 'GET' ? undefined : statusTarget(one);
  return (input, call) => {
    const known = one.find(call);
    if (known === undefined)
      return operation.method !== 'DELETE' &&
        collection.read(call).isRemoved(collection.nameIn(call))
        ? one.missing(call)
        : otherwise(input, call);
    let item: ReturnType<typeof one.change> = known;
    if (target !== undefined) {
      const open = openItem(known);
      const absent = new Set(open.absent);
      for (const name of Object.keys(target)) absent.delete(name);
      item = one.change({ ...open, members: { ...open.members, ...target }, absent }, {}, call);
      if (isRefusal(item)) return otherwise(input, call);
      collection.write(call).put(item);
    }
    return (showsItem ? one.show(item) : undefined) ?? otherwise(input, call);
  };
}

/** Whether the response shows the item itself: by its schema, or by most of its members. */
function isOfItem({ resource, view }: ItemOperation): boolean {
  if (view === undefined) return false;
  const items = resource.showing.flatMap((one) => resource.viewOf(one)?.item ?? []);
  if (items.some(({ pointer }) => pointer === view.item.pointer)) return true;
  const own = [...membersOf(view.item).keys()];
  const shared = items.map((item) => own.filter((name) => membersOf(item).has(name)).length);
  return view.idPlace !== undefined && own.length > 2 && largest(shared, 0) > own.length / 2;
}

/** `cancel` leads to `cancelled`, if a member of the item lists that value. */
function statusTarget({ resource, operation: { path } }: ItemOperation): JsonObject | undefined {
  const verb = plainName(/:(\w+)$/.exec(path)?.[1] ?? lastWord(path));
  if (verb.length < 3) return undefined;
  const stem = verb.replace(/(?:e|y)$/, '');
  for (const one of resource.showing) {
    const item = resource.viewOf(one)?.item;
    for (const [member, schema] of item === undefined ? [] : membersOf(item)) {
      if (!/status|state|phase/i.test(member)) continue;
      const value = schema
        .shape()
        .values?.find((each) => typeof each === 'string' && plainName(each).startsWith(stem));
      if (value !== undefined) return { [member]: value };
    }
  }
  return undefined;
}
