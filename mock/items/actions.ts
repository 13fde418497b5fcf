import { isJsonPatch } from '../../contract/json/json-patch.ts';
import { valueAt, withValueAt } from '../../contract/json/place.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  jsonEquals,
  parseJson,
  renderJson,
} from '../../contract/json/value.ts';
import { largest } from '../../contract/list/list.ts';
import { jsonContent } from '../../contract/openapi/media-type.ts';
import { successResponse } from '../../contract/openapi/response.ts';
import { membersOf } from '../../contract/resource/item-view.ts';
import { lastWord, plainName } from '../../contract/resource/names.ts';
import type { ItemView } from '../../contract/resource/resource.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { renderIssues } from '../http/issue-message.ts';
import { essence } from '../http/media-type.ts';
import { headerText } from '../http/message.ts';
import {
  type Action,
  type Call,
  type Input,
  type Outcome,
  success,
} from '../operation/response/outcome.ts';
import { isRefusal, refuse } from '../operation/response/refusal.ts';
import type { Collection } from './collection.ts';
import { ItemOperation } from './item-operation.ts';
import { compileList } from './list.ts';
import { JsonPatchError, changedMembers, mergePatch, patchJson } from './patch.ts';
import { type Item, type OpenItem, openItem } from './store/item.ts';
import { type Shown, withStatus } from './view/item-view.ts';

/** What an operation does by its role; `otherwise`: responds with what the document shows. */
export function compileRole(one: ItemOperation, otherwise: Action): Action {
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
      return one.resource.parents.length < parameters ? compileAct(one, otherwise) : otherwise;
    }
    case 'bulk':
    case undefined:
    default:
      return otherwise;
  }
}

/** Stores what is sent as a new item, and answers as documented. */
function compileCreate(one: ItemOperation, otherwise: Action): Action {
  const { collection, view, operation } = one;
  const showsLocation =
    one.status === 201 ||
    !showsUsualId(one) ||
    successResponse(operation)?.headers.some(({ name }) => name.toLowerCase() === 'location') ===
      true;
  const documentsConflict = one.statuses.has(409);
  return (input, call): Outcome => {
    const all = one.sentIn(input.body);
    // What the document shows is there at first, and is not a reason to refuse the same.
    const isTaken = (key: string): boolean => {
      const id = collection.read(call).find(key)?.id;
      return id !== undefined && collection.read(call).isCreated(id);
    };
    const keys = documentsConflict ? all.map((sent) => one.keyIn(sent)) : [];
    const taken = keys.find((key) => key !== undefined && isTaken(key));
    if (taken !== undefined)
      return refuse('conflict', `There is already an item with the name or id ${taken}.`);
    const items: Item[] = [];
    for (const sent of all) {
      const made = one.create(sent, call);
      if (isRefusal(made)) return made;
      one.put(made, call);
      collection.disclose(call);
      items.push(made);
    }
    const [first] = items;
    const { shown } = one;
    const location = first && showsLocation ? collection.location(call, first.id) : undefined;
    const several =
      items.length > 1 && view !== undefined && shown !== undefined
        ? success(one.status, renderSeveral(items, shown, view))
        : undefined;
    const outcome =
      (several && { ...several, mediaType: one.mediaType }) ??
      (first && one.show(first)) ??
      otherwise(input, call);
    return outcome.kind === 'success' ? { ...outcome, facts: { location } } : outcome;
  };
}

/** All in one body where it holds a list and stays valid; else the first. */
function renderSeveral(
  items: readonly Item[],
  shown: Shown,
  { content, ...view }: ItemView,
): string {
  const bodies = items.map((item) => shown.value(item));
  const [first = null] = bodies;
  const inner = bodies.flatMap((body) => valueAt(body, view.place) ?? []);
  const whole = view.isList ? withValueAt(first, view.place, inner) : first;
  const isValid = (content.schema?.validate(whole).length ?? 0) === 0;
  return renderJson(isValid ? whole : first);
}

const usualIds = 8;

/** True where clients find the id by themselves: by its name, near the top of the body. */
function showsUsualId({ resource, view }: ItemOperation): boolean {
  return (
    view?.idPlace?.length === 1 &&
    view.place.length < 2 &&
    resource.idNames.slice(0, usualIds).includes(plainName(view.idPlace.join('')))
  );
}

/** Changes an item: PUT replaces it, anything else updates it; PUT and POST make one that is not there where they document 201, or no 404. */
function compileChange(one: ItemOperation, otherwise: Action): Action {
  const { collection, operation, statuses } = one;
  const isReplacement = one.role === 'replace';
  const get = collection.operationOf('get');
  const reading = get && new ItemOperation(collection, get);
  const creates = (isReplacement || operation.method === 'POST') && statuses.has(201);
  const act: Action = (input, call) => {
    const known = one.find(call, input);
    // An item that nobody knows is created where the document has no response for that.
    if (known === undefined && one.documentsAbsence && !creates) return one.missing(call, input);
    const old =
      known === undefined
        ? { ...collection.untouched(call, collection.nameIn(call, input)), createdAt: call.now }
        : openItem(known);
    const patch = isReplacement ? undefined : jsonPatchIn(input, call);
    const [sent = {}] = patch === undefined ? one.sentIn(input.body) : [];
    const changed =
      patch !== undefined
        ? patchItem(collection, reading, old, patch, call)
        : isReplacement && operation.requestBody !== undefined
          ? one.replace(old, sent)
          : mergeItem(old, collection.changesIn(sent));
    const item = one.change(changed, sent, call);
    if (isRefusal(item)) return item;
    one.put(item, call);
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
 * The response of an operation that adds an item or changes one, as PUT does, where it documents 201
 * beside 200 or 204: 201 for an added item only (RFC 9110 section 9.3.4), in its envelope too. Where its
 * body would break the schema of that status, the response stays as it is.
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
    if (schema.validate(body).length > 0) continue;
    const isEnvelope = (view?.place.length ?? 0) > 0 && isJsonObject(body);
    const shown = isEnvelope ? renderJson(withStatus(body, schema, status)) : outcome.body;
    return { ...outcome, status, body: shown };
  }
  return outcome;
}

