import * as fc from 'fast-check';
import type { Contract } from '../../contract/contract.ts';
import { valueAt, withValueAt } from '../../contract/json/place.ts';
import {
  isJsonObject,
  parseJson,
  renderJson,
  type JsonObject,
  type JsonValue,
} from '../../contract/json/value.ts';
import { memberContent } from '../../contract/openapi/media-type.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import { schemaAt } from '../../contract/resource/item-view.ts';
import { mayAdd, type Resource, resourceOf } from '../../contract/resource/resource.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { isWide, mergedOperations, requirementsOf } from '../family/requirements.ts';
import { isOpenIdentifier } from '../family/status.ts';
import { arbitraryOf } from '../generate/arbitrary.ts';
import { carriedMembers, plainRequestBody, renderRequestBody } from '../generate/request-body.ts';
import {
  distinctValue,
  idOfTag,
  mayRefuse,
  readTemplate,
  tagBody,
  tagDrawn,
  withReferences,
  withUniqueTexts,
  type BodyTemplate,
} from '../generate/template.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import { itemResourceOf, renderPlain } from '../judge/trace/trace.ts';
import { lazy, once } from '../../contract/memo/once.ts';
import { statusOf, validIntent, type Exchange, type Intent } from '../transport/exchange.ts';
import { readSentBody } from '../transport/sent-body.ts';
import type { Request } from '../transport/session.ts';
import { writes } from '../transport/target.ts';
import { isAmbiguous, type Purpose } from './known-items.ts';
import { NothingToSend, type Run } from './probe.ts';

/** Values of path parameters, by name. */
export type Path = NonNullable<Request['path']>;

/**
 * A valid request by the operation's own description: with everything that is required, or the body
 * `value`, and with identifiers that the target showed. Changes and removals go to what this run
 * added, unless the target's data is disposable. `exercises`: by default, that the members missing
 * from the body are optional.
 * @throws {NothingToSend} if the run added nothing that it could change
 * @throws {UndrawableSchema} if no valid body is found
 */
export function plainRequest(
  operation: Operation,
  run: Run,
  exercises?: readonly string[],
  value?: JsonValue,
): Request {
  const { known, disposable } = run;
  const { path, guessed, isOwn } = known.choose(operation);
  refuseAmbiguous(operation, path, run);
  const isChange = writes(operation) && operation.path.includes('{');
  if (isChange && !isOwn && !disposable && !known.isGiven(operation))
    throw new NothingToSend(
      'the run created no item that it could change (--id names one, --disposable allows any, --skip leaves the operation out)',
    );
  const sent = newBody(operation, run, value);
  const intent = validIntent(exercises ?? plainlyLacked(operation, sent));
  return {
    operation,
    path,
    ...sent,
    intent: guessed.length === 0 ? intent : { ...intent, guessed: [...guessed] },
  };
}

/** A body that adds something new. */
function newBody(operation: Operation, run: Run, value?: JsonValue): ReturnType<typeof ownBody> {
  const sent = ownBody(operation, value);
  const isAddition = operation.method === 'POST' && sent.body !== undefined;
  const template = isAddition ? readTemplate(run.contract, operation) : undefined;
  const body = template && readSent(operation, sent);
  return template && isJsonObject(body)
    ? ownBody(operation, withUniqueTexts(template, body, run.nextTag()))
    : sent;
}

function readSent(operation: Operation, { body, headers = {} }: ReturnType<typeof ownBody>) {
  return readSentBody(operation, { body, headers: Object.entries(headers) }).body;
}

/** The requirements that the members missing from a plain body are optional. */
export function plainlyLacked(operation: Operation, sent = ownBody(operation)): readonly string[] {
  return lackedIds({ operation }, readSent(operation, sent));
}

/**
 * A body according to the operation's own description. `value`: use this value, if the operation
 * accepts JSON or a form.
 */
export function ownBody(
  operation: Operation,
  value?: JsonValue,
): Pick<Request, 'body' | 'headers'> {
  const media = memberContent(operation);
  const made =
    value === undefined || !media ? plainRequestBody(operation) : renderRequestBody(media, value);
  return made === undefined
    ? {}
    : { body: made.body, headers: { 'content-type': made.contentType } };
}

