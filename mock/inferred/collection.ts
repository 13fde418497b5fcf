import {
  type Contract,
  type InferredResource,
  type InferredRole,
  type JsonObject,
  type JsonValue,
  type Operation,
  isJsonObject,
  membersOf,
  plainName,
} from '../../contract/index.ts';
import { documentedStatuses, documentsAbsence } from '../operation/response/documented.ts';
import type { Call } from '../operation/response/outcome.ts';
import { type Refusal, refuse } from '../operation/response/refusal.ts';
import { type Entity, plainEntity } from '../store/entities/entity.ts';
import type { Partition } from '../store/entities/partition.ts';
import { type IdForm, makeId } from './id-maker.ts';
import { fillPath } from './paths.ts';
import { seedPartition } from './seeds.ts';
import {
  type EntityView,
  type MakeSample,
  bodyWithoutEntity,
  compileEntityView,
  idValue,
} from './view/item-view.ts';
import { valueAt } from './view/place.ts';

/** The part of a request that tells where items are: the values of its path, and the sandbox. */
export type Place = Pick<Call, 'pathValues' | 'sandbox'>;

/** An item that others are within: the path of its collection, and what names it. */
interface Holder {
  readonly path: string;
  readonly name: string;
}

/** An inferred resource, compiled for serving. */
export interface InferredCollection {
  readonly resource: InferredResource;
  readonly sample: MakeSample;
  roleOf(operation: Operation): InferredRole | undefined;
  /** The first operation with a role. */
  operationOf(role: InferredRole): Operation | undefined;
  /** The items that a request is about, within the parents that its path names. */
  partition(call: Place): Partition;
  /** The text that names an item in the path of a request. */
  nameIn(call: Place): string;
  /** The item that the path names; one that nobody made is made up where ids are not all known. */
  find(call: Call): Entity | undefined;
  /** Removes the item that the path names, and all that is within it. */
  remove(call: Place): void;
  /** The refusal for an item that is not there. */
  missing(operation: Operation, call: Call): Refusal;
  /** Undefined where the operation's response shows no item. */
  viewOf(operation: Operation): EntityView | undefined;
  /** An item with what was sent, its id made or the client's own. */
  create(sent: JsonObject, call: Place & Pick<Call, 'now'>, operation: Operation): Entity;
  /** The key that an item gives itself, and that no other may have; undefined for none. */
  keyIn(sent: JsonObject, operation: Operation): string | undefined;
  location(call: Call, key: string): string | undefined;
}

/**
 * Compiles an inferred resource; what costs is done when a request first needs it. `listAncestors`:
 * the resources within whose items a path is.
 */
