import type { Contract } from '../../contract/contract.ts';
import { setMember } from '../../contract/json/edit.ts';
import { valueAt, without, withValueAt } from '../../contract/json/place.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  ownMember,
  renderJson,
} from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { compilePathMatch } from '../../contract/openapi/path-pattern.ts';
import { successStatus } from '../../contract/openapi/response.ts';
import { membersOf, schemaAt } from '../../contract/resource/item-view.ts';
import { parametersIn, plainName, singularNames } from '../../contract/resource/names.ts';
import { type PlacedRole, templateOf } from '../../contract/resource/paths.ts';
import type { InferredResource, InferredRole, ItemView } from '../../contract/resource/resource.ts';
import { sampleSchema } from '../../contract/sample/sample.ts';
import type { Issue, SchemaNode } from '../../contract/schema/schema-node.ts';
import { decodePercent } from '../../contract/source/percent.ts';
import type { Choices } from '../choice/choices.ts';
import { argumentKey } from '../http/parameter-text.ts';
import type { Call, Input } from '../operation/response/outcome.ts';
import { documentsAbsence, renderIssues } from '../operation/response/refusal.ts';
import { type PlainForm, compilePlainForm, withRequired } from './item-rules.ts';
import { IdMaker, idValue, numberIn } from './store/ids.ts';
import {
  type Item,
  type ItemId,
  type OpenItem,
  isItemId,
  plainItem,
  readMembers,
} from './store/item.ts';
import { Inventory } from './store/store.ts';
import {
  type Shown,
  bodyWithoutItem,
  compileElementView,
  compileItemView,
  idsShown,
  isNoNull,
  isOpenObject,
  isSecret,
  itemInBody,
} from './item-view.ts';

/** The part of a request that identifies the collection and the time. */
export type Place = Pick<Call, 'pathValues' | 'sandbox' | 'now'>;

/** Where an item is stored, and when a client created it; undefined for initial items. */
export interface ItemPlace {
  readonly inventory: Inventory;
  readonly pathValues: readonly string[];
  readonly now?: number | undefined;
}

/** Fills an inventory with what the document shows. */
type Fill = (collection: Collection, inventory: Inventory, pathValues: readonly string[]) => void;

/** The collections of a document, each compiled on first use. */
export class Collections {
  readonly choices: Choices;
  readonly contract: Contract;
  readonly fill: Fill;
  /** The initial inventories set by the user, by path; undefined to use what the document shows. */
  readonly given: ReadonlyMap<string, Inventory> | undefined;
  readonly #samples = new Map<string, JsonValue | undefined>();
  readonly #known = new Map<InferredResource, Collection>();
  #gets: ReadonlyMap<string, Operation> | undefined;
  #resources: ReadonlyMap<Operation, InferredResource> | undefined;

  constructor(choices: Choices, fill: Fill, given?: ReadonlyMap<string, Inventory>) {
    this.choices = choices;
    this.contract = choices.contract;
    this.fill = fill;
    this.given = given;
    // Problems of collections are reported at the start.
    void this.contract.resources;
  }

  /** The shared sample of a schema; undefined if none can be made. */
  readonly sample = (schema: SchemaNode): JsonValue | undefined => {
    const { pointer } = schema;
    if (!this.#samples.has(pointer))
      this.#samples.set(pointer, sampleSchema(schema, { direction: 'response' }).value);
    return this.#samples.get(pointer);
  };

  of(resource: InferredResource): Collection {
    const collection = this.#known.get(resource) ?? new Collection(resource, this);
    this.#known.set(resource, collection);
    return collection;
  }

  getOf(path: string): Operation | undefined {
    this.#gets ??= new Map(
      this.contract.operations.flatMap((one) => (one.method === 'GET' ? [[one.path, one]] : [])),
    );
    return this.#gets.get(path);
  }