/**
 * A request that is valid with the right key. For a GET it repeats the last accepted one, which
 * caches may have stored. Writes go to one of the run's own items, or to an id that does not exist,
 * so that other clients' items stay unchanged.
 */
export function validRequest(operation: Operation, run: Run): Omit<Request, 'intent'> {
  const served =
    operation.method === 'GET'
      ? run.session.exchanges.findLast(
          ({ request, intent, outcome }) =>
            request.operation === operation.id &&
            intent.kind === 'valid' &&
            statusOf({ outcome }) === 200,
        )
      : undefined;
  if (served !== undefined) return { operation, target: served.request.target };
  const path = harmlessPath(operation, run);
  refuseAmbiguous(operation, path, run);
  const resource =
    resourceOf(run.contract.resources, operation) ?? itemResourceOf(run.contract, operation);
  return resource === undefined || readTemplate(run.contract, operation) === undefined
    ? { operation, path, ...ownBody(operation) }
    : { operation, path, body: renderJson(validBody(operation, resource, run)) };
}

/** Throws for a request that a server may take for one to another operation. */
function refuseAmbiguous(operation: Operation, path: Path, { contract }: Run): void {
  if (isAmbiguous(contract, operation, path))
    throw new NothingToSend('another path of the document matches the same requests');
}

function harmlessPath(operation: Operation, run: Run): Path {
  const { contract, known } = run;
  const last = lastParameter(operation);
  const items = itemResourceOf(contract, operation);
  // The session knows the parents of a collection.
  if (last === undefined || (!items && resourceOf(contract.resources, operation))) return {};
  const isWrite = writes(operation);
  const id = items && (isWrite ? known.own(items, 'stay') : seenIds(items, run)[0]);
  if (id !== undefined) return { [last.name]: id };
  const { path, isOwn } = known.choose(operation);
  const isHarmless = !isWrite || (!items && (isOwn || run.disposable));
  return isHarmless ? path : { ...path, [last.name]: absentId(last, run, [], true) };
}

/** The path parameter that ends a path. */
export function lastParameter({ parameters }: Operation): Parameter | undefined {
  return parameters.findLast((parameter) => parameter.in === 'path');
}

/** A valid tagged body for an operation of a resource. */
export function validBody(operation: Operation, resource: Resource, run: Run): JsonObject {
  const template = readTemplate(run.contract, operation);
  if (template === undefined) return {};
  const references = run.known.references(resource);
  return template.wrap(taggedBody(template, run, references));
}

/** @throws {NothingToSend} if no valid body is known */
function taggedBody(
  template: BodyTemplate,
  run: Run,
  references: Parameters<typeof tagBody>[3],
): JsonObject {
  const plain = template.plain();
  if (!template.isSound()) throw new NothingToSend('no valid body was found');
  return tagBody(template, plain, run.nextTag(), references);
}

/** Ids of all items seen so far. */
export function seenIds(resource: Resource, { known }: Run): readonly string[] {
  return [...known.listed(resource).keys(), ...known.added(resource).keys()];
}

/**
 * A valid id that no known item has, and that no earlier run requested: within 32 bits, or as large
 * as the schema allows. Not an example of the document, which a server may well have.
 */
export function absentId(
  { schema }: Parameter,
  { random, tag }: Pick<Run, 'random' | 'tag'>,
  seen: readonly string[],
  far: boolean,
): string {
  const { types, format, examples } = schema.shape();
  const salt = `absent ${far} ${tag}`;
  const most = format === 'int64' ? 2n ** 62n : 2n ** 31n - 1n;
  const numbers = far ? { min: most / 2n, max: most } : { min: 1_000_000n, max: 2_000_000n };
  const taken = new Set([...seen, ...examples.map(renderPlain)]);
  const isFree = (id: string): boolean => !taken.has(id);
  if (types.includes('integer'))
    return random.sample(fc.bigInt(numbers), 20, salt).map(String).find(isFree) ?? 'none';
  const isUsable = (id: string): boolean =>
    /^[!-~]{3,}$/.test(id) && !/[%/\\]/.test(id) && isFree(id);
  // Some servers find items by name, too: no name of the run is its tag, alone or with one letter.
  const own = ['', 'a', 'b', 'c', 'd', 'e'].map((end) =>
    renderPlain(idOfTag(schema, tag + end) ?? ''),
  );
  const found = own.find(isUsable);
  if (found !== undefined) return found;
  const free = random.sample(arbitraryOf(schema), 50, salt).map(renderPlain).filter(isUsable);
  return free.find((id) => /^[\w-]+$/.test(id)) ?? free[0] ?? 'none';
}

