import { valueAt, withValueAt, withoutMember } from '../../contract/json/place.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  isNumeric,
  jsonEquals,
  ownMember,
  renderJson,
} from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import { membersOf, schemaAt } from '../../contract/resource/item-view.ts';
import { isTimeOfChange, memberNamed, plainName } from '../../contract/resource/names.ts';
import type { InferredResource, ItemView } from '../../contract/resource/resource.ts';
import { sampleSchema } from '../../contract/sample/sample.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { type Change, changeWithin } from '../operation/response/representation.ts';
import { idValue, numberIn } from './store/ids.ts';
import { type Item, type OpenItem, isItemId, openItem, readMembers } from './store/item.ts';

/** The item in a body, the first of several. */
export function itemInBody(
  { place }: ItemView,
  body: JsonValue | undefined,
): JsonValue | undefined {
  const found = valueAt(body, place);
  return isJsonArray(found) ? found[0] : found;
}

/** Makes a value that fits a schema; undefined if none can be made. */
export type MakeSample = (schema: SchemaNode) => JsonValue | undefined;

/** The body of a response before an item is merged into it: an example, else a sample. */
export function bodyWithoutItem(
  view: ItemView,
  sample: MakeSample,
  status?: number,
): JsonValue | undefined {
  const { content, body: schema, place } = view;
  const [example] = content.examples;
  if (example !== undefined) return example.value;
  const body = withSampledItem(view, sample(schema), sample);
  return place.length > 0 && status !== undefined && isJsonObject(body)
    ? withStatus(body, schema, status)
    : body;
}

/**
 * With the shared sample of the item, so that all responses with its schema show the same members,
 * however deep the item is in them; unless the document has an example of what contains it.
 */
function withSampledItem(
  { body: schema, place, isList, item }: ItemView,
  body: JsonValue | undefined,
  sample: MakeSample,
): JsonValue | undefined {
  const around = ['', ...place].map((_name, depth) => schemaAt(schema, place.slice(0, depth)));
  if (around.some((one) => one !== item && one?.shape().examples[0] !== undefined)) return body;
  const shown = valueAt(body, place);
  const own = sample(item);
  if (own === undefined || (isList && !(isJsonArray(shown) && shown.length > 0))) return body;
  const whole = withValueAt(body, place, isJsonArray(shown) ? [own, ...shown.slice(1)] : own);
  return schema.isValid(whole, 'response') ? whole : body;
}

/**
 * Sets numbers of an envelope that are named like a status to that of the response, unless the schema
 * lists, defaults or shows a value.
 */
export function withStatus(body: JsonObject, schema: SchemaNode, status: number): JsonValue {
  const members = membersOf(schema);
  const changes = Object.keys(body).flatMap((name): readonly Change[] => {
    const { values, default: usual, examples = [] } = members.get(name)?.shape() ?? {};
    const isSaid = values !== undefined || usual !== undefined || examples[0] !== undefined;
    const isStatus = /^(?:code|(?:http)?status|statuscode)$/.test(plainName(name));
    return isStatus && typeof body[name] === 'number' && !isSaid
      ? [(whole) => withValueAt(whole, [name], status)]
      : [];
  });
  return changeWithin(body, changes, schema);
}

/** Shows items in the body of one response. */
export interface Shown {
  /** The whole body with the item in it. */
  value(item: Item): JsonValue;
  text(item: Item): string;
}

/** How a view shows items. */
interface ViewOptions {
  /** Stored items are shown unchanged. */
  readonly isPlain: boolean;
  /** Members are shown that the schema does not list but allows. */
  readonly showsUnnamed: boolean;
  readonly idParameter: Parameter | undefined;
  /** The last word of the collection's path: `pets` of `/stores/{storeId}/pets`. */
  readonly word: string;
}

