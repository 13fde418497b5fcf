import type { MemberPlace } from '../json/place.ts';
import { once } from '../memo/once.ts';
import { jsonContent, type MediaType } from '../openapi/media-type.ts';
import { successContent } from '../openapi/response.ts';
import type { Operation } from '../openapi/operation.ts';
import type { Parameter } from '../openapi/parameter.ts';
import { schemaOfExamples } from '../schema/example-schema.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import { byPlainName, type IdNames, nameAmong, plainName, singularNames } from './names.ts';

/** Where a JSON body has items. */
export interface ItemView {
  readonly content: MediaType;
  /** Its schema; if the document has none, inferred from its examples. */
  readonly body: SchemaNode;
  /** Path of members from the body to the item, or to the array of items: `['data']`. */
  readonly place: readonly string[];
  /** The place is an array of items. */
  readonly isList: boolean;
  /** Schema of one item in this body. */
  readonly item: SchemaNode;
  /** The schema always has it there, and has no such item elsewhere. */
  readonly isSure: boolean;
  /**
   * Path of members from the item to its id: `['id']`, `['metadata', 'name']`; undefined if it has
   * none.
   */
  readonly idPlace: MemberPlace | undefined;
}

/** A place in a body that may be an item, or a list of items. */
interface Candidate extends Pick<ItemView, 'place' | 'isList' | 'item' | 'isSure'> {
  /** It is within the only member of the body. */
  readonly isOnly: boolean;
}

/** Plain names of members that usually contain an item. */
const wrappers = 'data result response payload item object body resource'.split(' ');
/** Plain names of members that usually contain an item or an array of items. */
const listWrappers = [
  ...wrappers,
  ...'items results values value records entries list content rows elements objects'.split(' '),
  ...'hits docs resources collection embedded nodes'.split(' '),
];
/** Plain names of members that describe the response rather than an item. */
const responseMembers = [
  ...'code status statuscode message msg success ok error errors errorcode'.split(' '),
  ...'warnings meta metadata timestamp requestid traceid path'.split(' '),
];
/** Plain names of members that describe the item itself, rather than contain another one. */
const descriptions = 'metadata meta header identity info attributes properties details'.split(' ');

/** How deep a body is searched for items: 2 finds `data.items`. */
const maxDepth = 2;
/** How many members of a body are searched for an item: envelopes have few. */
const maxCandidates = 500;
/** Least weight of a place to count as a list. */
const leastList = 2;

/** Possible names of the identifying member. */
type KnownId = Pick<IdNames, 'inPath' | 'all'>;

/** What is known about the items before a body is examined. */
interface KnownItem extends KnownId {
  /** Words for one item and for several: `pet`, `pets`. */
  readonly names: readonly string[];
  /** Pointers of the item schemas in other bodies. */
  readonly pointers: Set<string>;
  /** The pointer of the item schema in the list; undefined if there is none. */
  listed?: string | undefined;
  /** Names of the members of the first of them. */
  members: readonly string[];
}

/**
 * Finds the items of a collection in the success responses of operations, by role. GET of an item
 * goes first, because one view helps to find the next.
 */
