import { valueAt, withValueAt } from '../../../contract/json/place.ts';
import { parsePointer } from '../../../contract/json/pointer.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  isNumeric,
  renderJson,
} from '../../../contract/json/value.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { membersOf, schemaAt } from '../../../contract/resource/item-view.ts';
import { memberNamed, plainName } from '../../../contract/resource/names.ts';
import type { InferredResource, ItemView } from '../../../contract/resource/resource.ts';
import type { SchemaNode } from '../../../contract/schema/schema-node.ts';
import { idValue, numberIn } from '../store/ids.ts';
import { type Item, type OpenItem, openItem, readMembers } from '../store/item.ts';

/** The item that a body shows, the first of several. */
export function itemInBody(
  { place }: ItemView,
  body: JsonValue | undefined,
): JsonValue | undefined {
  const found = valueAt(body, place);
  return isJsonArray(found) ? found[0] : found;
}

/** Shows items in the body of one response. */
export interface Shown {
  /** The whole body with the item in its place. */
  value(item: Item): JsonValue;
  text(item: Item): string;
}

/** A view that shows items as they are kept; those that are kept for several views as another shows them. */
export function asKept(other: Shown): Shown {
  return {
    value: (item) => (item.facts === undefined ? readMembers(item.text) : other.value(item)),
    text: (item) => (item.facts === undefined ? item.text : other.text(item)),
  };
}

/** Makes a value that fits a schema; undefined where none can be made. */
export type MakeSample = (schema: SchemaNode) => JsonValue | undefined;

/** The body that a response has before an item is laid over it: an example, else a sample. */
export function bodyWithoutItem(
  { content: { examples, schema }, place }: ItemView,
  sample: MakeSample,
  status?: number,
): JsonValue | undefined {
  const [example] = examples;
  if (example !== undefined) return example.value;
  if (schema === undefined) return undefined;
  const body = sample(schema);
  return place.length > 0 && status !== undefined && isJsonObject(body)
    ? withStatus(body, schema, status)
    : body;
}

/** A number of an envelope that is named as a status is that of the response, where nothing else is said of it. */
export function withStatus(body: JsonObject, schema: SchemaNode, status: number): JsonObject {
  const members = membersOf(schema);
  const isStatus = (name: string): boolean => {
    const shape = members.get(name)?.shape();
    const isSaid =
      shape?.values !== undefined ||
      shape?.default !== undefined ||
      shape?.examples[0] !== undefined;
    return statusNames.has(plainName(name)) && typeof body[name] === 'number' && !isSaid;
  };
  const statuses = Object.keys(body)
    .filter(isStatus)
    .map((name) => [name, status] as const);
  const shown = { ...body, ...Object.fromEntries(statuses) };
  return schema.validate(shown).length === 0 ? shown : body;
}

const statusNames: ReadonlySet<string> = new Set(['code', 'status', 'statuscode', 'httpstatus']);

/** How much of an item a view shows. */
export interface ViewOptions {
  /** Members are shown that the schema does not name and does not exclude. */
  readonly showsUnnamed: boolean;
  /** Of an id that the item does not describe. */
  readonly idSchema: SchemaNode | undefined;
}

/** Compiles a view of whole bodies: single responses. */
export function compileItemView(
  view: ItemView,
  base: JsonValue | undefined,
  options: ViewOptions,
): Shown {
  const { schema } = view.content;
  const place = view.isList ? [] : view.place;
  const root = view.isList ? view.item : (schema ?? view.item);
  const under = view.isList ? firstOf(valueAt(base, view.place)) : base;
  const layersOf = compileLayers(view, options, valueAt(under, place));
  const start = objectOr(under, root);
  return keepShown((item) => {
    const shown = layOver(start, place, layersOf(item), root);
    return withOuterId(view, view.isList ? wrapped(view, base, shown) : shown, item);
  });
}

/** Compiles the view of one item of a list. */
export function compileElementView(
  view: ItemView,
  base: JsonValue | undefined,
  options: ViewOptions,
): Shown {
  const layersOf = compileLayers(view, options, base);
  const start = objectOr(base, view.item);
  return keepShown((item) =>
    isScalarView(view)
      ? scalarId(item, view.item, base)
      : layOver(start, [], layersOf(item), view.item),
  );
}