/** Compiles a view of whole bodies: single responses. */
export function compileItemView(
  view: ItemView,
  base: JsonValue | undefined,
  options: ViewOptions,
): Shown {
  const { place, isList } = view;
  const root = isList ? view.item : view.body;
  const inner = isList ? [] : place;
  const listed = isList ? itemInBody(view, base) : undefined;
  const under = isList ? (isJsonObject(listed) ? listed : undefined) : base;
  const layersOf = compileLayers(view, options, valueAt(under, inner));
  const start = objectOr(under, root);
  return keepShown(options, (item) => {
    const shown = layOver(start, inner, layersOf(item), root);
    if (!isList) return withOuterId(view, shown, item);
    const listing = withValueAt(base, place, [shown]);
    const isValid = view.body.isValid(listing);
    return withOuterId(view, isValid ? listing : (base ?? listing), item);
  });
}

/** Compiles the view of one item of a list, which may be just an id. */
export function compileElementView(
  view: ItemView,
  base: JsonValue | undefined,
  options: ViewOptions,
): Shown {
  if (view.item.shape().types.includes('object'))
    return compileItemView({ ...view, isList: false, place: [], body: view.item }, base, options);
  return keepShown(options, (item) => idValue(item.key, view.item) ?? base ?? item.key);
}

function keepShown({ isPlain }: ViewOptions, show: (item: OpenItem) => JsonValue): Shown {
  const shown = new WeakMap<Item, JsonValue>();
  const value = (item: Item): JsonValue => {
    const isStored = isPlain && item.facts === undefined;
    const known = shown.get(item) ?? (isStored ? readMembers(item.text) : show(openItem(item)));
    shown.set(item, known);
    return known;
  };
  const text = (item: Item): string =>
    isPlain && item.facts === undefined ? item.text : renderJson(value(item));
  return { value, text };
}

/**
 * An object into which members are merged. Null stays if the schema allows it but not an empty
 * object.
 */
function objectOr(base: JsonValue | undefined, schema: SchemaNode): JsonValue {
  if (base !== null) return base ?? {};
  return !schema.isValid({}) && schema.isValid(null) ? null : {};
}

/** An envelope may have an id too, which clients take for that of the item. */
function withOuterId({ body, place }: ItemView, whole: JsonValue, item: OpenItem): JsonValue {
  if (place.length === 0 || !isJsonObject(whole)) return whole;
  const member = memberNamed(Object.keys(whole), ['id']);
  const id = member === undefined ? undefined : idValue(item.key, membersOf(body).get(member));
  if (member === undefined || id === undefined) return whole;
  return changeWithin(whole, [(shown) => withValueAt(shown, [member], id)], body);
}

/** A member to merge into a value; undefined for one to remove. */
type Layer = readonly [name: string, value: JsonValue | undefined];

/**
 * Merges members into the object at a place of a value, as long as the whole stays valid: an
 * invalid member is merged with the existing one, and left out if that is not valid either.
 */
export function layOver(
  base: JsonValue,
  place: readonly string[],
  layers: Iterable<Layer>,
  schema: SchemaNode,
): JsonValue {
  const changes: Change[] = [];
  /** Last, because they may take many attempts. */
  const deep: Change[] = [];
  const inner = valueAt(base, place);
  // All at once, because each change copies the object.
  const members = new Map(isJsonObject(inner) ? Object.entries(inner) : []);
  for (const [name, value] of layers) {
    const at = [...place, name];
    if (value === undefined) {
      members.delete(name);
      changes.push((body) =>
        isJsonObject(body) && valueAt(body, at) !== undefined ? withoutMember(body, at) : body,
      );
      continue;
    }
    members.set(name, value);
    const isDeep = isJsonObject(value) || isJsonArray(value);
    (isDeep ? deep : changes).push((body) => withValueAt(body, at, value));
    if (isDeep) deep.push(...waysToFit(value, at, schema));
  }
  const isSame = members.size === 0 && !isJsonObject(inner);
  const whole = isSame ? base : withValueAt(base, place, Object.fromEntries(members));
  return changeWithin(base, [...changes, ...deep], schema, whole);
}

/**
 * Changes to try for an object, or a list of objects, that is invalid by itself: merge it with the
 * existing one, or add the members that its schema requires. For a union merging comes second,
 * because the existing object may be of another branch.
 */
