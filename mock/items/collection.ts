import type { Contract } from '../../contract/contract.ts';
import type {
  InferredResource,
  InferredRole,
  ItemView,
  Resource,
} from '../../contract/resource/resource.ts';
import type { Issue, SchemaNode } from '../../contract/schema/schema-node.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
  renderJson,
} from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { schemaAt } from '../../contract/resource/item-view.ts';
import { memberNamed, plainName, singularNames } from '../../contract/resource/names.ts';
import { successStatus } from '../../contract/openapi/response.ts';
import type { Choices } from '../choice/choices.ts';
import { argumentKey } from '../http/parameter-text.ts';
import { renderIssues } from '../http/issue-message.ts';
import { documentedStatuses, documentsAbsence } from '../operation/response/documented.ts';
import type { Call, Input } from '../operation/response/outcome.ts';
import { type Refusal, refuse } from '../operation/response/refusal.ts';
import { sentItems, unsentMembers } from './view/sent.ts';
import { type CertainForm, compileCertainForm } from './certain/certain-form.ts';
import { type ItemComposer, compileItemComposer } from './certain/composer.ts';
import { type IdForm, type IdMaker, compileIdMaker, idValue, numberIn } from './store/ids.ts';
import { fillPath } from './paths.ts';
import { Inventory, type InventoryForm } from './store/inventory.ts';
import { type Item, type ItemId, type OpenItem, isItemId, plainItem } from './store/item.ts';
import {
  type MakeSample,
  type Shown,
  bodyWithoutItem,
  compileItemView,
  itemInBody,
  plainView,
} from './view/item-view.ts';
import { valueAt, withoutMember } from './view/place.ts';

/** The part of a request that tells where items are: the values of its path, and the sandbox. */
export type Place = Pick<Call, 'pathValues' | 'sandbox'>;

/** Where items are, and when. */
export type PlaceInTime = Place & Pick<Call, 'now'>;

/** An item that others are within: the path of its collection, and what names it. */
interface Holder {
  readonly path: string;
  readonly name: string;
}

/** The inventories that a user wants at first, by path. */
export type GivenSeed = ReadonlyMap<string, Inventory>;

/** What all collections of a document share. */
export interface CollectionContext {
  readonly contract: Contract;
  readonly choices: Choices;
  /** The sample of a schema. */
  readonly sample: MakeSample;
  /** What the user wants at first; undefined where that is what the document shows. */
  readonly given: () => GivenSeed | undefined;
  /** Fills a place with what the document shows. */
  readonly fill: (collection: Collection, inventory: Inventory, call: Place) => void;
  /** The resources within whose items a path is. */
  readonly listAncestors: (path: string) => readonly InferredResource[];
}

interface ShownOperation {
  readonly operation: Operation;
  readonly view: ItemView;
}

const inferredForm: InventoryForm = { indexed: 0, order: 'ascending', isCertain: false };

const rolesOfCertain = ['list', 'create', 'get', 'replace', 'update', 'remove'] as const;

/**
 * A resource, compiled for serving: where its items are kept, and how requests name, show and change
 * them. What costs is done when a request first needs it.
 */
export class Collection {
  readonly resource: InferredResource;
  /** How items are kept of which the document leaves no doubt; undefined where they are inferred. */
  readonly certain: CertainForm | undefined;
  /** The items that every sandbox starts with; filled once, then shared. Undefined where each makes its own. */
  readonly seed: Inventory | undefined;
  readonly sample: MakeSample;
  readonly #context: CollectionContext;
  readonly #views = new Map<Operation, Shown | undefined>();
  readonly #composers = new Map<Operation, ItemComposer>();
  #certainRoles: ReadonlyMap<Operation, InferredRole> | undefined;
  #roles: ReadonlyMap<Operation, InferredRole> | undefined;
  #areIdsShown: boolean | undefined;
  readonly #refusing = new Map<Operation, boolean>();
  #ids: IdMaker | undefined;

  /** `certain`: what the document says of the resource beyond doubt, where it is served by that. */
  constructor(
    resource: InferredResource,
    certain: Resource | undefined,
    context: CollectionContext,
  ) {
    this.resource = resource;
    this.certain = certain && compileCertainForm(certain, context.choices);
    this.seed = this.certain?.open();
    this.sample = context.sample;
    this.#context = context;
  }

  /** Path of the collection: `/pets`. */
  get path(): string {
    return this.certain?.resource.collectionPath ?? this.resource.path;
  }

  /** How a list leads to its next page, where the document leaves that open. */
  get pagingChoice(): string {
    const { certain } = this;
    return certain === undefined
      ? 'none'
      : this.#context.choices.choose('paging', certain.resource.list.pointer).id;
  }