export function findViews(
  collection: {
    path: string;
    isSingle: boolean;
    showing: readonly Operation[];
    idParameter: Parameter | undefined;
  },
  roles: ReadonlyMap<Operation, string>,
  { inPath, sure, all }: IdNames,
): ReadonlyMap<Operation, ItemView> {
  const { path, isSingle, showing, idParameter } = collection;
  const names = singularNames(path);
  const known: KnownItem = { names, inPath, all, pointers: new Set(), members: [] };
  const list = [...roles.keys()].find((operation) => roles.get(operation) === 'list');
  const { place = [], item } = (list && findView(successContent(list), true, known)) ?? {};
  const isError = responseMembers.includes(plainName(place.at(-1) ?? ''));
  known.listed = isError ? undefined : item?.pointer;
  const views = new Map<Operation, ItemView>();
  for (const operation of new Set([...showing, ...roles.keys()])) {
    const view = findView(successContent(operation), roles.get(operation) === 'list', known);
    if (view === undefined || (isSingle && view.isList)) continue;
    views.set(operation, view);
    if (!showing.includes(operation)) continue;
    known.pointers.add(view.item.pointer);
    if (known.members.length === 0) known.members = [...membersOf(view.item).keys()];
  }
  // If one view has an id, `name` and the like are ordinary members in all views; so they are if
  // the first view lacks them, such as the token that only the creation of a bot shows, or if they
  // are texts and the path has numbers.
  const isId = ({ idPlace }: ItemView): boolean => {
    const name = plainName(idPlace?.at(-1) ?? '');
    return sure.includes(name) || name.endsWith('id');
  };
  const hasId = [...views.values()].some(isId);
  const areNumbers = idParameter?.schema.shape().types.includes('string') === false;
  for (const [operation, view] of views) {
    if (isId(view)) continue;
    const isCommon = known.members.length === 0 || known.members.includes(view.idPlace?.[0] ?? '');
    const isText =
      areNumbers &&
      schemaAt(view.item, view.idPlace ?? [])
        ?.shape()
        .types.join() === 'string';
    const alike = findAlike(view.item, idParameter);
    if (alike !== undefined || hasId || !isCommon || isText)
      views.set(operation, { ...view, idPlace: alike });
  }
  return views;
}

/** Where a body has the item or the list of items; undefined if it has none. */
function findView(
  content: MediaType | undefined,
  wantsList: boolean,
  known: KnownItem,
): ItemView | undefined {
  const schema = content && describingSchema(content);
  if (content === undefined || schema === undefined) return undefined;
  const all = [...findCandidates(schema, known)];
  // A body without an id contains the item: a member with the schema of the list's items.
  const { listed = schema.pointer } = known;
  const isAround = !wantsList && findIdPlace(schema, known) === undefined;
  const isMet = isAround && listed !== schema.pointer;
  const met = isMet ? { ...known, pointers: known.pointers.union(new Set([listed])) } : known;
  const [best] = all
    .map((candidate) => ({ ...candidate, weight: weigh(candidate, wantsList, met) }))
    .toSorted((one, other) => other.weight - one.weight);
  if (best === undefined || (wantsList && best.weight < leastList)) return undefined;
  const { place, isList, item } = best;
  const isRival = (one: Candidate): boolean =>
    one.isList === isList &&
    one.item.pointer === item.pointer &&
    place.some((name, at) => one.place[at] !== name);
  return {
    content,
    body: content.schema ?? schema,
    place,
    isList,
    item,
    isSure: best.isSure && schema === content.schema && !all.some(isRival),
    idPlace: findIdPlace(item, known),
  };
}

/** The places in a body that may be an item or a list of items; `at`: the schema at a place in it. */
function* findCandidates(
  at: SchemaNode,
  known: KnownItem,
  place: readonly string[] = [],
  isSure = true,
  isOnly = false,
): Generator<Candidate> {
  const isWhole = place.length === 0;
  const { types, items: ownItems, properties } = at.shape();
  const isArray = types.every((one) => one === 'array' || (one === 'null' && !isWhole));
  const isObject =
    types.includes('object') && (!isWhole || types.length === 1 || types.length === 7);
  const items = itemsOf(at);
  const members = membersOf(at);
  const isDescribed = isArray && items === ownItems && (items?.shape().properties.size ?? 0) > 0;
  if (items !== undefined)
    yield { place, isList: true, item: items, isSure: isSure && isDescribed, isOnly };
  if (members.size > 0 || (isWhole && items === undefined))
    yield { place, isList: false, item: at, isSure, isOnly };
  const { name, held, isOpen = false } = (isWhole && holderOf(at)) || {};
  if (name !== undefined && held !== undefined && isOpen)
    for (const isList of [true, false])
      yield { place: [name], isList, item: held, isSure: false, isOnly: false };
  for (const name of place.length < maxDepth ? members.keys().take(maxCandidates) : []) {
    const plain = plainName(name);
    const isNamed = known.names.includes(plain) && findIdPlace(at, known) === undefined;
    const inner =
      isWhole || listWrappers.includes(plain) || isNamed ? members.get(name) : undefined;
    const isAlone = isWhole && members.size === 1;
    const isThere = isSure && isObject && properties.get(name) === inner;
    if (inner !== undefined)
      yield* findCandidates(inner, known, [...place, name], isThere, isAlone);
  }
}