  /** The collection of an operation. */
  ofOperation(operation: Operation): Collection | undefined {
    this.#resources ??= new Map(
      this.contract.inferredResources.flatMap((resource) =>
        resource.operations.map((one) => [one.operation, resource] as const),
      ),
    );
    const resource = this.#resources.get(operation);
    return resource && this.of(resource);
  }

  /**
   * All collections, in the order of the document. Lazy, because inference takes longer than a
   * start.
   */
  get all(): readonly Collection[] {
    return this.contract.inferredResources.map((resource) => this.of(resource));
  }

  /** Collections whose items are stored as all responses show them. */
  get plain(): readonly Collection[] {
    return this.all.filter(({ plain }) => plain !== undefined);
  }

  /** Top-level collections, without single items. */
  get top(): readonly Collection[] {
    return this.all.filter(({ resource }) => resource.parents.length === 0 && !resource.isSingle);
  }

  /** The collection at a path, with the ids of its parents. None for the path of a single item. */
  find(
    path: string,
  ): { readonly collection: Collection; readonly values: readonly string[] } | undefined {
    for (const resource of this.contract.inferredResources) {
      const values = resource.isSingle ? undefined : matchPath(resource.path, path);
      if (values !== undefined) return { collection: this.of(resource), values };
    }
    return undefined;
  }

  /** The collection at a path, if its items are stored as all responses show them. */
  findPlain(path: string): Collection | undefined {
    const collection = this.find(path)?.collection;
    return collection?.plain === undefined ? undefined : collection;
  }

  /** The seed as JSON; undefined if there is none. */
  get seedItems(): JsonObject | undefined {
    if (this.given === undefined) return undefined;
    const all = [...this.given].map(
      ([path, { items }]) => [path, items.map(({ text }) => readMembers(text))] as const,
    );
    return Object.fromEntries(all);
  }
}

/**
 * A compiled collection: where its items are stored, and how requests identify, show and change
 * them. Expensive parts are lazy.
 */
export class Collection {
  readonly resource: InferredResource;
  /** Path of the collection: `/pets`. */
  readonly path: string;
  readonly all: Collections;
  /** The operation whose response shows most of an item, and how. */
  readonly shownBest: { readonly operation: Operation; readonly view: ItemView } | undefined;
  /** The schema of an item in that response; undefined if no response shows one. */
  readonly itemSchema: SchemaNode | undefined;
  /** Members from an item to its id; undefined if it shows none. */
  readonly idPlace: readonly string[] | undefined;
  /** Name of the identifier in messages. */
  readonly idLabel: string;
  /** The storage form of items that all responses show alike; undefined if responses differ. */
  readonly plain: PlainForm | undefined;
  readonly #isTop: boolean;
  readonly #idKey: string | undefined;
  readonly #idSchema: SchemaNode | undefined;
  readonly #properties: ReadonlyMap<string, SchemaNode>;
  #seed: Inventory | undefined;
  #whole: Shown | undefined;
  readonly #holders = new Map<string, readonly InferredResource[]>();
  #areIdsShown: boolean | undefined;
  #ids: IdMaker | undefined;

  constructor(resource: InferredResource, all: Collections) {
    const { idParameter } = resource;
    this.resource = resource;
    this.path = resource.path;
    this.all = all;
    this.shownBest = resource.shownBest;
    this.itemSchema = this.shownBest?.view.item;
    this.idPlace = this.shownBest?.view.idPlace;
    this.idLabel = this.idPlace?.join('.') ?? 'name or id';
    this.plain = compilePlainForm(resource, all.choices);
    this.#isTop = resource.parents.length === 0;
    this.#idKey = idParameter && argumentKey(idParameter);
    this.#idSchema =
      (this.idPlace && schemaAt(this.itemSchema, this.idPlace)) ?? idParameter?.schema;
    this.#properties = this.itemSchema?.shape().properties ?? new Map();
  }

