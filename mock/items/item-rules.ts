import { setMember } from '../../contract/json/edit.ts';
import { valueAt } from '../../contract/json/place.ts';
import { appendPointer, renderPointer, resolvePointer } from '../../contract/json/pointer.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
  renderJson,
} from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { InferredResource, Resource } from '../../contract/resource/resource.ts';
import {
  type Issue,
  type SchemaNode,
  SchemaRegistry,
  possibleDefault,
} from '../../contract/schema/schema-node.ts';
import type { Choices } from '../choice/choices.ts';
import { plainValue } from '../operation/response/error-body.ts';
import { type Item, type ItemId, readMembers } from './store/item.ts';
import type { Inventory, ItemOrder } from './store/store.ts';
import type { MakeSample } from './item-view.ts';

/** The storage form of items that every response shows alike: JSON text. */
export interface PlainForm {
  readonly filters: Resource['filters'];
  /** Properties that must refer to an existing record. */
  readonly references: readonly string[];
  readonly order: ItemOrder;
  readonly close: (item: JsonObject, id: ItemId) => Item;
}

/**
 * The storage form of a collection; undefined if responses use different schemas or add members.
 */
export function compilePlainForm(
  { path, itemPath, certain, showing, viewOf }: InferredResource,
  choices: Choices,
): PlainForm | undefined {
  if (certain?.create === undefined || certain.get === undefined) return undefined;
  const { create, replace, update, item } = certain;
  const isPlain =
    certain.collectionPath === path &&
    certain.itemPath === itemPath &&
    showing.every((operation) => {
      const view = viewOf(operation);
      return (
        view === undefined ||
        (view.place.length === 0 &&
          view.isList === (operation === certain.list) &&
          view.item.pointer === item.pointer)
      );
    }) &&
    !hasOwnMembers(create, item) &&
    [create, replace, update].every((one) => sendsMembers(one, item));
  if (!isPlain) return undefined;
  const { id: order, details } = choices.choose('order', certain.list.pointer);
  const by = typeof details['by'] === 'string' ? details['by'] : certain.idPlace[0];
  const isDescending = details['direction'] === 'descending';
  return {
    filters: certain.filters,
    references: referencesOf(certain, choices),
    order: order === 'none' ? 'none' : isDescending ? 'descending' : 'ascending',
    close: (one, id) => ({
      id,
      sortKey: one[by] ?? id,
      text: renderJson(one),
      facts: undefined,
    }),
  };
}

/** Whether the service may add optional members that clients cannot send, such as in an example. */
function hasOwnMembers({ requestBody }: Operation, item: SchemaNode): boolean {
  const { properties, required } = item.shape();
  const sent = requestBody?.content[0]?.schema?.shape().properties;
  if (sent === undefined || sent.size === 0) return false;
  return [...properties.keys()].some((name) => !required.has(name) && !sent.has(name));
}

/** Whether a member's sent value is also its value in items. */
function sendsMembers(operation: Operation | undefined, item: SchemaNode): boolean {
  const { properties } = item.shape();
  return (operation?.requestBody?.content ?? []).every(({ schema }) =>
    [...(schema?.shape().properties ?? [])].every(([name, sent]) => {
      const shown = properties.get(name);
      return shown === undefined || isAlike(sent, shown);
    }),
  );
}

/** Deepest nesting of unions and arrays that is followed. */
const maxDepth = 6;

function isAlike(sent: SchemaNode, shown: SchemaNode, depth = 0): boolean {
  if (sent.pointer === shown.pointer || depth > maxDepth) return true;
  const [from, to] = [sent.shape(), shown.shape()];
  if (from.alternatives.length > 0)
    return from.alternatives.some((one) => isAlike(one, shown, depth + 1));
  if (from.items !== undefined && to.items !== undefined)
    return isAlike(from.items, to.items, depth + 1);
  const types = from.types.filter((type) => type !== 'null');
  const isScalar = types.every((type) => type !== 'object' && type !== 'array');
  return isScalar && types.join() === to.types.filter((type) => type !== 'null').join();
}

function referencesOf({ item, create }: Resource, choices: Choices): readonly string[] {
  const sent = (create?.requestBody?.content ?? []).flatMap(({ schema }) => schema ?? []);
  const names = new Set<string>();
  for (const schema of [item, ...sent])
    for (const [name, pointers] of memberPlaces(choices, schema))
      if (choices.choose('reference', ...pointers).id === 'must-exist') names.add(name);
  return [...names];
}

/**
 * JSON pointers of a schema's members by name, through `$ref` and `allOf`. Open questions point
 * there.
 */