/** The path of an item. */
export function itemPath({ idParameter }: Resource, id: string): Path {
  return { [idParameter?.name ?? 'id']: id };
}

/** A request for a single item, with a body if the operation has one. */
export function itemRequest(
  operation: Operation,
  resource: Resource,
  id: string,
  intent: Intent,
): Request {
  return { operation, path: itemPath(resource, id), ...ownBody(operation), intent };
}

/** A read of an item that must exist; undefined if the document has no operation for it. */
export function readRequest(
  resource: Resource,
  id: string,
  exercises?: readonly string[],
): Request | undefined {
  const { get, idParameter } = resource;
  if (get === undefined || idParameter === undefined) return undefined;
  const intent = validIntent(exercises ?? [requirementId.state(get.id, 'readable')]);
  return itemRequest(get, resource, id, intent);
}

/** Reads an item, if the document has an operation for it. */
export async function readBack(
  { session }: Run,
  resource: Resource,
  id: string,
  exercises?: readonly string[],
): Promise<void> {
  const request = readRequest(resource, id, exercises);
  if (request !== undefined) await session.send(request);
}

/** An operation of a resource that accepts a JSON object, to add or change an item. */
export interface Writer {
  readonly resource: Resource;
  readonly operation: Operation;
  readonly act: 'create' | 'replace' | 'update';
  readonly template: BodyTemplate;
  /** Its members are tested as parts of the whole body, because there are too many. */
  readonly isMerged: boolean;
  /** The requirements of the contract that members are accepted, by member. */
  readonly accepted: () => ReadonlyMap<string, string>;
  /** The requirements of the contract that members are optional. */
  readonly optional: () => readonly string[];
}

/** The operations that write items of a resource; empty if the suite cannot add items. */
export const writersOf = once((contract: Contract) =>
  once((resource: Resource): readonly Writer[] => {
    const writers = (['create', 'replace', 'update'] as const).flatMap((act) => {
      const operation = resource[act];
      return (operation && readWriter(contract, resource, operation, act)) ?? [];
    });
    const put = putWriterOf(contract)(resource);
    if (writers[0]?.act !== 'create') return put === undefined ? [] : [put, ...writers];
    return resource.idParameter === undefined ? writers.slice(0, 1) : writers;
  }),
);

/** The PUT that creates items at unused paths; undefined if there is none. */
export const putWriterOf = once((contract: Contract) =>
  once((resource: Resource): Writer | undefined => {
    const { replace: operation, idParameter } = resource;
    if (operation === undefined || !mayAdd(operation)) return undefined;
    if (idParameter === undefined || !isOpenIdentifier(idParameter)) return undefined;
    return readWriter(contract, resource, operation, 'create');
  }),
);

function readWriter(
  contract: Contract,
  resource: Resource,
  operation: Operation,
  act: Writer['act'],
): Writer | undefined {
  const template = readTemplate(contract, operation);
  if (template === undefined) return undefined;
  const has = (id: string): boolean => requirementsOf(contract).has(id);
  const members = lazy(() => membersOf({ operation, template }));
  return {
    resource,
    operation,
    act,
    template,
    isMerged: mergedOperations(contract).has(operation.id),
    accepted: lazy(
      () =>
        new Map(members().flatMap(({ name, takenId }) => (has(takenId) ? [[name, takenId]] : []))),
    ),
    optional: lazy(() =>
      members().flatMap(({ mayBeLeftOut, optionalId }) =>
        mayBeLeftOut && has(optionalId) ? [optionalId] : [],
      ),
    ),
  };
}