function jsonPatchIn({ body }: Input, { request }: Call): readonly JsonValue[] | undefined {
  const type = essence(headerText(request.headers, 'content-type') ?? '');
  const isPatch = type === 'application/json-patch+json' && isJsonArray(body);
  return isPatch || isJsonPatch(body) ? body : undefined;
}

function mergeItem(item: OpenItem, sent: JsonObject): OpenItem {
  const gone = Object.keys(sent).filter((name) => sent[name] === null);
  const absent = new Set([...item.absent, ...gone].filter((name) => sent[name] == null));
  const nulls = Object.fromEntries(gone.map((name) => [name, null]));
  return { ...item, members: { ...mergePatch(item.members, sent), ...nulls }, absent };
}

/** A JSON Patch is of what GET of the item shows. */
function patchItem(
  collection: Collection,
  get: ItemOperation | undefined,
  item: OpenItem,
  body: readonly JsonValue[],
  call: Call,
): OpenItem {
  const view = get?.view;
  const whole = get?.shown?.value(collection.close(item, collection.read(call)));
  const found = valueAt(whole, view?.place ?? []);
  const before = isJsonObject(found) ? found : item.members;
  const after = patchJson(before, body);
  const issues = view === undefined || view.place.length > 0 ? [] : view.item.validate(after);
  if (!isJsonObject(after) || issues.length > 0)
    throw new JsonPatchError(
      `The JSON Patch makes the item invalid: ${issues.length > 0 ? renderIssues(issues) : 'it must be an object'}`,
      true,
    );
  const id = view?.idPlace ?? [];
  if (id.length > 0 && !jsonEquals(valueAt(before, id) ?? null, valueAt(after, id) ?? null))
    throw new JsonPatchError(`The JSON Patch changes ${id.join('.')}, which names the item.`, true);
  const { members, gone } = changedMembers(before, after);
  const absent = new Set([...item.absent, ...gone].filter((name) => !Object.hasOwn(members, name)));
  const kept = Object.entries({ ...item.members, ...members }).filter(
    ([name]) => !absent.has(name),
  );
  return { ...item, members: Object.fromEntries(kept), absent };
}

/**
 * Removes an item: later requests for it find nothing. What went with its parent is removed once
 * more, and so is what is not there if the operation documents no response for that.
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

/** Does something to one item: a status whose target is evident moves there. */
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
    const item = target === undefined ? known : one.change(move(openItem(known), target), {}, call);
    if (isRefusal(item)) return otherwise(input, call);
    if (item !== known) collection.write(call).put(item);
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

interface StatusTarget {
  readonly member: string;
  readonly value: JsonValue;
}

const usualTargets: ReadonlyMap<string, readonly string[]> = new Map([
  ['start', ['running', 'inprogress', 'active']],
  ['run', ['running', 'active']],
  ['stop', ['stopped', 'terminated', 'inactive']],
  ['resume', ['running', 'active', 'resumed']],
  ['restore', ['active', 'restored']],
  ['enable', ['enabled', 'active']],
  ['disable', ['disabled', 'inactive']],
  ['activate', ['active', 'activated']],
  ['deactivate', ['inactive', 'deactivated']],
  ['finish', ['done', 'completed']],
  ['pay', ['paid']],
  ['send', ['sent']],
  ['submit', ['submitted', 'pending']],
  ['reopen', ['open', 'opened', 'reopened']],
]);

/** `cancel` leads to `cancelled`, where a member of the item has that value among those it lists. */
function statusTarget({ resource, operation: { path } }: ItemOperation): StatusTarget | undefined {
  const verb = plainName(/:(\w+)$/.exec(path)?.[1] ?? lastWord(path));
  if (verb.length < 3) return undefined;
  const stem = verb.replace(/(?:e|y)$/, '');
  for (const one of resource.showing) {
    const item = resource.viewOf(one)?.item;
    for (const [member, schema] of item === undefined ? [] : membersOf(item)) {
      if (!/status|state|phase/i.test(member)) continue;
      const value = targetAmong(schema, verb, stem);
      if (value !== undefined) return { member, value };
    }
  }
  return undefined;
}

function targetAmong(schema: SchemaNode, verb: string, stem: string): JsonValue | undefined {
  const values = (schema.shape().values ?? []).filter((value) => typeof value === 'string');
  const named = (usualTargets.get(verb) ?? [])
    .map((wanted) => values.find((value) => plainName(value) === wanted))
    .find((value) => value !== undefined);
  return named ?? values.find((value) => plainName(value).startsWith(stem));
}

function move(item: OpenItem, { member, value }: StatusTarget): OpenItem {
  const absent = new Set([...item.absent].filter((name) => name !== member));
  return { ...item, members: { ...item.members, [member]: value }, absent };
}