export function compileInferredCollection(
  contract: Contract,
  resource: InferredResource,
  sample: MakeSample,
  listAncestors: (path: string) => readonly InferredResource[],
): InferredCollection {
  const roles = new Map(resource.operations.map(({ operation, role }) => [operation, role]));
  const operationOf = (wanted: InferredRole): Operation | undefined =>
    resource.operations.find(({ role }) => role === wanted)?.operation;
  const views = new Map<Operation, EntityView | undefined>();
  /** The items that the path of a request is within. */
  const holdersIn = (call: Place): readonly Holder[] =>
    listAncestors(resource.path).map((ancestor) => {
      const path = partitionPath(ancestor, call);
      return { path, name: textIn(call, ancestor.parents.length) };
    });
  const isOrphan = (call: Place): boolean =>
    holdersIn(call).some(
      ({ path, name }) => call.sandbox.store.entities.find(path)?.isRemoved(name) === true,
    );
  /** What clients add to an item is not there when they have just created the item. */
  const isWithinCreated = (call: Place): boolean =>
    operationOf('create') !== undefined &&
    holdersIn(call).some(({ path, name }) => {
      const { inventories, entities } = call.sandbox.store;
      const inventory = inventories.get(path);
      return inventory === undefined
        ? entities.find(path)?.find(name)?.createdAt !== undefined
        : inventory.isCreated(name) || inventory.isCreated(Number(name));
    });
  let closed: boolean | undefined;
  /** What the document says of ids holds for the bodies that are sent. */
  const isClosed = (): boolean =>
    (closed ??=
      resource.isClosed &&
      [operationOf('list'), operationOf('create')].some((operation) => showsId(operation)));
  const showsId = (operation: Operation | undefined): boolean => {
    const view = operation && resource.success(operation).view;
    if (view?.idMember === undefined) return false;
    const found = valueAt(bodyWithoutEntity(view, sample), view.place);
    const item = Array.isArray(found) ? found[0] : found;
    const id = isJsonObject(item) ? item[view.idMember] : undefined;
    return id !== undefined && (resource.idParameter?.schema.validate(id).length ?? 0) === 0;
  };
  const untouched = (call: Place): Entity => ({
    ...plainEntity(''),
    made: parentMembers(resource, call),
  });
  let form: IdForm | undefined;
  const idForm = (): IdForm => (form ??= compileIdForm(resource, sample));
  const collection: InferredCollection = {
    resource,
    sample,
    roleOf: (operation) => roles.get(operation),
    operationOf,
    partition: (call) =>
      call.sandbox.store.entities.open(partitionPath(resource, call), (partition) => {
        if (isOrphan(call)) partition.orphan();
        else if (resource.isSingle) partition.put(untouched(call));
        else if (!isWithinCreated(call))
          seedPartition(partition, resource, sample, () => nextKey(partition, idForm()));
      }),
    nameIn: (call) => (resource.isSingle ? '' : textIn(call, resource.parents.length)),
    find(call) {
      const partition = collection.partition(call);
      const name = collection.nameIn(call);
      const known = partition.find(name);
      if (known !== undefined || partition.isRemoved(name)) return known;
      // What is within an item that nobody knows is not known before it is listed.
      const isUnknown = resource.parents.length > 0 && !partition.isDisclosed;
      if (isClosed() && !isUnknown) return undefined;
      const entity = { ...untouched(call), key: name };
      if (isClosed() && !call.sandbox.store.entities.isFull) partition.put(entity);
      return entity;
    },
    remove(call) {
      const name = collection.nameIn(call);
      const entity = collection.partition(call).remove(name);
      const { itemPath, isSingle } = resource;
      const { entities } = call.sandbox.store;
      // What cannot be missing is as it was at first.
      const get = operationOf('get');
      if (isSingle && !(get && documentsAbsence(get)))
        collection.partition(call).put(untouched(call));
      if (itemPath !== undefined)
        for (const key of new Set([name, entity?.key ?? name]))
          entities.removeWithin(
            fillPath(itemPath, [...textsIn(call, resource.parents.length), key]),
          );
    },
    missing: (operation, call) =>
      refuseMissing(
        operation,
        resource.isSingle
          ? 'This item does not exist.'
          : `No item has the name or id ${collection.nameIn(call)}.`,
      ),
    viewOf(operation) {
      if (views.has(operation)) return views.get(operation);
      const { view } = resource.success(operation);
      const compiled =
        view === undefined
          ? undefined
          : compileEntityView(view, bodyWithoutEntity(view, sample), {
              showsUnnamed: showsUnnamed.has(roles.get(operation)),
            });
      views.set(operation, compiled);
      return compiled;
    },
    create(sent, call, operation) {
      const partition = collection.partition(call);
      const own = ownKey(resource, sent, operation);
      const isTaken = own !== undefined && partition.has(own.key) && own.isMade;
      const key = own === undefined || isTaken ? nextKey(partition, idForm()) : own.key;
      const members = isTaken
        ? Object.fromEntries(Object.entries(sent).filter(([name]) => name !== own.member))
        : sent;
      return {
        key,
        members,
        made: parentMembers(resource, call),
        absent: new Set(),
        createdAt: call.now,
        changedAt: call.now,
      };
    },
    keyIn(sent, operation) {
      const own = ownKey(resource, sent, operation);
      return own === undefined || own.isMade ? undefined : own.key;
    },
    location(call, key) {
      if (resource.itemPath === undefined) return undefined;
      const values = [...textsIn(call, resource.parents.length), key];
      const isCarried = values.every(
        (value) => value.isWellFormed() && value.length <= mostInLocation,
      );
      return isCarried ? contract.basePath + fillPath(resource.itemPath, values) : undefined;
    },
  };
  return collection;
}