function keepShown(show: (item: OpenItem) => JsonValue): Shown {
  const shown = new WeakMap<Item, JsonValue>();
  const value = (item: Item): JsonValue => {
    const known = shown.get(item);
    if (known !== undefined) return known;
    const fresh = show(openItem(item));
    shown.set(item, fresh);
    return fresh;
  };
  return { value, text: (item) => renderJson(value(item)) };
}

/** An object to lay members over; null stays where it fits the schema and an empty object does not. */
function objectOr(base: JsonValue | undefined, schema: SchemaNode): JsonValue {
  if (base !== null) return base ?? {};
  return schema.validate({}).length > 0 && schema.validate(null).length === 0 ? null : {};
}

/** An envelope may have an id too, which clients take for that of the item. */
function withOuterId({ content, place }: ItemView, whole: JsonValue, item: OpenItem): JsonValue {
  const { schema } = content;
  if (place.length === 0 || schema === undefined || !isJsonObject(whole)) return whole;
  const member = memberNamed(Object.keys(whole), ['id']);
  const id = member === undefined ? undefined : idValue(item.key, membersOf(schema).get(member));
  if (member === undefined || id === undefined) return whole;
  const shown = { ...whole, [member]: id };
  return schema.validate(shown).length === 0 ? shown : whole;
}

function wrapped(view: ItemView, base: JsonValue | undefined, item: JsonValue): JsonValue {
  const whole = withValueAt(base, view.place, [item]);
  return view.content.schema?.validate(whole).length === 0 ? whole : (base ?? whole);
}

function isScalarView({ item }: ItemView): boolean {
  const { types } = item.shape();
  return !types.includes('object');
}

/** A list may have nothing but ids. */
function scalarId({ key }: OpenItem, item: SchemaNode, base: JsonValue | undefined): JsonValue {
  return idValue(key, item) ?? base ?? key;
}

function compileLayers(
  view: ItemView,
  { showsUnnamed, idSchema }: ViewOptions,
  under: JsonValue | undefined,
): (item: OpenItem) => readonly Layer[] {
  const named = membersOf(view.item);
  const { required } = view.item.shape();
  const sample = isJsonObject(under) ? under : {};
  const isNamed = (name: string): boolean => named.has(name) || Object.hasOwn(sample, name);
  const isOpen = showsUnnamed && isOpenObject(view.item);
  const idPlace = view.idPlace ?? (isOpen ? ['id'] : undefined);
  const times = [...named].flatMap(([name, schema]) => timeMember(name, schema));
  const addId = (
    layers: Map<string, JsonValue | undefined>,
    place: readonly string[],
    item: OpenItem,
  ): void => {
    const [name = '', ...rest] = place;
    const schema = schemaAt(view.item, place) ?? idSchema;
    const id = idLike(valueAt(sample, place), item.key) ?? idValue(item.key, schema);
    const isFree = view.idPlace !== undefined || !Object.hasOwn(item.members, name);
    if (id === undefined || !isFree) return;
    // The object that holds the id may name the parents too: `metadata.namespace`.
    const beside =
      rest.length === 0 ? [] : [...membersOf(schemaAt(view.item, place.slice(0, -1)) ?? view.item)];
    const parents = beside.flatMap(([member, one]) => {
      const value = item.made[plainName(member)];
      return value === undefined
        ? []
        : [[[...rest.slice(0, -1), member], fitted(value, one)] as const];
    });
    layers.set(
      name,
      [...parents, [rest, id] as const].reduce<JsonValue | undefined>(
        (value, [at, set]) => withValueAt(value, at, set),
        layers.get(name) ?? sample[name],
      ) ?? null,
    );
  };
  return (item) => {
    const layers = new Map<string, JsonValue | undefined>();
    for (const name of item.absent)
      if (isNamed(name) && !required.has(name)) layers.set(name, undefined);
    for (const [name, schema] of named) {
      const value = item.made[plainName(name)];
      if (value !== undefined && (!item.absent.has(name) || required.has(name)))
        layers.set(name, fitted(value, schema));
    }
    for (const { name, read } of times) {
      const instant = read(item);
      if (instant !== undefined) layers.set(name, new Date(instant).toISOString());
    }
    for (const [name, value] of Object.entries(item.members))
      if (
        value !== undefined &&
        (isNamed(name) || isOpen) &&
        !isSecret(name, named.get(name)) &&
        !(item.absent.has(name) && isNoNull(named.get(name)))
      )
        layers.set(name, referred(value, sample[name]) ?? fitted(value, named.get(name)));
    if (idPlace !== undefined) addId(layers, idPlace, item);
    return [...layers].map(([name, value]) => ({ name, value }));
  };
}