/** How likely a place is the one wanted: above 0 for an item, from `leastList` on for a list. */
function weigh(
  { place, isList, item, isOnly }: Candidate,
  wantsList: boolean,
  known: KnownItem,
): number {
  const isWhole = place.length === 0;
  if (wantsList && !isList) return -Infinity;
  const isNested = (findIdPlace(item, known)?.length ?? 0) > 1;
  if (!wantsList && isWhole && !isNested && holderOf(item) !== undefined) return 0;
  const name = plainName(place.at(-1) ?? '');
  const isKnown = known.pointers.has(item.pointer);
  const own = membersOf(item);
  const shared = known.members.filter((member) => own.has(member)).length;
  const factor = wantsList ? 1 : 2;
  let weight = wantsList ? (own.size > 0 ? 1.5 : -0.5) : isList ? -2.5 : 0;
  if (isWhole) weight += wantsList ? 4 : 1.5;
  else if (known.names.includes(name)) weight += wantsList ? 4 : 2.5;
  else if (wantsList) weight += listWrappers.includes(name) ? 3 : 0;
  else weight += wrappers.includes(name) ? 1.5 : isKnown || isOnly ? 0.5 : -3;
  if (isKnown) weight += 4;
  if (shared > 0) weight += (3 * shared) / known.members.length;
  if (findIdPlace(item, known) !== undefined) weight += factor;
  return place.length > 1 ? weight - factor : weight;
}

/**
 * The schema of a content; if it describes neither members nor items, inferred from the examples.
 */
function describingSchema({ schema, examples }: MediaType): SchemaNode | undefined {
  if (schema !== undefined && (membersOf(schema).size > 0 || itemsOf(schema) !== undefined))
    return schema;
  const [first] = examples;
  if (first === undefined) return schema;
  return schemaOfExamples(
    first.pointer,
    examples.map(({ value }) => value),
  );
}

/**
 * Where the id of an item is: in the member that the path parameter is named after, possibly in an
 * object that describes the item (`metadata.name`); else in a member with a usual id name.
 */
export function findIdPlace(item: SchemaNode, { inPath, all }: KnownId): MemberPlace | undefined {
  const own = nameAmong(scalarsOf(item), inPath);
  if (own !== undefined) return [own];
  const members = membersOf(item);
  for (const holder of members.keys()) {
    const member = descriptions.includes(plainName(holder)) ? members.get(holder) : undefined;
    const inner = member && nameAmong(scalarsOf(member), inPath);
    if (inner !== undefined) return [holder, inner];
  }
  const other = nameAmong(scalarsOf(item), all);
  return other === undefined ? undefined : [other];
}

/** The only required member that has the schema of a path parameter. */
export function findAlike(
  item: SchemaNode,
  parameter: Parameter | undefined,
): MemberPlace | undefined {
  const { properties, required } = item.shape();
  const [alike, ...others] = [...properties].filter(
    ([name, { pointer }]) => required.has(name) && pointer === parameter?.schema.pointer,
  );
  return alike === undefined || others.length > 0 ? undefined : [alike[0]];
}

