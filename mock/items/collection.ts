import type { Contract } from '../../contract/contract.ts';
import type { InferredResource, InferredRole, ItemView } from '../../contract/resource/resource.ts';
import type { Issue, SchemaNode } from '../../contract/schema/schema-node.ts';
import {
  type JsonObject,
  type JsonValue,
  addMember,
  isJsonObject,
  renderJson,
  isNumeric,
} from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { schemaAt } from '../../contract/resource/item-view.ts';
import { plainName, singularNames } from '../../contract/resource/names.ts';
import { successStatus } from '../../contract/openapi/response.ts';
import type { Choices } from '../choice/choices.ts';
import { argumentKey } from '../http/parameter-text.ts';
import type { Call, Input } from '../operation/response/outcome.ts';
import { documentsAbsence } from '../operation/response/refusal.ts';
import { type PlainForm, compilePlainForm } from './rules/plain-form.ts';
import { withRequired } from './rules/body-rules.ts';
import { type IdForm, type IdMaker, compileIdMaker, idValue, numberIn } from './store/ids.ts';
import { compilePath, fillPath } from './paths.ts';
import { Inventory, viewedForm } from './store/inventory.ts';
import { type Item, type ItemId, type OpenItem, isItemId, plainItem } from './store/item.ts';
import {
  type MakeSample,
  type Shown,
  bodyWithoutItem,
  compileElementView,
  compileItemView,
  isNoNull,
  isOpenObject,
  idsShown,
  isSecret,
  itemInBody,
} from './view/item-view.ts';
import { valueAt, without, withValueAt } from '../../contract/json/place.ts';

/** The part of a request that says where items are: the values of its path, and the sandbox. */
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
  readonly fill: (
    collection: Collection,
    inventory: Inventory,
    place: Pick<Place, 'pathValues'>,
  ) => void;
  /** The resources within whose items a path is. */
  readonly listAncestors: (path: string) => readonly InferredResource[];
}

interface ShownOperation {
  readonly operation: Operation;
  readonly view: ItemView;
}

/**
 * A resource, compiled for serving: where its items are kept, and how requests name, show and change
 * them. What costs is done when a request first needs it.
 */
export class Collection {
  readonly resource: InferredResource;
  readonly sample: MakeSample;
  readonly #context: CollectionContext;
  readonly #isTop: boolean;
  readonly #idKey: string | undefined;
  readonly #fillItemPath: (values: readonly string[]) => string;
  #plain: { readonly form: PlainForm | undefined } | undefined;
  #seed: Inventory | undefined;
  #best: { readonly shown: ShownOperation | undefined } | undefined;
  #whole: Shown | undefined;
  #properties: ReadonlyMap<string, SchemaNode> | undefined;
  #roles: ReadonlyMap<Operation, InferredRole> | undefined;
  #areIdsShown: boolean | undefined;
  #idSchema: { readonly schema: SchemaNode | undefined } | undefined;
  #ids: IdMaker | undefined;

  constructor(resource: InferredResource, context: CollectionContext) {
    this.resource = resource;
    this.sample = context.sample;
    this.#context = context;
    this.#isTop = resource.parents.length === 0;
    this.#idKey = resource.idParameter && argumentKey(resource.idParameter);
    this.#fillItemPath = compilePath(resource.itemPath ?? '');
  }

  /** Path of the collection: `/pets`. */
  get path(): string {
    return this.resource.path;
  }