  /**
   * The initial items of every sandbox; undefined for nested collections, which depend on their
   * parents.
   */
  get seed(): Inventory | undefined {
    if (!this.#isTop || this.#seed !== undefined) return this.#seed;
    const seed = this.all.given?.get(this.path) ?? this.openEmpty();
    // Before it is filled, because two collections may each be within the other one.
    this.#seed = seed;
    if (seed.size === 0) this.#fill(seed, []);
    seed.seal();
    return seed;
  }

  /** The role of an operation, and the kind of its path. */
  placeOf(operation: Operation): PlacedRole | undefined {
    return this.resource.operations.find((one) => one.operation === operation);
  }

  /** The first operation with a role. */
  operationOf(wanted: InferredRole): Operation | undefined {
    return this.resource.operations.find(({ role }) => role === wanted)?.operation;
  }

  /** The items for a request, within the parents in its path. Read-only. */
  read(call: Place): Inventory {
    return call.sandbox.store.find(this.#pathIn(call)) ?? this.seed ?? this.write(call);
  }

  /** The same, for changes. */
  write(call: Place): Inventory {
    const path = this.#pathIn(call);
    const { seed } = this;
    return call.sandbox.store.open(
      path,
      () => seed?.copy() ?? this.#fillWithin(path, call),
      seed !== undefined,
    );
  }

  /** Records that a client was shown ids. Unknown parents have other initial items before that. */
  disclose(call: Place): void {
    if (!this.#isTop) this.write(call).isDisclosed = true;
  }

  /** Empty inventory of this collection. */
  openEmpty(): Inventory {
    return new Inventory(this.plain !== undefined, this.plain?.order);
  }

  /** The initial items within a parent: from the seed, else from the document. */
  #fillWithin(path: string, call: Place): Inventory {
    const given = this.all.given?.get(path);
    if (given !== undefined) return given.copy();
    const inventory = this.openEmpty();
    if (this.#isOrphan(call)) inventory.orphan();
    else if (!this.resource.isSingle && this.#isWithinCreated(call)) inventory.isDisclosed = true;
    else this.#fill(inventory, call.pathValues);
    return inventory;
  }

  #fill(inventory: Inventory, pathValues: readonly string[]): void {
    const isAllGiven = this.#isTop && this.all.given !== undefined;
    if (this.resource.isSingle) inventory.put(this.close(this.untouched(pathValues), inventory));
    else if (!isAllGiven) this.all.fill(this, inventory, pathValues);
  }

  /** Path of the inventory of a request, with the ids of parents: `/stores/7/pets`. */
  #pathIn(call: Place): string {
    if (this.#isTop) return this.path;
    return fillPath(this.path, this.#valuesIn(call));
  }

  /** The collections of the items in a path, outermost first. */
  #listHolders(path: string): readonly InferredResource[] {
    const known = this.#holders.get(path);
    if (known !== undefined) return known;
    const own = templateOf(path);
    const found = this.all.contract.inferredResources
      .filter(({ itemPath }) => itemPath && own.startsWith(`${templateOf(itemPath)}/`))
      .toSorted((a, b) => a.parents.length - b.parents.length);
    this.#holders.set(path, found);
    return found;
  }

  /**
   * The parent items in the path of a request, outermost first: their positions among its values,
   * their ids, by whichever alias the request names them, and their collections now and in a seed.
   */
  #holdersIn({ pathValues, sandbox }: Place, within = this.path) {
    const values = [...pathValues];
    return this.#listHolders(within).map(({ path, parents: { length: position } }) => {
      const filled = fillPath(path, values);
      const known = sandbox.store.find(filled);
      const seed = this.all.given?.get(filled);
      const given = values[position] ?? '';
      const name = `${(known ?? seed)?.find(given)?.id ?? given}`;
      if (position < values.length) values[position] = name;
      return { position, name, known, seed };
    });
  }