function memberPlaces(
  { contract: { document } }: Choices,
  { pointer }: SchemaNode,
): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>();
  const pointers = new Set([pointer]);
  // The loop also visits schemas that it adds.
  for (const at of pointers) {
    const schema = at.startsWith('#/') ? resolvePointer(document, at) : undefined;
    if (!isJsonObject(schema)) continue;
    const { $ref, properties, allOf } = schema;
    if (typeof $ref === 'string') pointers.add($ref);
    for (const name of isJsonObject(properties) ? Object.keys(properties) : []) {
      const known = places.get(name) ?? [];
      places.set(name, known);
      known.push(appendPointer(at, 'properties', name));
    }
    for (const index of Array.isArray(allOf) ? allOf.keys() : [])
      pointers.add(appendPointer(at, 'allOf', index));
  }
  return places;
}

interface Ruled {
  /** The item as most responses show it; undefined if none does. */
  readonly itemSchema: SchemaNode | undefined;
  readonly idPlace: readonly string[] | undefined;
  readonly plain: PlainForm | undefined;
}

/** The rules of open questions for the members that a client sends for an item. */
export interface BodyRules {
  /** Values of members that the client left out. */
  readonly defaults: JsonObject;
  /** Members that are stored; undefined for all that the schema allows. */
  readonly known: ReadonlySet<string> | undefined;
  /** A sent id is an error, instead of being ignored. */
  readonly refusesId: boolean;
  /** Issues in addition to those of the schema. */
  readonly judge: (body: JsonObject, inventory: Inventory) => readonly Issue[];
}

/** `body`: the schema by which items are sent; undefined if the document has none. */
export function compileBodyRules(
  { itemSchema, idPlace: [idName = ''] = [], plain }: Ruled,
  body: SchemaNode | undefined,
  choices: Choices,
): BodyRules {
  const properties = body?.shape().properties ?? new Map<string, SchemaNode>();
  const shown = itemSchema?.shape().properties;
  const placesOf = body && memberPlaces(choices, body);
  const pointers = [body?.pointer, itemSchema?.pointer];
  const unknown =
    body &&
    choices.answersTo('unknown-properties').find(({ question }) => pointers.includes(question.at))
      ?.choice.id;
  const idPlaces = itemSchema && memberPlaces(choices, itemSchema).get(idName);
  const idRule = body && choices.choose('read-only-property', ...(idPlaces ?? ['']));
  const refusesId = idRule?.id === 'refused';
  const limits: Record<string, JsonValue> = {};
  const defaults: Record<string, JsonValue> = {};
  setMember(limits, idName, true);
  let hasRules = refusesId || unknown === 'refused';
  for (const [name, schema] of properties) {
    const places = placesOf?.get(name) ?? [`${body?.pointer}/properties/${name}`];
    const [length, reference] = (['string-limits', 'reference'] as const).map(
      (kind) => choices.choose(kind, ...places).details,
    );
    const limit = { ...length, ...reference };
    hasRules ||= Object.keys(limit).length > 0;
    setMember(limits, name, limit);
    const choice = choices.choose('default-value', ...places);
    const value = choice.id === '' ? possibleDefault(schema) : choice.details['value'];
    if (value !== undefined && shown?.has(name) !== false) defaults[name] = value;
  }
  const known = new Set(Object.keys(limits));
  if (refusesId) setMember(limits, idName, false);
  const rules = { properties: limits, additionalProperties: unknown !== 'refused' };
  const schema = new SchemaRegistry({ openapi: '3.1.0', rules }, 'rules', () => {}).node('#/rules');
  const references = (plain?.references ?? []).filter((name) => properties.has(name));
  return {
    defaults,
    known: unknown === undefined || unknown === 'kept' ? undefined : known,
    refusesId,
    judge: (sent, { items }) => [
      ...(hasRules ? schema.validate(sent) : []),
      // A referenced record exists if an item refers to it: there is no other list of records.
      ...references
        .filter((name) => {
          const { [name]: referred } = sent;
          return (
            referred !== undefined &&
            !items.some(({ text }) => readMembers(text)[name] === referred)
          );
        })
        .map((name) => ({
          at: renderPointer([name]),
          keyword: 'reference',
          schemaPointer: '#/x-unspecified',
          message: 'names a record that does not exist',
        })),
    ],
  };
}

/**
 * Adds required members that the client did not send: zero values, such as 0. If those do not fit
 * or are meaningless, such as an empty text, uses values of a sample, with the current time.
 */
export function withRequired(
  item: JsonObject,
  schema: SchemaNode,
  sample: MakeSample,
  now: number,
): JsonObject {
  const { required, properties } = schema.shape();
  const sampled = sample(schema);
  const added: Record<string, JsonValue> = {};
  for (const name of required) {
    const member = Object.hasOwn(item, name) ? undefined : properties.get(name);
    if (member === undefined) continue;
    const plain = plainValue(member, now);
    const isPlain = plain !== '' && member.isValid(plain);
    const value = isPlain ? plain : (valueAt(sampled, [name]) ?? null);
    const isInstant = typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);
    added[name] = isInstant ? new Date(now).toISOString() : value;
  }
  return { ...item, ...added };
}