function waysToFit(value: JsonValue, at: readonly string[], schema: SchemaNode): readonly Change[] {
  const isUnion = (): boolean => (schemaAt(schema, at)?.shape().alternatives.length ?? 0) > 0;
  // Where the value was taken, it is merged with itself.
  const merge: Change = (body) => {
    const mixed = mix(valueAt(body, at), value);
    return mixed === undefined ? body : withValueAt(body, at, mixed);
  };
  const complete: Change = (body) => {
    const shown = valueAt(body, at) ?? null;
    const mixed = mix(shown, value);
    const isTaken = mixed !== undefined && jsonEquals(mixed, shown);
    return isTaken ? body : withValueAt(body, at, completed(value, schemaAt(schema, at)));
  };
  return [
    (body) => (isUnion() ? complete : merge)(body),
    (body) => (isUnion() ? merge : complete)(body),
  ];
}

/**
 * Merges objects, also nested ones, and the objects of two lists, of which the second one says how
 * many; undefined if they are neither two objects nor two lists.
 */
function mix(under: JsonValue | undefined, over: JsonValue | undefined): JsonValue | undefined {
  if (isJsonArray(under) && isJsonArray(over))
    return over.map((one, index) => mix(under[index] ?? under[0], one) ?? one);
  if (!isJsonObject(under) || !isJsonObject(over)) return undefined;
  const names = Object.entries(over).map(
    ([name, value = null]) => [name, mix(under[name], value) ?? value] as const,
  );
  return { ...under, ...Object.fromEntries(names) };
}

/** How deep an object is completed. */
const maxCompleted = 4;

/**
 * Adds the missing required members to an object, or to the objects in a list, with sample values,
 * corrects constants, and removes members that are forbidden.
 */
function completed(value: JsonValue, schema: SchemaNode | undefined, depth = 0): JsonValue {
  if (schema === undefined || depth > maxCompleted) return value;
  if (schema.isValid(value)) return value;
  const { additional, alternatives, items, properties, required, values = [] } = schema.shape();
  const [constant] = values;
  if (constant !== undefined && values.length === 1) return constant;
  if (isJsonArray(value)) return value.map((one) => completed(one, items, depth + 1));
  if (!isJsonObject(value)) return value;
  const namedIn = (one: SchemaNode): number =>
    Object.keys(value).filter((name) => one.shape().properties.has(name)).length;
  const likeliest = alternatives.toSorted((one, other) => namedIn(other) - namedIn(one));
  for (const one of likeliest) {
    const whole = completed(value, one, depth + 1);
    if (schema.isValid(whole)) return whole;
  }
  const members = Object.entries(value)
    .filter(([name]) => additional !== false || properties.has(name))
    .map(
      ([name, member = null]) =>
        [name, completed(member, properties.get(name), depth + 1)] as const,
    );
  const lacking = [...required].flatMap((name) => {
    const member = Object.hasOwn(value, name) ? undefined : properties.get(name);
    return member === undefined
      ? []
      : [[name, sampleSchema(member, { direction: 'response' }).value] as const];
  });
  return Object.fromEntries([...members, ...lacking]);
}