/** The path for adding an item: that of the collection, or for PUT one with an unused id. */
export function additionPath({ resource, operation }: Writer, run: Run): Path {
  const { idParameter, replace } = resource;
  if (operation !== replace || idParameter === undefined) return {};
  const seen = seenIds(resource, run);
  let tag = run.nextTag();
  // An earlier run may have left items with the same tags.
  for (let turn = 0; turn < 20; turn += 1, tag = run.nextTag()) {
    const own = idOfTag(idParameter.schema, tag);
    if (own === undefined) break;
    const id = renderPlain(own);
    if (!seen.includes(id)) return itemPath(resource, id);
  }
  return itemPath(resource, absentId(idParameter, { ...run, tag }, seen, true));
}

/** A body whose id, if any, is replaced by that of the path. */
export function withPathId(
  { resource, template }: Pick<Writer, 'resource' | 'template'>,
  path: Path,
  body: JsonObject,
) {
  const { idPlace, idParameter } = resource;
  const id = path[idParameter?.name ?? ''];
  const member = schemaAt(template.node, idPlace);
  if (id === undefined || member === undefined || valueAt(body, idPlace) === undefined) return body;
  const values: JsonValue[] = /^-?(0|[1-9]\d*)$/.test(id) ? [id, parseJson(id)] : [id];
  const value = values.find((each) => member.isValid(each));
  return value === undefined ? body : withValueAt(body, idPlace, value);
}

/** An operation, with the template of the item in its body, if any. */
type Sending = Pick<Writer, 'operation'> & Partial<Pick<Writer, 'template'>>;

/**
 * The members of a JSON body, or of the item in it, with the requirements that they are accepted;
 * none of a wide body, which is tested as a whole.
 */
export function membersOf({ operation, template }: Sending) {
  const { node, place } = template ?? { node: bodySchema(operation), place: [] };
  const shape = node?.shape();
  if (isWide(node)) return [];
  return [...(shape?.properties ?? [])].map(([name, member]) => ({
    name,
    member,
    mayBeLeftOut: shape?.required.has(name) === false && !member.shape().readOnly,
    takenId: requirementId.requestFacet(operation.id, [...place, name], 'taken'),
    optionalId: requirementId.requestFacet(operation.id, [...place, name], 'optional'),
  }));
}

/** The optional members of a body. */
export function leftOut(sending: Sending) {
  return membersOf(sending).filter(({ mayBeLeftOut }) => mayBeLeftOut);
}

/** The requirements that the members missing from a body are optional. */
export function lackedIds(sending: Sending, body: JsonValue | undefined): readonly string[] {
  if (!isJsonObject(body)) return [];
  const lacked = leftOut(sending).filter(({ name }) => !Object.hasOwn(body, name));
  return lacked.map(({ optionalId }) => optionalId);
}

/** The requirements that changed members test. */
export function takenIds({ accepted }: Writer, changes: JsonObject): readonly string[] {
  return Object.keys(changes).flatMap((name) => accepted().get(name) ?? []);
}

/**
 * A valid request with some members changed, the tested one first. Without a path, it adds an item.
 */
export function variantRequest(
  writer: Writer,
  run: Run,
  changes: JsonObject = {},
  path: Path = additionPath(writer, run),
): Request {
  const { resource, template, act } = writer;
  const references = run.known.references(resource);
  const { properties } = template.node.shape();
  const base = taggedBody(template, run, references);
  // The tested member itself has the value to be tested.
  const changed = Object.entries(changes).map(([name, value = null], at) => {
    const known = at > 0 && template.referring(name) ? references.get(name) : undefined;
    const isKnown = known !== undefined && properties.get(name)?.isValid(known) === true;
    const own = withReferences(template, value, references, properties.get(name));
    return [name, isKnown ? known : own];
  });
  const own = Object.fromEntries(changed);
  // Where a PATCH needs any member at all, the changed one is enough.
  const isAlone = act === 'update' && template.tagged === undefined;
  const isWhole = isAlone && template.node.isValid(own, 'request');
  const body = carriedBy(writer, isWhole ? own : { ...base, ...own });
  const exercises = [...takenIds(writer, carriedBy(writer, changes)), ...lackedIds(writer, body)];
  return writeRequest(writer, run, path, body, base, exercises);
}