/** The members that may identify an item, by their plain names. */
const scalarsOf = once((item: SchemaNode) => {
  const members = membersOf(item);
  return byPlainName(members.keys().filter((name) => isScalar(members.get(name))));
});

function isScalar(node: SchemaNode | undefined, depth = 0): boolean {
  const { types = [], alternatives = [] } = node?.shape() ?? {};
  if (!types.some((type) => ['string', 'integer', 'number'].includes(type))) return false;
  if (alternatives.length === 0 || depth > maxUnions) return true;
  return alternatives.some((one) => isScalar(one, depth + 1));
}

/**
 * The payload member of an envelope, if all its other members describe the response. `isOpen`: it
 * may contain anything, in an envelope shared by all responses: `{code, message, data: {}}`.
 */
function holderOf(schema: SchemaNode) {
  const members = [...membersOf(schema)];
  const others = members.filter(([name]) => !responseMembers.includes(plainName(name)));
  const [[name, held] = []] = others;
  if (name === undefined || held === undefined || others.length > 1) return undefined;
  const isShared = members.some(([one]) =>
    /^(?:code|status|statuscode|success)$/.test(plainName(one)),
  );
  const isOpen = isShared && !holdsItems(held) && isBare(held);
  const isHolder = wrappers.includes(plainName(name)) && (isOpen || holdsItems(held));
  return isHolder ? { name, held, isOpen } : undefined;
}

/** How deep unions within unions are followed. */
const maxUnions = 4;

/** The possible members of objects of a schema, including those of a union's alternatives. */
export function membersOf(node: SchemaNode, depth = 0): ReadonlyMap<string, SchemaNode> {
  const { properties, alternatives } = node.shape();
  if (alternatives.length === 0 || depth > maxUnions) return properties;
  const members = new Map(properties);
  for (const alternative of alternatives)
    for (const [name, member] of membersOf(alternative, depth + 1))
      if (!members.has(name)) members.set(name, member);
  return members;
}

/** The schema of a nested member; undefined if it is not described. */
export function schemaAt(
  node: SchemaNode | undefined,
  place: readonly string[],
): SchemaNode | undefined {
  return place.reduce(
    (found, name) => (found === undefined ? undefined : membersOf(found).get(name)),
    node,
  );
}

/** The items of an array schema; undefined if it is not an array. */
function itemsOf(node: SchemaNode, depth = 0): SchemaNode | undefined {
  const { items, types, alternatives } = node.shape();
  if (items !== undefined) return types.includes('array') ? items : undefined;
  if (depth > maxUnions) return undefined;
  return alternatives
    .map((alternative) => itemsOf(alternative, depth + 1))
    .find((found) => found !== undefined);
}

/** Where the item is in a request body: the whole body, or one member of it. */
export function findSentPlace(
  { requestBody }: Operation,
  path: string,
  view: ItemView | undefined,
): readonly string[] {
  const all = requestBody?.content ?? [];
  const content = jsonContent(all);
  const schema =
    (content && describingSchema(content)) ?? all.find((one) => one.schema !== undefined)?.schema;
  const members = schema === undefined ? [] : [...membersOf(schema)];
  if (members.length > 3) return [];
  const names = [...singularNames(path), ...sentWrappers];
  const own = view && membersOf(view.item);
  const wrapper = members.find(([name, member]) => {
    const isShown = name === view?.place[0];
    // An item in the response may be sent without a description in the request.
    if (!holdsItems(member)) return isShown && isBare(member);
    return isShown || (names.includes(plainName(name)) && own?.has(name) !== true);
  });
  return wrapper === undefined ? [] : [wrapper[0]];
}

const sentWrappers = 'data item object payload resource body attributes'.split(' ');

/** The schema says nothing about its content. */
function isBare(member: SchemaNode): boolean {
  return member.shape().types.includes('object') && itemsOf(member) === undefined;
}

function holdsItems(member: SchemaNode): boolean {
  return membersOf(itemsOf(member) ?? member).size > 0;
}