function compileLayers(
  view: ItemView,
  { showsUnnamed, idParameter, word }: ViewOptions,
  under: JsonValue | undefined,
): (item: OpenItem) => ReadonlyMap<string, JsonValue | undefined> {
  const named = membersOf(view.item);
  const { required } = view.item.shape();
  const sample = isJsonObject(under) ? under : {};
  const isNamed = (name: string): boolean => named.has(name) || Object.hasOwn(sample, name);
  const isOpen = showsUnnamed && isOpenObject(view.item);
  const idPlace = view.idPlace ?? (isOpen ? ['id'] : undefined);
  const [idMember = '', ...idRest] = idPlace ?? [];
  const idNode = idPlace && (schemaAt(view.item, idPlace) ?? idParameter?.schema);
  const isIdNumber = idPlace !== undefined && isNumeric(valueAt(sample, idPlace));
  // The object with the id may also contain the parents' ids: `metadata.namespace`.
  const holder =
    idRest.length === 0 ? undefined : schemaAt(view.item, [idMember, ...idRest.slice(0, -1)]);
  const beside = idRest.length === 0 ? [] : [...membersOf(holder ?? view.item)];
  // An example of the path parameter may also be meant.
  const shownIds = [
    idPlace && valueAt(sample, idPlace),
    ...(idParameter?.examples ?? []).map(({ value }) => value),
  ];
  const links: Links = {
    start: `/${word}/`,
    from: new Set(shownIds.filter(isItemId).map((id) => encodeId(`${id}`))),
  };
  const linked = Object.entries(sample).filter(
    ([, value = null]) => word !== '' && relinked(value, links, '') !== value,
  );
  /** The id is the first layer: of a wide invalid item, only some layers are tried. */
  const layId = (
    layers: ReadonlyMap<string, JsonValue | undefined>,
    item: OpenItem,
  ): ReadonlyMap<string, JsonValue | undefined> => {
    // If no schema says more, the id is a number if the example has a number.
    const id = (isIdNumber ? numberIn(item.key) : undefined) ?? idValue(item.key, idNode);
    const isFree = view.idPlace !== undefined || !Object.hasOwn(item.members, idMember);
    if (id === undefined || !isFree) return layers;
    let value = layers.get(idMember) ?? sample[idMember];
    for (const [member, schema] of beside) {
      const parent = ownMember(item.made, plainName(member));
      if (parent !== undefined)
        value = withValueAt(value, [...idRest.slice(0, -1), member], fitted(parent, schema));
    }
    const all = new Map(layers);
    for (const [name, shown = null] of linked)
      if (!layers.has(name)) all.set(name, relinked(shown, links, encodeId(item.key)));
    return new Map([[idMember, undefined], ...all, [idMember, withValueAt(value, idRest, id)]]);
  };
  return (item) => {
    const { absent, made, members } = item;
    const layers = new Map<string, JsonValue | undefined>();
    for (const name of absent)
      if (isNamed(name) && !required.has(name)) layers.set(name, undefined);
    for (const [name, schema] of named) {
      const value = ownMember(made, plainName(name));
      if (value !== undefined && (!absent.has(name) || required.has(name)))
        layers.set(name, fitted(value, schema));
      const instant = timeOf(item, name, schema);
      if (instant !== undefined) layers.set(name, new Date(instant).toISOString());
    }
    for (const [name, value] of Object.entries(members)) {
      const schema = named.get(name);
      const isShown = (isNamed(name) || isOpen) && !isSecret(name, schema);
      if (value !== undefined && isShown && !(absent.has(name) && isNoNull(schema)))
        layers.set(name, referred(value, sample[name]) ?? fitted(value, schema));
    }
    return idPlace === undefined ? layers : layId(layers, item);
  };
}

/** Items in the paths of URLs: `start` is `/pets/`, `from` the ids of a sample. */
interface Links {
  readonly start: string;
  readonly from: ReadonlySet<string>;
}

/**
 * A value in which URLs at any depth lead to another item: `https://example.com/v1/pets/7/photo`. The
 * same value if there is no such URL.
 */