  /** How items are kept that all responses show alike; undefined where responses differ. */
  get plain(): PlainForm | undefined {
    return (this.#plain ??= { form: compilePlainForm(this.resource, this.#context.choices) }).form;
  }

  /** The items that every sandbox starts with; undefined within other items, where places differ. */
  get seed(): Inventory | undefined {
    if (!this.#isTop || this.#seed !== undefined) return this.#seed;
    const seed = this.#context.given()?.get(this.path) ?? this.openEmpty();
    if (seed.size === 0) this.#fill(seed, { pathValues: [] });
    seed.seal();
    this.#seed = seed;
    return seed;
  }

  get choices(): Choices {
    return this.#context.choices;
  }

  /** The operation that shows most of an item, and how. */
  get shownBest(): ShownOperation | undefined {
    return (this.#best ??= { shown: this.#findBest() }).shown;
  }

  #findBest(): ShownOperation | undefined {
    for (const operation of this.resource.showing) {
      const view = this.resource.viewOf(operation);
      if (view !== undefined && view.item.shape().types.includes('object'))
        return { operation, view };
    }
    return undefined;
  }

  /** Members from an item down to its id; undefined where it shows none. */
  get idPlace(): readonly string[] | undefined {
    return this.shownBest?.view.idPlace;
  }

  /** Of an item; undefined where the document has none. */
  get itemSchema(): SchemaNode | undefined {
    return this.shownBest?.view.item;
  }

  /** What messages call that which names an item. */
  get idLabel(): string {
    return this.idPlace?.join('.') ?? 'name or id';
  }

  roleOf(operation: Operation): InferredRole | undefined {
    this.#roles ??= new Map(
      this.resource.operations.map((one) => [one.operation, one.role] as const),
    );
    return this.#roles.get(operation);
  }

  /** The first operation with a role. */
  operationOf(wanted: InferredRole): Operation | undefined {
    return this.resource.operations.find(({ role }) => role === wanted)?.operation;
  }

  /** The items that a request is about, within the parents that its path names. For reading only. */
  read(call: Place): Inventory {
    return call.sandbox.store.find(this.pathIn(call)) ?? this.seed ?? this.write(call);
  }

  /** The same, for changing them. */
  write(call: Place): Inventory {
    const path = this.pathIn(call);
    const { seed } = this;
    return call.sandbox.store.open(
      path,
      () => seed?.copy() ?? this.#fillWithin(path, call),
      seed !== undefined,
    );
  }

  /** Notes that a client was shown ids: within an item that nobody knows, there are others before. */
  disclose(call: Place): void {
    if (!this.#isTop) this.write(call).isDisclosed = true;
  }

  /** No items, as they are kept here. */
  openEmpty(): Inventory {
    return this.plain?.open() ?? new Inventory(viewedForm);
  }

  /** What is there at first within an item: what a seed names, else what the document shows. */
  #fillWithin(path: string, call: Place): Inventory {
    const given = this.#context.given()?.get(path);
    if (given !== undefined) return given.copy();
    const inventory = this.openEmpty();
    if (this.#isOrphan(call)) inventory.orphan();
    else if (this.resource.isSingle || !this.#isWithinCreated(call)) this.#fill(inventory, call);
    return inventory;
  }

  #fill(inventory: Inventory, place: Pick<Place, 'pathValues'>): void {
    const isAllGiven = this.#isTop && this.#context.given() !== undefined;
    if (this.resource.isSingle) inventory.put(this.close(this.untouched(place), inventory));
    else if (!isAllGiven) this.#context.fill(this, inventory, place);
  }

  /** Path of the place of a request: `/stores/7/pets`. */
  pathIn({ pathValues }: Place): string {
    const { path, parents } = this.resource;
    return this.#isTop ? path : fillPath(path, pathValues.slice(0, parents.length));
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
  get showsIds(): boolean {
    return (this.#areIdsShown ??= [this.operationOf('list'), this.operationOf('create')].some(
      (operation) => this.#showsId(operation),
    ));
  }

  #showsId(operation: Operation | undefined): boolean {
    const view = operation && this.resource.viewOf(operation);
    if (view?.idPlace === undefined) return false;
    const id = valueAt(itemInBody(view, bodyWithoutItem(view, this.sample)), view.idPlace);
    const schema = this.resource.idParameter?.schema;
    if (id === undefined || schema === undefined) return id !== undefined;
    // A number in a body may be a text in the path.
    return [id, isNumeric(id) ? String(id) : id].some((one) => schema.validate(one).length === 0);
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

  /** An item of which no more is known than where it is. */
  untouched(call: Pick<Place, 'pathValues'>, key = ''): OpenItem {
    return { ...plainItem(key), made: this.parentMembers(call) };
  }

  /** An id that no item has or had; undefined where none is left. */
  nextId(inventory: Inventory): string | undefined {
    this.#ids ??= compileIdMaker(compileIdForm(this.resource, this.sample));
    return inventory.nextId(this.#ids);
  }

  /** What names an item in the path of a request. */
  nameIn({ pathValues }: Pick<Place, 'pathValues'>, input?: Input): string {
    if (this.resource.isSingle) return '';
    const read = this.#idKey === undefined ? undefined : input?.parameters.get(this.#idKey);
    return isItemId(read) ? `${read}` : (pathValues[this.resource.parents.length] ?? '');
  }

  /** An item that is found by the ids that a response shows of it, too. */
  named(item: Item, shown: JsonValue | undefined): Item {
    if (item.facts === undefined || shown === undefined) return item;
    const { aliases } = item.facts;
    const more = idsShown(this.resource, shown).filter(
      (id) => id !== item.id && !aliases.includes(id),
    );
    if (more.length === 0) return item;
    return { ...item, facts: { ...item.facts, aliases: [...aliases, ...more] } };
  }

  /** Removes the item that the path names, and all that is within it. */
  remove(call: Place, input?: Input): void {
    const { isSingle, itemPath, parents } = this.resource;
    const name = this.nameIn(call, input);
    const inventory = this.write(call);
    const item = inventory.find(name);
    if (item !== undefined) inventory.remove(item.id);
    const names = new Set([name, `${item?.id ?? name}`]);
    if (this.plain === undefined || !this.resource.isClosed)
      for (const one of names) inventory.noteRemoved(one);
    // What cannot be missing is as it was at first.
    const get = this.operationOf('get');
    if (isSingle && !(get && documentsAbsence(get)))
      inventory.put(this.close(this.untouched(call), inventory));
    if (itemPath === undefined) return;
    const within = call.pathValues.slice(0, parents.length);
    for (const id of names) call.sandbox.store.removeWithin(this.#fillItemPath([...within, id]));
  }

  /** How a list shows one of its items; `sampled`: the first one that the document shows, if any. */
  elementOf(view: ItemView, sampled: JsonValue | undefined): Shown {
    return compileElementView(view, sampled ?? this.sample(view.item), {
      showsUnnamed: true,
      idSchema: this.resource.idParameter?.schema,
    });
  }

  /** How the response of an operation shows an item. */
  layOver(operation: Operation, view: ItemView): Shown {
    const base = bodyWithoutItem(view, this.sample, successStatus(operation));
    return compileItemView(view, base, {
      showsUnnamed: showsUnnamed.has(this.roleOf(operation)),
      idSchema: this.resource.idParameter?.schema,
    });
  }

  /** What a merge patch changes: a null keeps a member that every item has to have. */
  changesIn(sent: JsonObject): JsonObject {
    const { required, properties } = this.itemSchema?.shape() ?? {};
    return without(
      sent,
      new Set(
        Object.keys(sent).filter(
          (name) => sent[name] === null && required?.has(name) && isNoNull(properties?.get(name)),
        ),
      ),
    );
  }

  /** An item as it is kept, in its place among others. */
  close(item: OpenItem, inventory: Inventory): Item {
    const { plain, shownBest, itemSchema } = this;
    if (plain === undefined || shownBest === undefined) return keptForViews(item, inventory);
    const id = this.idOf(item.key);
    const exact = this.#exact(item, id);
    if (itemSchema === undefined || itemSchema.validate(exact).length === 0)
      return plain.close(exact, id);
    const filled = withRequired(exact, itemSchema, this.sample, item.changedAt ?? 0);
    if (itemSchema.validate(filled).length === 0) return plain.close(filled, id);
    // What does not fit is as the document shows it.
    const whole = this.showWhole(keptForViews(item, inventory));
    return plain.close(isJsonObject(whole) ? whole : exact, id);
  }

  /** An item that fits the document, as it is kept where responses show it so; undefined if it names nothing. */
  closePlain(item: JsonObject): Item | undefined {
    const id = valueAt(item, this.idPlace ?? []);
    return isItemId(id) ? this.plain?.close(item, id) : undefined;
  }

  /** The body of the response that shows most of an item; undefined where none does. */
  showWhole(item: Item): JsonValue | undefined {
    const { shownBest: best } = this;
    this.#whole ??= best && this.layOver(best.operation, best.view);
    return this.#whole?.value(item);
  }

  /** What is wrong with an item that is shown as it is. */
  issuesOf(item: OpenItem): readonly Issue[] {
    return this.itemSchema?.validate(this.#exact(item, this.idOf(item.key))) ?? [];
  }

  /** An item with its members as they are, in the order of the schema, its id first. */
  #exact({ members, absent }: OpenItem, id: ItemId): JsonObject {
    const [idName = '', ...rest] = this.idPlace ?? [];
    this.#properties ??= new Map(this.itemSchema?.shape().properties);
    const properties = this.#properties;
    const shown: Record<string, JsonValue> = {};
    addMember(shown, idName, withValueAt(members[idName], rest, id));
    const isShown = (name: string, schema: SchemaNode | undefined): boolean =>
      name !== idName &&
      !isSecret(name, schema) &&
      (absent.size === 0 || !absent.has(name) || !isNoNull(schema));
    for (const [name, schema] of properties)
      if (Object.hasOwn(members, name) && isShown(name, schema))
        addMember(shown, name, members[name]);
    if (this.itemSchema !== undefined && isOpenObject(this.itemSchema))
      for (const name of Object.keys(members))
        if (!properties.has(name) && isShown(name, undefined))
          addMember(shown, name, members[name]);
    return shown;
  }

  /** The id of an item as items show it. */
  idOf(key: string): ItemId {
    this.#idSchema ??= {
      schema:
        (this.idPlace && schemaAt(this.itemSchema, this.idPlace)) ??
        this.resource.idParameter?.schema,
    };
    const { schema } = this.#idSchema;
    // What an item with this id breaks is judged with the item.
    const [type, ...others] = schema?.shape().types ?? [];
    const isNumber = type === 'integer' && others.length === 0;
    return (isNumber ? numberIn(key) : idValue(key, schema)) ?? key;
  }

  /** Reference to an item for `Location`; undefined where items have no path. */
  location(call: Call, id: ItemId): string | undefined {
    const { itemPath, parents } = this.resource;
    if (itemPath === undefined) return undefined;
    const values = [...call.pathValues.slice(0, parents.length), `${id}`];
    const isCarried = values.every(
      (value) => value.isWellFormed() && value.length <= mostInLocation,
    );
    return isCarried ? this.#context.contract.basePath + this.#fillItemPath(values) : undefined;
  }
}

/** An item as it is kept for several views, which show it in different ways. */
function keptForViews({ key, members, ...facts }: OpenItem, inventory: Inventory): Item {
  return {
    id: key,
    sortKey: inventory.placeOf(key),
    indexedValues: [],
    text: renderJson(members),
    facts,
  };
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
  const parameter = idParameter === undefined ? [] : [idParameter.schema];
  const schemas = [...parameter, ...shown.map(({ schema }) => schema)];
  const examples: readonly (JsonValue | undefined)[] = [
    ...shown.map(({ example }) => example),
    ...(idParameter?.examples ?? []).map(({ value }) => value),
  ];
  return {
    schemas: [...new Map(schemas.map((schema) => [schema.pointer, schema])).values()],
    example: examples.find((example) => example !== undefined),
  };
}