  #isOrphan(call: Place): boolean {
    return this.#holdersIn(call).some(({ known, name }) => known?.isRemoved(name) === true);
  }

  /** A parent that a client has just created, or that is in the seed, has no generated children. */
  #isWithinCreated(call: Place): boolean {
    if (this.operationOf('create') === undefined) return false;
    return this.#holdersIn(call).some(
      ({ name, known, seed }) => known?.isCreated(name) === true || seed?.has(name) === true,
    );
  }

  /**
   * Clients can learn all ids from what is sent: a response shows one that the path takes, and no parent
   * needs to be known first.
   */
  get showsIds(): boolean {
    return (this.#areIdsShown ??=
      [this.operationOf('list'), this.operationOf('create')].some(
        (operation) =>
          operation !== undefined &&
          !this.resource.isPartial(operation) &&
          this.resource.viewOf(operation)?.idPlace !== undefined,
      ) && this.admitsId(this.#idMaker.make(this.#idMaker.first) ?? ''));
  }

  /** The id that responses show before there are items. */
  #idShown(view: ItemView): JsonValue | undefined {
    const item = itemInBody(view, bodyWithoutItem(view, this.all.sample));
    return view.idPlace && valueAt(item, view.idPlace);
  }

  /**
   * Selects the items of the parent in the path of an operation that lists only those: items that were
   * added there, or that name the parent. An initial parent has the initial items if none of them are
   * somebody's, and so has an unknown one, such as `me`.
   */
  selectWithin({ path }: Operation, call: Place, items: readonly Item[]): readonly Item[] {
    const holders = this.#holdersIn(call, path);
    if (holders.some(({ known, name }) => known?.isRemoved(name) === true)) return [];
    const isFilled = holders.every(({ known, name }) => !known?.isCreated(name));
    const values = this.#valuesIn(call, path);
    const place = fillPath(path, values);
    const named: Record<string, string> = { ...this.parentMembers(values, path) };
    const holder = this.#listHolders(path).at(-1);
    const id = values[holder?.parents.length ?? 0] ?? '';
    for (const word of holder === undefined ? [] : singularNames(holder.path)) named[word] ??= id;
    const list = this.operationOf('list');
    const isShared = list !== undefined && !this.resource.isPartial(list);
    const isAny = isShared || (holder && this.all.of(holder).read(call).find(id)) === undefined;
    const isOwn = ({ text, facts }: Item): boolean | undefined => {
      const { [inPath]: added } = facts?.made ?? {};
      if (added !== undefined) return added === place;
      const naming = Object.entries(readMembers(text)).flatMap(([name, value = null]) => {
        const wanted = ownMember(named, plainName(name));
        return typeof wanted === 'string' ? [refersTo(value, wanted)] : [];
      });
      return naming.length === 0 ? undefined : naming.includes(true);
    };
    const inventory = this.read(call);
    const isInitial = ({ id: key }: Item): boolean => !inventory.isCreated(key);
    const own = new Map(items.map((item) => [item, isOwn(item)]));
    const isFree = !items.some((item) => own.get(item) === true && isInitial(item));
    return items.filter((item) => {
      const known = own.get(item);
      if (known === true || !isFilled) return known === true;
      return isInitial(item) ? known === undefined || (isAny && isFree) : (known ?? !isShared);
    });
  }

  /** What the service sets in items that are added within a parent which their path does not have. */
  madeBy({ path }: Operation, call: Place): JsonObject {
    return this.#madeWithin(path, this.#valuesIn(call, path));
  }

  /** The same for initial items, by the initial items of the parent collection. */
  madeAtStart({ path }: Operation): readonly JsonObject[] {
    const holder = this.#listHolders(path).at(-1);
    const parents = holder?.parents.length === 0 ? this.all.of(holder).seed?.items : undefined;
    return (parents ?? []).map(({ id }) => this.#madeWithin(path, [`${id}`]));
  }

  #madeWithin(path: string, pathValues: readonly string[]): JsonObject {
    return { ...this.parentMembers(pathValues, path), [inPath]: fillPath(path, pathValues) };
  }

  /** The values of a path, with the ids of parents. */
  #valuesIn(call: Place, path = this.path): readonly string[] {
    const values = [...call.pathValues];
    for (const { position, name } of this.#holdersIn(call, path)) values[position] = name;
    return values;
  }

  /** The ids of parents, by plain names of members that contain them: `storeid`. */
  parentMembers(pathValues: readonly string[], path = this.path): Readonly<Record<string, string>> {
    const made: Record<string, string> = {};
    for (const [index, name] of parametersIn(path).entries()) {
      const within = path
        .split(/\{[^{}]*\}/)
        .slice(0, index + 1)
        .join('{}');
      // The parameter may be named `id`: chapters of `/books/{id}` have a `bookId`.
      const names = [plainName(name), ...singularNames(within).map((one) => `${one}id`)];
      for (const one of names) if (one !== 'id') made[one] ??= pathValues[index] ?? '';
    }
    return made;
  }

  /** An item of which only the location is known. */
  untouched(pathValues: readonly string[], key = ''): OpenItem {
    return { ...plainItem(key), made: this.parentMembers(pathValues) };
  }

  /** Whether paths and items can show an id of a client. */
  admitsId(id: string): boolean {
    const schemas = [this.resource.idParameter?.schema, this.#idSchema];
    return schemas.every((schema) => idValue(id, schema) !== undefined);
  }

  /** A new id, which no item has or had; undefined if none is left. */
  nextId(inventory: Inventory): string | undefined {
    return inventory.nextId(this.#idMaker);
  }

  get #idMaker(): IdMaker {
    return (this.#ids ??= this.#compileIds());
  }

  #compileIds(): IdMaker {
    const { idParameter, showing, viewOf } = this.resource;
    const schemas = new Map<string, SchemaNode>();
    const examples: (JsonValue | undefined)[] = [];
    if (idParameter !== undefined) schemas.set(idParameter.schema.pointer, idParameter.schema);
    for (const operation of showing) {
      const view = viewOf(operation);
      const schema = view?.idPlace && schemaAt(view.item, view.idPlace);
      if (view === undefined || schema === undefined) continue;
      schemas.set(schema.pointer, schema);
      examples.push(this.#idShown(view));
    }
    for (const { value } of idParameter?.examples ?? []) examples.push(value);
    const example = examples.find((one) => one !== undefined);
    return new IdMaker([...schemas.values()], example);
  }

  /** The identifier of an item in the path of a request. */
  nameIn({ pathValues }: Pick<Place, 'pathValues'>, input?: Input): string {
    if (this.resource.isSingle) return '';
    const read = this.#idKey === undefined ? undefined : input?.parameters.get(this.#idKey);
    return isItemId(read) ? `${read}` : (pathValues[this.resource.parents.length] ?? '');
  }

  /** An item with the other ids that a response shows of it as aliases, by which it is found too. */
  named(item: Item, shown: JsonValue | undefined): Item {
    if (item.facts === undefined || shown === undefined) return item;
    const { aliases } = item.facts;
    const more = idsShown(this.resource, this.idPlace, shown).filter(
      (id) => id !== item.id && !aliases.includes(id),
    );
    if (more.length === 0) return item;
    return { ...item, facts: { ...item.facts, aliases: [...aliases, ...more] } };
  }

  /** Removes the item in the path, and everything nested in it. */
  remove(call: Place, input?: Input): void {
    const { isSingle, itemPath, parents } = this.resource;
    const name = this.nameIn(call, input);
    const inventory = this.write(call);
    const item = inventory.find(name);
    if (item !== undefined) inventory.remove(item.id);
    const names = new Set([name, `${item?.id ?? name}`]);
    if (this.plain === undefined || !this.resource.isClosed)
      for (const one of names) inventory.noteRemoved(one);
    // An item that must exist gets its initial state.
    const get = this.operationOf('get');
    if (isSingle && !(get && documentsAbsence(get)))
      inventory.put(this.close(this.untouched(call.pathValues), inventory));
    if (itemPath === undefined) return;
    const within = call.pathValues.slice(0, parents.length);
    for (const id of names) call.sandbox.store.removeWithin(fillPath(itemPath, [...within, id]));
  }

  /** How a list shows one of its items. `sampled`: the first one that the document shows. */
  elementOf(view: ItemView, sampled: JsonValue | undefined): Shown {
    const isEmpty = isJsonObject(sampled) && Object.keys(sampled).length === 0;
    const isBare = isEmpty && isOpenObject(view.item) && membersOf(view.item).size === 0;
    // A list that does not describe its items shows them as other responses do.
    const shown = isBare ? { ...view, item: this.itemSchema ?? view.item } : view;
    const under = isBare || sampled === undefined ? this.all.sample(shown.item) : sampled;
    return compileElementView(shown, under, this.#optionsFor(shown, true));
  }

  /** How the response of an operation shows an item. */
  layOver(operation: Operation, view: ItemView): Shown {
    const base = bodyWithoutItem(view, this.all.sample, successStatus(operation));
    const role = this.placeOf(operation)?.role ?? '';
    const showsUnnamed = ['create', 'get', 'replace', 'update'].includes(role);
    return compileItemView(view, base, this.#optionsFor(view, showsUnnamed));
  }

  #optionsFor({ item }: ItemView, showsUnnamed: boolean) {
    const isPlain = this.plain !== undefined && item.pointer === this.itemSchema?.pointer;
    const { path, idParameter } = this.resource;
    const word = path.split('/').findLast((part) => part !== '' && !part.includes('{')) ?? '';
    return { isPlain, showsUnnamed, idParameter, word };
  }

  /** The members that a merge patch changes. Null keeps a member that every item must have. */
  changesIn(sent: JsonObject): JsonObject {
    const { required, properties } = this.itemSchema?.shape() ?? {};
    const kept = Object.keys(sent).filter(
      (name) => sent[name] === null && required?.has(name) && isNoNull(properties?.get(name)),
    );
    return without(sent, new Set(kept));
  }

  /** An item in storage form, with its order. */
  close(item: OpenItem, inventory: Inventory): Item {
    const { plain, itemSchema } = this;
    if (plain === undefined || itemSchema === undefined) return keptForViews(item, inventory);
    const id = this.idOf(item.key);
    const exact = this.#exact(item, id);
    // An item that is made up is a sample, with optional members too.
    const isMadeUp = item.changedAt === undefined && Object.keys(item.members).length === 0;
    if (!isMadeUp) {
      if (itemSchema.isValid(exact)) return plain.close(exact, id);
      const filled = withRequired(exact, itemSchema, this.all.sample, item.changedAt ?? 0);
      if (itemSchema.isValid(filled)) return plain.close(filled, id);
    }
    // Invalid members are replaced by those of the document.
    const whole = this.showWhole(keptForViews(item, inventory));
    return plain.close(isJsonObject(whole) ? whole : exact, id);
  }

  /**
   * A valid item in storage form; undefined if it has no identifier, or if items are not stored as
   * all responses show them.
   */
  closePlain(item: JsonObject): Item | undefined {
    const id = valueAt(item, this.idPlace ?? []);
    return isItemId(id) ? this.plain?.close(item, id) : undefined;
  }

  /** Stores an item. Returns the reason if it cannot, to complete a sentence; else undefined. */
  store(value: JsonValue, place: ItemPlace): string | undefined {
    const { inventory } = place;
    const item = this.admit(value, place, () => this.nextId(inventory));
    if (typeof item === 'string') {
      // Ids of items that were left out are not assigned, because these may fit a later document.
      const id = valueAt(value, this.idPlace ?? ['']);
      if (isItemId(id)) inventory.note(id);
      return item;
    }
    if (inventory.has(item.id))
      return `has the ${this.idLabel} ${item.id}, which an item before it has`;
    inventory.put(item);
    return undefined;
  }

  /**
   * An item in storage form, or why it cannot be stored, to complete a sentence. `nextId`: generates
   * the id of an item without one.
   */
  admit(
    value: JsonValue,
    { inventory, pathValues, now }: ItemPlace,
    nextId: () => ItemId | undefined,
  ): Item | string {
    const { idPlace } = this;
    if (!isJsonObject(value)) return 'must be an object';
    const own = idPlace && valueAt(value, idPlace);
    const made = own === undefined ? nextId() : undefined;
    const id = own ?? (made === undefined ? undefined : this.idOf(`${made}`));
    let item = value;
    if (made !== undefined && id !== undefined && idPlace !== undefined) {
      // First as a top-level member.
      const [name = '', ...rest] = idPlace;
      item =
        rest.length === 0
          ? { [name]: id, ...value }
          : { ...value, [name]: withValueAt(value[name], rest, id) };
    }
    const issues = this.itemSchema?.validate(item) ?? [];
    if (issues.length > 0) return `breaks the contract: ${renderIssues(issues)}`;
    if (!isItemId(id)) return `has an ${idPlace?.join('.') ?? 'id'} that can name nothing`;
    if (this.plain !== undefined) return this.plain.close(item, id);
    const open = { ...plainItem(`${made ?? id}`, value), createdAt: now, changedAt: now };
    return this.close({ ...open, made: this.parentMembers(pathValues) }, inventory);
  }

  /** Everything known of an item, except passwords, for responses that are not described. */
  showUndescribed({ id, text }: Item): JsonObject {
    const shown = Object.entries(readMembers(text)).filter(
      ([name]) => name !== 'id' && !isSecret(name, undefined),
    );
    return { id: this.idOf(`${id}`), ...Object.fromEntries(shown) };
  }

  /** The response body that shows most of an item; undefined if none does. */
  showWhole(item: Item): JsonValue | undefined {
    const { shownBest: best } = this;
    this.#whole ??= best && this.layOver(best.operation, best.view);
    return this.#whole?.value(item);
  }

  /** The issues of an item that is shown unchanged. */
  issuesOf(item: OpenItem): readonly Issue[] {
    return this.itemSchema?.validate(this.#exact(item, this.idOf(item.key))) ?? [];
  }

  /** An item with its members unchanged, in the order of the schema, its id first. */
  #exact({ members, absent }: OpenItem, id: ItemId): JsonObject {
    const [idName = '', ...rest] = this.idPlace ?? [];
    const shown: Record<string, JsonValue> = {};
    setMember(shown, idName, withValueAt(members[idName], rest, id));
    const isShown = (name: string, schema: SchemaNode | undefined): boolean =>
      name !== idName &&
      !isSecret(name, schema) &&
      (absent.size === 0 || !absent.has(name) || !isNoNull(schema));
    for (const [name, schema] of this.#properties)
      if (Object.hasOwn(members, name) && isShown(name, schema))
        setMember(shown, name, members[name]);
    if (this.itemSchema !== undefined && isOpenObject(this.itemSchema))
      for (const name of Object.keys(members))
        if (!this.#properties.has(name) && isShown(name, undefined))
          setMember(shown, name, members[name]);
    return shown;
  }

  /** The id of an item as responses show it. Issues of the id are reported with the item. */
  idOf(key: string): ItemId {
    const isNumbered = this.#idSchema?.shape().types.join() === 'integer';
    return (isNumbered ? numberIn(key) : idValue(key, this.#idSchema)) ?? key;
  }

  /** The value of `Location` for an item; undefined if items have no path. */
  location(call: Call, id: ItemId): string | undefined {
    const { itemPath, parents } = this.resource;
    if (itemPath === undefined) return undefined;
    const values = [...call.pathValues.slice(0, parents.length), `${id}`];
    const isCarried = values.every(
      (value) => value.isWellFormed() && value.length <= maxInLocation,
    );
    return isCarried ? this.all.contract.basePath + fillPath(itemPath, values) : undefined;
  }
}

/** Whether the value of a member names an item: by its id, alone, in an object or in a list. */
function refersTo(value: JsonValue, id: string): boolean {
  if (isJsonArray(value)) return value.some((one) => refersTo(one, id));
  if (isJsonObject(value)) return refersTo(value['id'] ?? null, id);
  return isItemId(value) && `${value}` === id;
}

/** Stores an item for several views, which show it in different ways. */
function keptForViews({ key, members, ...facts }: OpenItem, inventory: Inventory): Item {
  return {
    id: key,
    sortKey: inventory.placeOf(key),
    text: renderJson(members),
    facts,
  };
}

/** In `made`, the path of the collection of a parent that an item was added to: no member has that name. */
const inPath = '/';

/** Longest identifier in `Location`, because headers are limited. */
const maxInLocation = 500;

/** Fills the parameters of a path template. */
export function fillPath(template: string, values: readonly string[]): string {
  let path = '';
  let from = 0;
  for (const value of values) {
    const start = template.indexOf('{', from);
    if (start < 0) break;
    path += template.slice(from, start) + encodeURIComponent(value);
    from = template.indexOf('}', start) + 1;
  }
  return path + template.slice(from);
}

/** The decoded parameters of a path; undefined if it does not match the template. */
export function matchPath(template: string, path: string): readonly string[] | undefined {
  return compilePathMatch(template)(path)?.map((value) => decodePercent(value) ?? value);
}