/** Where no schema says more, an id is a number where the example has one. */
function idLike(shown: JsonValue | undefined, key: string): number | bigint | undefined {
  return isNumeric(shown) ? numberIn(key) : undefined;
}

const referenceNames = ['id', 'gid', 'uuid', 'uid', 'guid', 'key', 'slug', 'name', 'code'];

/** What is sent as an id may be shown as an object with that id. */
function referred(value: JsonValue, shown: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(shown) || (typeof value !== 'string' && typeof value !== 'number'))
    return undefined;
  const member = memberNamed(Object.keys(shown), referenceNames);
  return member === undefined ? undefined : { ...shown, [member]: value };
}

/** A number where the schema wants a text, and the other way round: views differ in this. */
function fitted(value: JsonValue, schema: SchemaNode | undefined): JsonValue {
  if (schema === undefined || (typeof value !== 'string' && typeof value !== 'number'))
    return value;
  const { types } = schema.shape();
  if (typeof value === 'number' && !types.includes('number') && !types.includes('integer'))
    return types.includes('string') ? `${value}` : value;
  if (typeof value === 'string' && !types.includes('string'))
    return idValue(value, schema) ?? value;
  return value;
}

export function isOpenObject(item: SchemaNode): boolean {
  return item.shape().additional !== false;
}

export function isNoNull(schema: SchemaNode | undefined): boolean {
  return schema !== undefined && !schema.shape().types.includes('null');
}

export function isSecret(name: string, schema: SchemaNode | undefined): boolean {
  if (schema?.shape().writeOnly === true) return true;
  return schema === undefined && /password|secret/i.test(name);
}

interface TimeMember {
  readonly name: string;
  readonly read: (item: OpenItem) => number | undefined;
}

function timeMember(name: string, schema: SchemaNode): readonly TimeMember[] {
  const plain = plainName(name);
  const isCreation = /^(?:date)?(?:created|inserted|added)/.test(plain);
  if (!isCreation && !/^(?:date)?(?:last)?(?:updated|modified|changed)/.test(plain)) return [];
  if (schema.shape().format !== 'date-time') return [];
  return [{ name, read: isCreation ? (item) => item.createdAt : (item) => item.changedAt }];
}

function firstOf(value: JsonValue | undefined): JsonObject | undefined {
  const first = Array.isArray(value) ? value[0] : undefined;
  return isJsonObject(first) ? first : undefined;
}

/** Whether another operation shows items by the same schema. */
export function isShownElsewhere(
  { showing, viewOf }: InferredResource,
  operation: Operation,
): boolean {
  const pointer = viewOf(operation)?.item.pointer;
  return showing.some((one) => one !== operation && viewOf(one)?.item.pointer === pointer);
}

/** What a response shows beside what was sent, or made of it, stays so in all views. */
export function withMade(
  opened: OpenItem,
  { idPlace }: ItemView,
  item: JsonValue | undefined,
): OpenItem {
  if (item === undefined || !isJsonObject(item)) return opened;
  const made: Record<string, JsonValue> = {};
  const members = { ...opened.members };
  for (const [name, value] of Object.entries(item)) {
    if (name === idPlace?.join('.') || value === undefined) continue;
    if (!Object.hasOwn(members, name)) made[plainName(name)] = value;
    else if (isJsonObject(value) && !isJsonObject(members[name])) members[name] = value;
  }
  return { ...opened, members, made: { ...made, ...opened.made } };
}