/** The members that the operation's body carries, and those that it must have. */
function carriedBy(
  { operation, template: { node, place } }: Writer,
  members: JsonObject,
): JsonObject {
  if (place.length > 0) return members;
  const carried = carriedMembers(operation, members);
  const { required } = node.shape();
  const isSent = (name: string): boolean => Object.hasOwn(carried, name) || required.has(name);
  return Object.fromEntries(Object.entries(members).filter(([name]) => isSent(name)));
}

/** `plain`: uses values that the target has accepted, to isolate the cause of a refusal. */
function writeRequest(
  writer: Writer,
  { contract, known }: Run,
  path: Path,
  value: JsonObject,
  plain: JsonObject,
  exercises: readonly string[] = [],
): Request {
  const { resource, operation, template, act } = writer;
  const body = withPathId(writer, path, value);
  const refusable = mayRefuse(template, body, plain, known.knowsReferences(resource));
  // If the document has separate statuses for PUT that creates and PUT that replaces.
  const created = requirementId.state(operation.id, 'created');
  const isAddition = act === 'create' && operation === resource.replace;
  const isCreation = isAddition && requirementsOf(contract).has(created);
  const intent = validIntent([...exercises, ...(isCreation ? [created] : [])], refusable);
  return { operation, path, body: renderJson(template.wrap(body)), intent };
}

/** A valid request with a generated body, tagged and with references that the target accepts. */
export function drawnRequest(
  writer: Writer,
  run: Run,
  drawn: JsonObject,
  path: Path = additionPath(writer, run),
): Request {
  const { resource, template, act } = writer;
  // A PATCH leaves members unchanged that it does not send.
  const isMeant = (name = ''): boolean => act !== 'update' || Object.hasOwn(drawn, name);
  const { known } = run;
  const all = [...known.references(resource)].filter(([name]) => template.references.has(name));
  const needed = all.filter(([name]) => known.restricted.has(name) && isMeant(name));
  const tag = run.nextTag();
  const { properties } = template.node.shape();
  const own = Object.entries(drawn).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, distinctValue(name, properties.get(name), value, tag)]],
  );
  const untagged = Object.fromEntries([...own, ...needed]);
  const tagged = isMeant(template.tagged) ? tagDrawn(template, untagged, tag) : untagged;
  return writeRequest(writer, run, path, carriedBy(writer, tagged), Object.fromEntries(all));
}

/** An item that this run added, reserved for one purpose. Adds one if none is free. */
export async function ownItem(
  run: Run,
  resource: Resource,
  purpose: Purpose,
): Promise<string | undefined> {
  const known = run.known.own(resource, purpose);
  if (known !== undefined) return known;
  await addItem(run, resource);
  return run.known.own(resource, purpose);
}

/** Adds a plain item. Returns its id, or undefined if none was added. */
export async function addItem(
  run: Run,
  resource: Resource,
  create = writersOf(run.contract)(resource)[0],
): Promise<string | undefined> {
  return create && addedId(await run.session.send(variantRequest(create, run)), run, resource);
}

/** The id of the item that an exchange added; undefined if none. */
export function addedId(exchange: Exchange, { known }: Run, resource: Resource) {
  return [...known.added(resource)].findLast(([, each]) => each.exchange === exchange)?.[0];
}

/** A value as part of a probe's id. */
export function describe(value: JsonValue): string {
  const text = renderJson(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** Whether the response was a 2xx. */
export function isServed(exchange: Exchange | undefined): boolean {
  return exchange !== undefined && (statusOf(exchange) ?? 300) < 300;
}

/** Whether the response was a 4xx. */
export function isRefused(exchange: Exchange): boolean {
  const status = statusOf(exchange) ?? 0;
  return status >= 400 && status < 500;
}

/** The schema of an operation's JSON body or form. */
export function bodySchema(operation: Operation): SchemaNode | undefined {
  return memberContent(operation)?.schema;
}