  /** The operation that shows most of an item that is only inferred, and how. */
  get shownBest(): ShownOperation | undefined {
    for (const operation of this.certain === undefined ? this.resource.showing : []) {
      const view = this.resource.viewOf(operation);
      if (view !== undefined && view.item.shape().types.includes('object'))
        return { operation, view };
    }
    return undefined;
  }

  /** Members from an item down to its id; undefined where it shows none. */
  get idPlace(): readonly string[] | undefined {
    const { certain } = this;
    return certain === undefined ? this.shownBest?.view.idPlace : [certain.resource.idProperty];
  }

  /** Of an item; undefined where the document has none. */
  get itemSchema(): SchemaNode | undefined {
    return this.certain?.resource.item ?? this.shownBest?.view.item;
  }

  /** What messages call that which names an item. */
  get idLabel(): string {
    return this.certain?.resource.idProperty ?? 'name or id';
  }

  get #itemPath(): string | undefined {
    return this.certain === undefined ? this.resource.itemPath : this.certain.resource.itemPath;
  }

  /** The roles that are certain, by operation. */
  get certainRoles(): ReadonlyMap<Operation, InferredRole> {
    return (this.#certainRoles ??= new Map(
      rolesOfCertain.flatMap((role) => {
        const operation = this.certain?.resource[role];
        return operation === undefined ? [] : [[operation, role] as const];
      }),
    ));
  }

  roleOf(operation: Operation): InferredRole | undefined {
    const certain = this.certainRoles.get(operation);
    if (certain !== undefined) return certain;
    this.#roles ??= new Map(
      this.resource.operations.map((one) => [one.operation, one.role] as const),
    );
    return this.#roles.get(operation);
  }

  /** The first operation with a role. */
  operationOf(wanted: InferredRole): Operation | undefined {
    for (const [operation, role] of this.certainRoles) if (role === wanted) return operation;
    return this.resource.operations.find(({ role }) => role === wanted)?.operation;
  }

  /** The items that a request is about, within the parents that its path names. For reading only. */
  read(call: Place): Inventory {
    return this.seed === undefined
      ? this.write(call)
      : (call.sandbox.store.find(this.path) ?? this.seed);
  }

  /** The same, for changing them. */
  write(call: Place): Inventory {
    const { seed } = this;
    const path = seed === undefined ? this.pathIn(call) : this.path;
    return call.sandbox.store.open(path, () => seed?.copy() ?? this.#fill(path, call));
  }

  /** No items, as they are kept here. */
  openEmpty(): Inventory {
    return this.certain?.open() ?? new Inventory(inferredForm);
  }

  /** What is there at first: what a seed names, else what the document shows. */
  #fill(path: string, call: Place): Inventory {
    const inventory = this.openEmpty();
    const given = this.#context.given();
    const isAllGiven = given !== undefined && this.resource.parents.length === 0;
    if (this.#isOrphan(call)) inventory.orphan();
    else if (this.resource.isSingle) inventory.put(this.closeIn(inventory, this.#untouched(call)));
    else if (given?.has(path) === true) return given.get(path)?.copy() ?? inventory;
    else if (!isAllGiven && !this.#isWithinCreated(call)) this.#context.fill(this, inventory, call);
    return inventory;
  }

  /** Path of the place of a request: `/stores/7/pets`. */
  pathIn({ pathValues }: Place): string {
    const { path, parents } = this.resource;
    return fillPath(path, pathValues.slice(0, parents.length));
  }

  /** The items that the path of a request is within. */
  #holdersIn(call: Place): readonly Holder[] {
    return this.#context.listAncestors(this.resource.path).map(({ path, parents }) => ({
      path: fillPath(path, call.pathValues.slice(0, parents.length)),
      name: call.pathValues[parents.length] ?? '',
    }));
  }

  #isOrphan(call: Place): boolean {
    return this.#holdersIn(call).some(
      ({ path, name }) => call.sandbox.store.find(path)?.isRemoved(name) === true,
    );
  }

  /** What clients add to an item is not there when they have just created the item, or a seed has it. */
  #isWithinCreated(call: Place): boolean {
    return (
      this.operationOf('create') !== undefined &&
      this.#holdersIn(call).some(({ path, name }) => {
        const inventory = call.sandbox.store.find(path);
        const seed = this.#context.given()?.get(path);
        return [name, numberIn(name)].some(
          (id) => id !== undefined && (inventory?.isCreated(id) === true || seed?.has(id) === true),
        );
      })
    );
  }

  /** Clients can learn ids from what is sent. */
  get #showsIds(): boolean {
    return (this.#areIdsShown ??= [this.operationOf('list'), this.operationOf('create')].some(
      (operation) => this.#showsId(operation),
    ));
  }

  /**
   * Unknown ids are refused: clients can know better, and GET or this operation has a response for that.
   * What cannot be read within another item may be an item of elsewhere: a tag of a contact.
   */
  #refusesUnknown(operation: Operation): boolean {
    const known = this.#refusing.get(operation);
    if (known !== undefined) return known;
    const { isClosed, parents } = this.resource;
    const isOwn = parents.length === 0 || this.operationOf('get') !== undefined;
    const refuses = (isClosed || (isOwn && documentsAbsence(operation))) && this.#showsIds;
    this.#refusing.set(operation, refuses);
    return refuses;
  }

  #showsId(operation: Operation | undefined): boolean {
    const view = operation && this.resource.viewOf(operation);
    if (view?.idPlace === undefined) return false;
    const id = valueAt(itemInBody(view, bodyWithoutItem(view, this.sample)), view.idPlace);
    const schema = this.resource.idParameter?.schema;
    return id !== undefined && (schema?.validate(id).length ?? 0) === 0;
  }

  /** The ids of parents, by the plain names of members that hold them: `storeid`. */
  parentMembers({ pathValues }: Pick<Place, 'pathValues'>): JsonObject {
    const { path, parents } = this.resource;
    const made: Record<string, string> = {};
    for (const [index, name] of parents.entries()) {
      const within = path
        .split(/\{[^{}]*\}/)
        .slice(0, index + 1)
        .join('{}');
      // The parameter may be called `id`: chapters of `/books/{id}` have a `bookId`.
      const names = [plainName(name), ...singularNames(within).map((one) => `${one}id`)];
      for (const one of names) if (one !== 'id') made[one] ??= pathValues[index] ?? '';
    }
    return made;
  }

  #untouched(call: Place): OpenItem {
    return { ...plainItem(''), made: this.parentMembers(call) };
  }

  /** An id that no item has or had; undefined where none is left. */
  nextId(inventory: Inventory): ItemId | undefined {
    const { certain } = this;
    if (certain !== undefined)
      return inventory.nextId(certain.idMaker, (text) => certain.idOf(text));
    this.#ids ??= compileIdMaker(compileIdForm(this.resource, this.sample));
    return inventory.nextId(this.#ids, (text) => text);
  }

  /** What names an item in the path of a request; a path that names none is `undefined`. */
  nameIn({ pathValues }: Place, input?: Input): ItemId | undefined {
    const { isSingle, parents, idParameter } = this.resource;
    if (isSingle) return '';
    const text = pathValues[parents.length] ?? '';
    if (this.certain === undefined) return text;
    const read = idParameter && input?.parameters.get(argumentKey(idParameter));
    return isItemId(read) ? read : this.certain.idOf(text);
  }

  /** The item that the path names; one that nobody made is made up where ids are not all known. */
  find(operation: Operation, call: Call, input?: Input): Item | undefined {
    const inventory = this.read(call);
    const name = this.nameIn(call, input);
    const known = name === undefined ? undefined : inventory.find(name);
    if (known !== undefined || name === undefined || this.certain !== undefined) return known;
    if (inventory.isRemoved(name)) return undefined;
    // What is within an item that nobody knows is not known before it is listed.
    const isUnknown = this.resource.parents.length > 0 && !inventory.isDisclosed;
    const refuses = this.#refusesUnknown(operation);
    if (refuses && !isUnknown) return undefined;
    const item = this.closeIn(inventory, { ...this.#untouched(call), key: `${name}` });
    if (refuses && !call.sandbox.store.isFull) inventory.put(item);
    return item;
  }

  /** Removes the item that the path names, and all that is within it. */
  remove(call: Place, input?: Input): void {
    const name = this.nameIn(call, input);
    if (name === undefined) return;
    const inventory = this.write(call);
    const item = inventory.find(name);
    if (item !== undefined) inventory.remove(item.id);
    if (this.certain === undefined)
      for (const one of [name, ...(item === undefined ? [] : [item.id])])
        inventory.noteRemoved(one);
    // What cannot be missing is as it was at first.
    const get = this.operationOf('get');
    if (this.resource.isSingle && !(get && documentsAbsence(get)))
      inventory.put(this.closeIn(inventory, this.#untouched(call)));
    if (this.#itemPath === undefined) return;
    const parents = call.pathValues.slice(0, this.resource.parents.length);
    for (const id of new Set([name, item?.id ?? name]))
      call.sandbox.store.removeWithin(fillPath(this.#itemPath, [...parents, `${id}`]));
  }

  /** The refusal for an item that is not there. */
  missing(operation: Operation, call: Call, input?: Input): Refusal {
    const name = this.nameIn(call, input) ?? 'that was sent';
    return refuseMissing(
      operation,
      this.resource.isSingle
        ? 'This item does not exist.'
        : `No item has the ${this.idLabel} ${name}.`,
    );
  }

  /** How the response of an operation shows an item; undefined where it shows none. */
  viewOf(operation: Operation): Shown | undefined {
    if (this.#views.has(operation)) return this.#views.get(operation);
    const view = this.resource.viewOf(operation);
    const isPlain =
      view?.item.pointer === this.certain?.resource.item.pointer && view?.place.length === 0;
    const compiled =
      view === undefined
        ? undefined
        : isPlain && !view.isList
          ? plainView
          : compileItemView(view, bodyWithoutItem(view, this.sample, successStatus(operation)), {
              showsUnnamed: showsUnnamed.has(this.roleOf(operation)),
            });
    this.#views.set(operation, compiled);
    return compiled;
  }

  /** The items that a client sends: several where the body is an array of objects. */
  sentIn(operation: Operation, body: JsonValue | undefined): readonly JsonObject[] {
    if (this.certain === undefined) return sentItems(this.resource, operation, body);
    return [isJsonObject(body) ? body : {}];
  }

  /** A new item with what was sent, its id made or the client's own. It is not stored yet. */
  create(sent: JsonObject, call: PlaceInTime, operation: Operation): Item | Refusal {
    const composer = this.#composerFor(operation);
    const issues = composer?.judge(sent, this.read(call)) ?? [];
    if (issues.length > 0) return refuseInvalid(operation, issues);
    const inventory = this.write(call);
    const own = composer === undefined ? ownKey(this.resource, sent, operation) : undefined;
    const isTaken = own !== undefined && own.isMade && inventory.has(own.key);
    const id = own === undefined || isTaken ? this.nextId(inventory) : own.key;
    if (id === undefined)
      return refuse(
        'conflict',
        `Every possible ${this.idLabel} in this collection is used. Delete an item first.`,
      );
    if (composer !== undefined) {
      const composed = composer.compose(id, sent, call.now);
      const fits = composer.validate(composed).length === 0;
      const item = fits ? composed : composer.fit(composed);
      return this.#closeValid(item, fits ? [] : composer.validate(item), operation);
    }
    const members = isTaken ? withoutMember(sent, own.place) : sent;
    const item = {
      key: `${id}`,
      members,
      made: this.parentMembers(call),
      absent: unsentMembers(this.resource, operation, members),
      createdAt: call.now,
      changedAt: call.now,
    };
    return this.closeIn(inventory, item);
  }

  /** An item after a change by what was sent. It is not stored yet. */
  change(
    item: OpenItem,
    sent: JsonObject,
    call: PlaceInTime,
    operation: Operation,
  ): Item | Refusal {
    const composer = this.#composerFor(operation);
    const inventory = this.read(call);
    if (composer === undefined || this.certain === undefined)
      return this.closeIn(inventory, { ...item, changedAt: call.now });
    const members = Object.fromEntries(
      Object.entries(item.members).filter(([name]) => !item.absent.has(name)),
    );
    const id = this.certain.idOf(item.key) ?? item.key;
    const composed = composer.compose(id, members, call.now);
    const issues = [...composer.judge(sent, inventory), ...composer.validate(composed)];
    return this.#closeValid(composed, issues, operation);
  }

  /** An item that a client makes by changing one that was not there. */
  blank(call: PlaceInTime, key: string): OpenItem {
    return { ...this.#untouched(call), key, createdAt: call.now };
  }

  /** An item as it is kept, in its place among the others. */
  close(item: OpenItem, call: Place): Item {
    return this.certain?.close(item.members) ?? this.closeIn(this.read(call), item);
  }

  /** The same for an item that the document is not certain of. */
  closeIn(
    inventory: Inventory,
    { key, members, made, absent, createdAt, changedAt }: OpenItem,
  ): Item {
    return {
      id: key,
      sortKey: inventory.placeOf(key),
      indexedValues: [],
      text: renderJson(members),
      facts: { made, absent, createdAt, changedAt },
    };
  }

  /** An item of which the document is certain, as it is kept; undefined if its id can name nothing. */
  closeCertain(item: JsonObject): Item | undefined {
    return this.certain?.close(item);
  }

  #closeValid(item: JsonObject, issues: readonly Issue[], operation: Operation): Item | Refusal {
    const closed = issues.length === 0 ? this.closeCertain(item) : undefined;
    return closed ?? refuseInvalid(operation, issues);
  }

  #composerFor(operation: Operation): ItemComposer | undefined {
    if (this.certain === undefined) return undefined;
    const known = this.#composers.get(operation);
    if (known !== undefined) return known;
    const composer = compileItemComposer(this.certain, operation, this.#context.choices);
    this.#composers.set(operation, composer);
    return composer;
  }

  /** The key that an item gives itself, and that no other may have; undefined for none. */
  keyIn(sent: JsonObject, operation: Operation): string | undefined {
    if (this.certain !== undefined) return undefined;
    const own = ownKey(this.resource, sent, operation);
    return own === undefined || own.isMade ? undefined : own.key;
  }

  /** Reference to an item for `Location`; undefined where items have no path. */
  location(call: Call, id: ItemId): string | undefined {
    const path = this.#itemPath;
    if (path === undefined) return undefined;
    const values = [...call.pathValues.slice(0, this.resource.parents.length), `${id}`];
    const isCarried = values.every(
      (value) => value.isWellFormed() && value.length <= mostInLocation,
    );
    return isCarried ? this.#context.contract.basePath + fillPath(path, values) : undefined;
  }
}

function refuseInvalid(operation: Operation, issues: readonly Issue[]): Refusal {
  return refuse('invalid_body', renderIssues(issues), {
    documented: documentedStatuses(operation),
  });
}

/** Longest identifier of a Location: headers have an end. */
const mostInLocation = 500;

const showsUnnamed: ReadonlySet<InferredRole | undefined> = new Set([
  'create',
  'get',
  'replace',
  'update',
]);

function compileIdForm(resource: InferredResource, sample: MakeSample): IdForm {
  const { idParameter, showing, viewOf } = resource;
  const shown = showing.flatMap((operation) => {
    const view = viewOf(operation);
    if (view?.idPlace === undefined) return [];
    const schema = schemaAt(view.item, view.idPlace);
    const example = valueAt(itemInBody(view, bodyWithoutItem(view, sample)), view.idPlace);
    return schema === undefined ? [] : [{ schema, example }];
  });
  const schemas = [idParameter?.schema, ...shown.map(({ schema }) => schema)];
  const examples: readonly (JsonValue | undefined)[] = [
    ...shown.map(({ example }) => example),
    ...(idParameter?.examples ?? []).map(({ value }) => value),
  ];
  return {
    schemas: schemas.filter((schema) => schema !== undefined),
    example: examples.find((example) => example !== undefined),
  };
}

interface OwnKey {
  readonly key: string;
  /** Members of what was sent, down to it. */
  readonly place: readonly string[];
  /** It looks like one that the service makes: another is made where it is taken. */
  readonly isMade: boolean;
}

/** The id that a client gives: by the member that names items in responses, else by its name. */
function ownKey(
  { viewOf, idNames, idParameter, showing }: InferredResource,
  sent: JsonObject,
  operation: Operation,
): OwnKey | undefined {
  const shown = [operation, ...showing].flatMap((one) => {
    const place = viewOf(one)?.idPlace;
    return place === undefined ? [] : [place];
  });
  for (const names of shown.length === 0 ? idNames.slice(0, 8).map((name) => [name]) : shown) {
    const place = placeNamed(sent, names);
    const value = place && valueAt(sent, place);
    if (place === undefined || !isItemId(value)) continue;
    const key = `${value}`;
    if (key !== '' && (idParameter === undefined || idValue(key, idParameter.schema) !== undefined))
      return { key, place, isMade: typeof value !== 'string' || isUuid(key) };
  }
  return undefined;
}

/** Where members with such names are, whatever their case; undefined where they are not. */
function placeNamed(
  value: JsonValue | undefined,
  [name, ...rest]: readonly string[],
): readonly string[] | undefined {
  if (name === undefined) return [];
  if (!isJsonObject(value)) return undefined;
  const member = memberNamed(Object.keys(value), [plainName(name)]);
  const inner = member === undefined ? undefined : placeNamed(value[member], rest);
  return member === undefined || inner === undefined ? undefined : [member, ...inner];
}

function isUuid(text: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}

function refuseMissing(operation: Operation, message: string): Refusal {
  const documented = documentedStatuses(operation);
  const status = !documented.has(404) && documented.has(410) ? { status: 410 } : {};
  return refuse('not_found', message, { documented, ...status });
}