/** Longest identifier of a Location: headers have an end. */
const mostInLocation = 500;

const showsUnnamed: ReadonlySet<InferredRole | undefined> = new Set([
  'create',
  'get',
  'replace',
  'update',
]);

/** The key of a new item that no item has. */
function nextKey(partition: Partition, form: IdForm): string {
  const mostTries = 1000;
  let key = makeId(form, partition.nextNumber());
  for (let tries = 0; partition.has(key) && tries < mostTries; tries += 1)
    key = makeId(form, partition.nextNumber());
  return key;
}

function compileIdForm(resource: InferredResource, sample: MakeSample): IdForm {
  const { idParameter, showing, success } = resource;
  const shown = showing.flatMap((operation) => {
    const { view } = success(operation);
    if (view?.idMember === undefined) return [];
    const schema = membersOf(view.item).get(view.idMember);
    const body = valueAt(bodyWithoutEntity(view, sample), view.place);
    const item = Array.isArray(body) ? body[0] : body;
    const example = isJsonObject(item) ? item[view.idMember] : undefined;
    return schema === undefined ? [] : [{ schema, example }];
  });
  const schemas = [idParameter?.schema, ...shown.map(({ schema }) => schema)];
  const examples: readonly (JsonValue | undefined)[] = [
    ...shown.map(({ example }) => example),
    ...(idParameter?.examples ?? []),
  ];
  return {
    schemas: schemas.filter((schema) => schema !== undefined),
    example: examples.find((example) => example !== undefined),
  };
}

interface OwnKey {
  readonly key: string;
  readonly member: string;
  /** It looks like one that the service makes: another is made where it is taken. */
  readonly isMade: boolean;
}

/** The id that a client gives: by the member that names items in responses, else by its name. */
function ownKey(
  { success, idNames, idParameter, showing }: InferredResource,
  sent: JsonObject,
  operation: Operation,
): OwnKey | undefined {
  const shown = [operation, ...showing].map((one) => success(one).view?.idMember);
  const named = shown.filter((member) => member !== undefined).map(plainName);
  const names = named.length === 0 ? idNames.slice(0, 8) : new Set(named);
  for (const name of names) {
    const member = Object.keys(sent).find((one) => plainName(one) === name);
    const value = member === undefined ? undefined : sent[member];
    if (member === undefined || (typeof value !== 'string' && typeof value !== 'number')) continue;
    const key = `${value}`;
    if (key !== '' && (idParameter === undefined || idValue(key, idParameter.schema) !== undefined))
      return { key, member, isMade: typeof value === 'number' || isUuid(key) };
  }
  return undefined;
}

function isUuid(text: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}

/** The ids of parents, by the plain names of their parameters: `storeid`. */
function parentMembers({ parents }: InferredResource, call: Place): JsonObject {
  return Object.fromEntries(
    parents.flatMap((name, index) =>
      plainName(name) === 'id' ? [] : [[plainName(name), textIn(call, index)] as const],
    ),
  );
}

function partitionPath({ path, parents }: InferredResource, call: Place): string {
  return fillPath(path, textsIn(call, parents.length));
}

/** The first values of the path's parameters, decoded. */
function textsIn(call: Place, count: number): readonly string[] {
  return call.pathValues.slice(0, count).map((_value, index) => textIn(call, index));
}

function textIn({ pathValues }: Place, index: number): string {
  return pathValues[index] ?? '';
}

function refuseMissing(operation: Operation, message: string): Refusal {
  const documented = documentedStatuses(operation);
  const status = !documented.has(404) && documented.has(410) ? { status: 410 } : {};
  return refuse('not_found', message, { documented, ...status });
}