function relinked(value: JsonValue, links: Links, to: string): JsonValue {
  if (typeof value === 'string') {
    const at = /^(?:https?:\/\/|\/)/.test(value) ? value.indexOf(links.start) : -1;
    const start = at + links.start.length;
    const [id = ''] = at < 0 ? [] : (/^[^/?#]*/.exec(value.slice(start)) ?? []);
    return links.from.has(id) ? value.slice(0, start) + to + value.slice(start + id.length) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(
    ([name, one = null]) => [name, one, relinked(one, links, to)] as const,
  );
  if (entries.every(([, before, after]) => before === after)) return value;
  if (isJsonArray(value)) return entries.map(([, , after]) => after);
  return Object.fromEntries(entries.map(([name, , after]) => [name, after]));
}

/** An id in a path. Lone surrogates have no encoding. */
function encodeId(id: string): string {
  return encodeURIComponent(id.toWellFormed());
}

const referenceNames = ['id', 'gid', 'uuid', 'uid', 'guid', 'key', 'slug', 'name', 'code'];

/** A sent id may be shown as an object with that id. */
function referred(value: JsonValue, shown: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(shown) || (typeof value !== 'string' && typeof value !== 'number'))
    return undefined;
  const member = memberNamed(Object.keys(shown), referenceNames);
  return member === undefined ? undefined : { ...shown, [member]: value };
}

/** Converts numbers to text and back, because views differ in this. */
function fitted(value: JsonValue, schema: SchemaNode | undefined): JsonValue {
  const types = schema?.shape().types ?? [];
  if (typeof value === 'number' && types.includes('string'))
    return types.includes('number') || types.includes('integer') ? value : `${value}`;
  if (typeof value === 'string' && schema !== undefined && !types.includes('string'))
    return idValue(value, schema) ?? value;
  return value;
}

export function isOpenObject(item: SchemaNode): boolean {
  return item.shape().additional !== false;
}

export function isNoNull(schema: SchemaNode | undefined): boolean {
  return schema !== undefined && !schema.shape().types.includes('null');
}

const secretName = /password|secret/i;

export function isSecret(name: string, schema: SchemaNode | undefined): boolean {
  return schema === undefined ? secretName.test(name) : schema.shape().writeOnly;
}

/** The time of creation or change, for members with such names. */
function timeOf(item: OpenItem, name: string, schema: SchemaNode): number | undefined {
  if (schema.shape().format !== 'date-time') return undefined;
  const plain = plainName(name);
  if (/^(?:date)?(?:created|inserted|added)/.test(plain)) return item.createdAt;
  return isTimeOfChange(name, 'date-time') ? item.changedAt : undefined;
}

/** Whether another operation shows the same items, or parts of them, judging by both schemas. */
export function isShownElsewhere(resource: InferredResource, operation: Operation): boolean {
  const { showing, viewOf } = resource;
  const pointer = viewOf(operation)?.item.pointer;
  if (showing.some((one) => one !== operation && viewOf(one)?.item.pointer === pointer))
    return true;
  const { shown } = resource.certain ?? {};
  return shown !== undefined && shown.has(operation.id) && shown.size > 1;
}

/** What a response shows in addition to what was sent is remembered for all views. */
export function withMade(
  opened: OpenItem,
  { idPlace, item: schema }: ItemView,
  item: JsonValue | undefined,
): OpenItem {
  if (item === undefined || !isJsonObject(item)) return opened;
  const made: Record<string, JsonValue> = {};
  const members = { ...opened.members };
  const named = membersOf(schema);
  for (const [name, value] of Object.entries(item)) {
    if (name === idPlace?.join('.') || value === undefined) continue;
    const member = named.get(name);
    const { [name]: stored } = members;
    if (stored === undefined) made[plainName(name)] = value;
    else if (
      (isJsonObject(value) && !isJsonObject(stored)) ||
      // This response cannot show it, because its schema has other limits or lists other values.
      (member?.isValid(stored) === false &&
        ((isNumeric(stored) && isNumeric(value)) || member.shape().values !== undefined))
    )
      members[name] = value;
  }
  // A member that the response must have is no longer absent, though the client did not send it.
  const absent = new Set([...opened.absent].filter((name) => (item[name] ?? null) === null));
  return { ...opened, members, made: { ...made, ...opened.made }, absent };
}

/**
 * Values that a client may take for the id in a body: at the top level, else one level down. If the path
 * says `user_id`, and items have one, `id` is something else.
 */
export function idsShown(
  { idNames, idParameter }: InferredResource,
  idPlace: readonly string[] | undefined,
  body: JsonValue,
): readonly string[] {
  const wanted = new Set(idNames);
  const within = (value: JsonValue | undefined): readonly (readonly [string, string])[] => {
    const object = isJsonArray(value) ? value[0] : value;
    if (!isJsonObject(object)) return [];
    return Object.entries(object).flatMap(([name, member]) =>
      wanted.has(plainName(name)) && (typeof member === 'string' || typeof member === 'number')
        ? [[plainName(name), `${member}`] as const]
        : [],
    );
  };
  const top = within(body);
  const found = top.length > 0 || !isJsonObject(body) ? top : Object.values(body).flatMap(within);
  const [own, named] = [idPlace?.[0], idParameter?.name].map((name = '') => plainName(name));
  const ids = found.flatMap(([name, id]) =>
    own === named && own !== name && name === 'id' ? [] : [id],
  );
  return [...new Set(ids)].filter((id) => id !== '');
}
