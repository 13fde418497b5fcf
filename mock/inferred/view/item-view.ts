import {
  type ItemView,
  type JsonObject,
  type JsonValue,
  type SchemaNode,
  isJsonObject,
  memberNamed,
  membersOf,
  plainName,
} from '../../../contract/index.ts';
import type { Entity } from '../../store/entities/entity.ts';
import { type Layer, layOver } from './overlay.ts';
import { valueAt, withValueAt } from './place.ts';

/** Shows entities in the body of one response. */
export interface EntityView {
  /** The whole body with the entity in its place. */
  show(entity: Entity): JsonValue;
}

/** Makes a value that fits a schema; undefined where none can be made. */
export type MakeSample = (schema: SchemaNode) => JsonValue | undefined;

/** The body that a response has before an entity is laid over it: an example, else a sample. */
export function bodyWithoutEntity(
  { content }: ItemView,
  sample: MakeSample,
): JsonValue | undefined {
  const [example] = content.examples;
  if (example !== undefined) return example.value;
  return content.schema === undefined ? undefined : sample(content.schema);
}

/** How much of an entity a view shows. */
export interface ViewOptions {
  /** Members are shown that the schema does not name and does not exclude. */
  readonly showsUnnamed: boolean;
}

/** Compiles a view of whole bodies: single responses. */
export function compileEntityView(
  view: ItemView,
  base: JsonValue | undefined,
  options: ViewOptions,
): EntityView {
  const { schema } = view.content;
  const place = view.isList ? [] : view.place;
  const root = view.isList ? view.item : (schema ?? view.item);
  const under = view.isList ? firstOf(valueAt(base, view.place)) : base;
  const layersOf = compileLayers(view, options, valueAt(under, place));
  const start = objectOr(under, root);
  const shown = new WeakMap<Entity, JsonValue>();
  return {
    show(entity) {
      const known = shown.get(entity);
      if (known !== undefined) return known;
      const item = layOver(start, place, layersOf(entity), root);
      const whole = withOuterId(view, view.isList ? wrapped(view, base, item) : item, entity);
      shown.set(entity, whole);
      return whole;
    },
  };
}

/** Compiles the view of one item of a list. */
export function compileElementView(
  view: ItemView,
  base: JsonValue | undefined,
  options: ViewOptions,
): EntityView {
  const layersOf = compileLayers(view, options, base);
  const start = objectOr(base, view.item);
  const shown = new WeakMap<Entity, JsonValue>();
  return {
    show(entity) {
      const known = shown.get(entity);
      if (known !== undefined) return known;
      const fresh = isScalarView(view)
        ? scalarId(entity, view.item, base)
        : layOver(start, [], layersOf(entity), view.item);
      shown.set(entity, fresh);
      return fresh;
    },
  };
}

/** An object to lay members over; null stays where it fits the schema and an empty object does not. */
function objectOr(base: JsonValue | undefined, schema: SchemaNode): JsonValue {
  if (base !== null) return base ?? {};
  return schema.validate({}).length > 0 && schema.validate(null).length === 0 ? null : {};
}

/** An envelope may have an id too, which clients take for that of the item. */
function withOuterId({ content, place }: ItemView, whole: JsonValue, entity: Entity): JsonValue {
  const { schema } = content;
  if (place.length === 0 || schema === undefined || !isJsonObject(whole)) return whole;
  const member = memberNamed(Object.keys(whole), ['id']);
  const id = member === undefined ? undefined : idValue(entity.key, membersOf(schema).get(member));
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
function scalarId({ key }: Entity, item: SchemaNode, base: JsonValue | undefined): JsonValue {
  return idValue(key, item) ?? base ?? key;
}

/** An id as a schema has it: a text, or a number; undefined for that of a single item, which has none. */
export function idValue(key: string, schema: SchemaNode | undefined): JsonValue | undefined {
  if (key === '') return undefined;
  const number = /^-?\d{1,15}$/.test(key) ? Number(key) : undefined;
  const types = schema?.shape().types;
  const isText = types === undefined || types.includes('string');
  const tries = isText ? [key, number] : [number];
  return tries.find((value) => value !== undefined && (schema?.validate(value).length ?? 0) === 0);
}

function compileLayers(
  view: ItemView,
  { showsUnnamed }: ViewOptions,
  under: JsonValue | undefined,
): (entity: Entity) => readonly Layer[] {
  const named = membersOf(view.item);
  const { required } = view.item.shape();
  const sample = isJsonObject(under) ? under : {};
  const isNamed = (name: string): boolean => named.has(name) || Object.hasOwn(sample, name);
  const isOpen = showsUnnamed && isOpenObject(view.item);
  const idMember = view.idMember ?? (isOpen ? 'id' : undefined);
  const times = [...named].flatMap(([name, schema]) => timeMember(name, schema));
  return (entity) => {
    const layers = new Map<string, JsonValue | undefined>();
    for (const name of entity.absent)
      if (isNamed(name) && !required.has(name)) layers.set(name, undefined);
    for (const [name, schema] of named) {
      const value = entity.made[plainName(name)];
      if (value !== undefined && !entity.absent.has(name)) layers.set(name, fitted(value, schema));
    }
    for (const { name, read } of times) {
      const instant = read(entity);
      if (instant !== undefined) layers.set(name, new Date(instant).toISOString());
    }
    for (const [name, value] of Object.entries(entity.members))
      if (
        value !== undefined &&
        (isNamed(name) || isOpen) &&
        !isSecret(name, named.get(name)) &&
        !(entity.absent.has(name) && isNoNull(named.get(name)))
      )
        layers.set(name, referred(value, sample[name]) ?? fitted(value, named.get(name)));
    if (idMember !== undefined) {
      const id = idLike(sample[idMember], entity.key) ?? idValue(entity.key, named.get(idMember));
      const isFree = view.idMember !== undefined || !Object.hasOwn(entity.members, idMember);
      if (id !== undefined && isFree) layers.set(idMember, id);
    }
    return [...layers].map(([name, value]) => ({ name, value }));
  };
}

/** Where no schema says more, an id is a number where the example has one. */
function idLike(shown: JsonValue | undefined, key: string): number | undefined {
  return typeof shown === 'number' && /^\d{1,15}$/.test(key) ? Number(key) : undefined;
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

function isOpenObject(item: SchemaNode): boolean {
  return item.shape().additional !== false;
}

function isNoNull(schema: SchemaNode | undefined): boolean {
  return schema !== undefined && !schema.shape().types.includes('null');
}

function isSecret(name: string, schema: SchemaNode | undefined): boolean {
  if (schema?.shape().writeOnly === true) return true;
  return schema === undefined && /password|secret/i.test(name);
}

interface TimeMember {
  readonly name: string;
  readonly read: (entity: Entity) => number | undefined;
}

function timeMember(name: string, schema: SchemaNode): readonly TimeMember[] {
  const plain = plainName(name);
  const isCreation = /^(?:date)?(?:created|inserted|added)/.test(plain);
  if (!isCreation && !/^(?:date)?(?:last)?(?:updated|modified|changed)/.test(plain)) return [];
  if (schema.shape().format !== 'date-time') return [];
  return [{ name, read: isCreation ? (entity) => entity.createdAt : (entity) => entity.changedAt }];
}

function firstOf(value: JsonValue | undefined): JsonObject | undefined {
  const first = Array.isArray(value) ? value[0] : undefined;
  return isJsonObject(first) ? first : undefined;
}