/** Values that a client may take for the id of what a body shows: at its top, else one level down. */
export function idsShown({ idNames }: InferredResource, body: JsonValue): readonly string[] {
  const wanted = new Set(idNames);
  const within = (value: JsonValue | undefined): readonly string[] => {
    const object = isJsonArray(value) ? value[0] : value;
    if (!isJsonObject(object)) return [];
    return Object.entries(object).flatMap(([name, member]) =>
      wanted.has(plainName(name)) && (typeof member === 'string' || typeof member === 'number')
        ? [`${member}`]
        : [],
    );
  };
  const top = within(body);
  const ids = top.length > 0 || !isJsonObject(body) ? top : Object.values(body).flatMap(within);
  return [...new Set(ids)].filter((id) => id !== '');
}

/** All that is known of an item, but for passwords. */
export function wholeItem({ idParameter }: InferredResource, { id, text }: Item): JsonObject {
  const shown = Object.entries(readMembers(text)).filter(
    ([name]) => !/password|secret/i.test(name),
  );
  const shownId = idValue(`${id}`, idParameter?.schema) ?? id;
  return { id: shownId, ...Object.fromEntries(shown.filter(([name]) => name !== 'id')) };
}

/** The type that a body has which is documented as one of these. */
export function jsonType(mediaType: string): string {
  return mediaType === '*/*' ? 'application/json' : mediaType;
}

/** A member that is to be laid over a value. */
export interface Layer {
  readonly name: string;
  /** Undefined: the member is to go. */
  readonly value: JsonValue | undefined;
}

const mostRounds = 6;
const mostSingle = 40;

/**
 * Lays members over the object at a place of a value, as far as the whole stays valid: a member that
 * does not fit is merged with what was there, and left out where that does not fit either.
 */
export function layOver(
  base: JsonValue,
  place: readonly string[],
  layers: readonly Layer[],
  schema: SchemaNode,
): JsonValue {
  const under = valueAt(base, place);
  const object = isJsonObject(under) ? under : {};
  let current = layers;
  const merged = new Set<string>();
  for (let round = 0; round < mostRounds; round += 1) {
    const value = withValueAt(base, place, apply(object, current));
    const issues = schema.validate(value);
    if (issues.length === 0) return value;
    const faulty = new Set(
      issues.flatMap(({ at }) => {
        const name = parsePointer(at)[place.length];
        return name === undefined ? [] : [name];
      }),
    );
    const next = current.flatMap((layer) => {
      if (!faulty.has(layer.name)) return [layer];
      const mixed = merged.has(layer.name) ? undefined : mix(object[layer.name], layer.value);
      merged.add(layer.name);
      return mixed === undefined ? [] : [{ name: layer.name, value: mixed }];
    });
    if (next.every((layer, index) => layer === current[index]) && next.length === current.length)
      break;
    current = next;
  }
  return layOneByOne(base, place, layers, schema);
}

/** Of each member alone it is seen whether it fits: a union says no more about what is wrong. */
function layOneByOne(
  base: JsonValue,
  place: readonly string[],
  layers: readonly Layer[],
  schema: SchemaNode,
): JsonValue {
  let value = base;
  for (const layer of layers.slice(0, mostSingle)) {
    const under = valueAt(value, place);
    const object = isJsonObject(under) ? under : {};
    const mixed = mix(object[layer.name], layer.value);
    const tries = mixed === undefined ? [layer] : [layer, { name: layer.name, value: mixed }];
    const fitting = tries
      .map((one) => withValueAt(value, place, apply(object, [one])))
      .find((one) => schema.validate(one).length === 0);
    value = fitting ?? value;
  }
  return value;
}

function apply(object: JsonObject, layers: readonly Layer[]): JsonObject {
  const members = new Map<string, JsonValue | undefined>(Object.entries(object));
  for (const { name, value } of layers)
    if (value === undefined) members.delete(name);
    else members.set(name, value);
  return Object.fromEntries(members);
}

/** What was there with what is sent over it, for objects; undefined for anything else. */
function mix(under: JsonValue | undefined, over: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(under) || !isJsonObject(over)) return undefined;
  const names = Object.keys(over).map((name) => {
    const value = over[name] ?? null;
    return [name, mix(under[name], value) ?? value] as const;
  });
  return { ...under, ...Object.fromEntries(names) };
}
