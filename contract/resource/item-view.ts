import { addAll } from '../list/list.ts';
import { jsonContent, type MediaType } from '../openapi/media-type.ts';
import { successContent } from '../openapi/response.ts';
import type { Operation } from '../openapi/operation.ts';
import { schemaOfExamples } from '../schema/example-schema.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import {
  memberNamed,
  namesInParameter,
  parameterAtEnd,
  plainName,
  singularNames,
  sureIdNames,
} from './names.ts';
import type { InferredResource, InferredRole, ItemView } from './resource.ts';

/** What is known of the items before a body is looked at. */
interface KnownItem {
  /** Words for one item and for several: `pet`, `pets`. */
  readonly names: readonly string[];
  readonly idNames: IdNames;
  /** Pointers of schemas that items have elsewhere. */
  readonly pointers: Set<string>;
  /** Names of members that items have elsewhere. */
  readonly members: Set<string>;
}

interface Candidate {
  readonly place: readonly string[];
  readonly isList: boolean;
  readonly item: SchemaNode;
  /** The schema before its array is opened. */
  readonly at: SchemaNode;
  /** It is in the only member of the body. */
  readonly isOnly: boolean;
}

/** Names of members that hold an item, plain. */
const wrappers = 'data result response payload item object body resource'.split(' ');
/** Names of members that hold an item or an array of items, plain. */
const listWrappers = [
  ...wrappers,
  ...'items results values value records entries list content rows elements objects'.split(' '),
  ...'hits docs resources collection embedded nodes'.split(' '),
];
/** Names of members that describe a response, and not an item, plain. */
const responseMembers = [
  ...'code status statuscode message msg success ok error errors errorcode meta'.split(' '),
  ...'warnings timestamp requestid traceid path'.split(' '),
];

const mostDepth = 2;
/** A body where no place weighs as much shows no list. */
const leastList = 2;

/**
 * Where the success responses of operations show items: first that of GET of an item, since one view
 * helps to find the next. `idProperty`: the member that the document says names an item.
 */
export function findViews(
  { path, itemPath, isSingle, idNames: all, showing }: InferredResource,
  roles: ReadonlyMap<Operation, InferredRole>,
  idProperty: string | undefined,
): ReadonlyMap<Operation, ItemView> {
  const parameter = parameterAtEnd(itemPath);
  const names = singularNames(path);
  const given = idProperty === undefined ? [] : [plainName(idProperty)];
  const inPath = [...given, ...(parameter === undefined ? [] : namesInParameter(parameter, names))];
  const known: KnownItem = {
    names,
    idNames: { all, inPath },
    pointers: new Set(),
    members: new Set(),
  };
  const views = new Map<Operation, ItemView>();
  for (const operation of new Set([...showing, ...roles.keys()])) {
    const view = findView(successContent(operation), roles.get(operation) === 'list', known);
    if (view === undefined || (isSingle && view.isList)) continue;
    views.set(operation, view);
    if (!showing.includes(operation)) continue;
    known.pointers.add(view.item.pointer);
    if (known.members.size === 0)
      for (const name of membersOf(view.item).keys()) known.members.add(name);
  }
  // Where one view names items by an id, `name` and the like are members as others in all views.
  const sure = sureIdNames(path, parameter);
  const isId = ({ idPlace = [] }: ItemView): boolean => {
    const name = plainName(idPlace.at(-1) ?? '');
    return sure.includes(name) || name.endsWith('id');
  };
  if ([...views.values()].some(isId))
    for (const [operation, view] of views)
      if (!isId(view)) views.set(operation, { ...view, idPlace: undefined });
  return views;
}

/** Where an item, or the list of items, is in a body; undefined where it shows none. */
function findView(
  content: MediaType | undefined,
  wantsList: boolean,
  known: KnownItem,
): ItemView | undefined {
  const schema = content && describingSchema(content);
  if (content === undefined || schema === undefined) return undefined;
  const [best] = listCandidates(schema)
    .map((candidate) => ({ ...candidate, weight: weigh(candidate, wantsList, known) }))
    .toSorted((one, other) => other.weight - one.weight);
  if (best === undefined || (wantsList && best.weight < leastList)) return undefined;
  const { place, isList, item } = best;
  const { name, mediaType, itemSchema, examples, pointer } = content;
  const described = { name, mediaType, schema, itemSchema, examples, pointer };
  return {
    content: content.schema === undefined ? described : content,
    place,
    isList,
    item,
    idPlace: findIdPlace(item, known.idNames),
  };
}

/** The schema of a content; where it says nothing of members or items, what the examples show. */
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

/** Names of members that may name an item, likeliest first, without case and punctuation. */
interface IdNames {
  readonly all: readonly string[];
  /** Those that the path parameter of an item gives: `petId`, `id`. */
  readonly inPath: readonly string[];
}

/** Names of members that say what an item is, and hold no other one, plain. */
const descriptions = 'metadata meta header identity info attributes properties details'.split(' ');

/**
 * Where the id of an item is: in the member that the path parameter is named after, be it in an object
 * that describes the item (`metadata.name`); else in one with another name of ids.
 */
export function findIdPlace(
  item: SchemaNode,
  { all, inPath }: IdNames,
): readonly string[] | undefined {
  const own = scalarNamed(item, inPath);
  if (own !== undefined) return [own];
  const members = membersOf(item);
  for (const holder of members.keys()) {
    const member = descriptions.includes(plainName(holder)) ? members.get(holder) : undefined;
    const inner = member && scalarNamed(member, inPath);
    if (inner !== undefined) return [holder, inner];
  }
  const other = scalarNamed(item, all);
  return other === undefined ? undefined : [other];
}

/** The member of a scalar type that has the first of the names. */
function scalarNamed(item: SchemaNode, names: readonly string[]): string | undefined {
  const members = membersOf(item);
  const named = [...members.keys()].filter((name) => names.includes(plainName(name)));
  return memberNamed(
    named.filter((name) => isScalar(members.get(name))),
    names,
  );
}

function isScalar(node: SchemaNode | undefined, depth = 0): boolean {
  if (node === undefined) return false;
  const { types, alternatives } = node.shape();
  if (types.length < 7)
    return types.some((type) => type === 'string' || type === 'integer' || type === 'number');
  return (
    alternatives.length === 0 ||
    (depth < mostDepth && alternatives.some((alternative) => isScalar(alternative, depth + 1)))
  );
}

/** Members of a body that are looked into for an item: an envelope has few. */
const mostCandidates = 500;

function listCandidates(
  node: SchemaNode,
  place: readonly string[] = [],
  isOnly = false,
): readonly Candidate[] {
  const depth = place.length;
  const items = itemsOf(node);
  const members = membersOf(node);
  const found: Candidate[] = [];
  if (items !== undefined) found.push({ place, isList: true, item: items, at: node, isOnly });
  if (members.size > 0 || (depth === 0 && items === undefined))
    found.push({ place, isList: false, item: node, at: node, isOnly });
  const open = depth === 0 ? openHolder(node) : undefined;
  if (open !== undefined)
    for (const isList of [true, false])
      found.push({ place: [open[0]], isList, item: open[1], at: open[1], isOnly });
  for (const name of depth < mostDepth ? members.keys().take(mostCandidates) : []) {
    const isLooked = depth === 0 || listWrappers.includes(plainName(name));
    const member = isLooked ? members.get(name) : undefined;
    const isOnlyMember = depth === 0 && members.size === 1;
    if (member !== undefined) addAll(found, listCandidates(member, [...place, name], isOnlyMember));
  }
  return found;
}

/** How likely a place holds what is wanted: more than 0 for an item, `leastList` for a list. */
function weigh(
  { place, isList, item, at, isOnly }: Candidate,
  wantsList: boolean,
  { names, idNames, pointers, members }: KnownItem,
): number {
  const isWhole = place.length === 0;
  if (wantsList ? !isList : isWhole && isEnvelope(item)) return wantsList ? -Infinity : 0;
  const name = plainName(place.at(-1) ?? '');
  const isKnown = pointers.has(item.pointer) || pointers.has(at.pointer);
  const own = membersOf(item);
  const shared = [...members].filter((member) => own.has(member)).length;
  const factor = wantsList ? 1 : 2;
  let weight = wantsList ? (own.size > 0 ? 1.5 : -0.5) : isList ? -2.5 : 0;
  if (isWhole) weight += wantsList ? 4 : 1.5;
  else if (names.includes(name)) weight += wantsList ? 4 : 2.5;
  else if (wantsList) weight += listWrappers.includes(name) ? 3 : 0;
  else weight += wrappers.includes(name) ? 1.5 : isKnown || isOnly ? 0.5 : -3;
  if (isKnown) weight += 4;
  if (shared > 0) weight += (3 * shared) / members.size;
  if (findIdPlace(item, idNames) !== undefined) weight += factor;
  if (place.length > 1) weight -= factor;
  return weight;
}

/** One member holds something, and all others describe the response. */
function isEnvelope(schema: SchemaNode): boolean {
  const holder = holderOf(schema);
  return holder !== undefined && (holdsItems(holder[1]) || openHolder(schema) !== undefined);
}

function holderOf(schema: SchemaNode): readonly [string, SchemaNode] | undefined {
  const members = [...membersOf(schema)];
  const [holder, ...others] = members.filter(
    ([name]) => !responseMembers.includes(plainName(name)),
  );
  const isOnly = holder !== undefined && others.length === 0 && members.length > 1;
  return isOnly && wrappers.includes(plainName(holder[0])) ? holder : undefined;
}

/** The member that holds anything, in an envelope that all responses share: `{code, message, data: {}}`. */
function openHolder(schema: SchemaNode): readonly [string, SchemaNode] | undefined {
  const holder = holderOf(schema);
  const isShared = [...membersOf(schema).keys()].some((name) =>
    ['code', 'status', 'statuscode', 'success'].includes(plainName(name)),
  );
  return holder && isShared && !holdsItems(holder[1]) && isBare(holder[1]) ? holder : undefined;
}

/** Unions within unions are followed to this depth. */
const mostUnions = 4;

/** The members that objects of a schema may have, those of the alternatives of a union too. */
export function membersOf(node: SchemaNode, depth = 0): ReadonlyMap<string, SchemaNode> {
  const { properties, alternatives } = node.shape();
  if (alternatives.length === 0 || depth > mostUnions) return properties;
  const members = new Map(properties);
  for (const alternative of alternatives)
    for (const [name, member] of membersOf(alternative, depth + 1))
      if (!members.has(name)) members.set(name, member);
  return members;
}

/** The schema of a member at a place within objects; undefined where none is described. */
export function schemaAt(
  node: SchemaNode | undefined,
  place: readonly string[],
): SchemaNode | undefined {
  return place.reduce(
    (found, name) => (found === undefined ? undefined : membersOf(found).get(name)),
    node,
  );
}

/** What the items of an array of this schema are; undefined where it is not an array. */
function itemsOf(node: SchemaNode, depth = 0): SchemaNode | undefined {
  const { items, types, alternatives } = node.shape();
  if (items !== undefined) return types.includes('array') ? items : undefined;
  if (depth > mostUnions) return undefined;
  return alternatives
    .map((alternative) => itemsOf(alternative, depth + 1))
    .find((found) => found !== undefined);
}

/** Where the item is in what a client sends: in the whole body, or in one member of it. */
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
  const wrapper = members.find(([name, member]) => {
    // What shows an item in the response may be sent without a description.
    const isShown = name === view?.place[0];
    return (
      (names.includes(plainName(name)) && holdsItems(member)) ||
      (isShown && (holdsItems(member) || isBare(member)))
    );
  });
  return wrapper === undefined ? [] : [wrapper[0]];
}

const sentWrappers = 'data item object payload resource body attributes'.split(' ');

/** Nothing is said of what it holds. */
function isBare(member: SchemaNode): boolean {
  return member.shape().types.includes('object') && itemsOf(member) === undefined;
}

function holdsItems(member: SchemaNode): boolean {
  return membersOf(itemsOf(member) ?? member).size > 0;
}

/** One item of an operation whose body is an array of objects. */
export function listedItem(list: Operation): SchemaNode | undefined {
  const { types = [], items } = successContent(list)?.schema?.shape() ?? {};
  const isArray = types.length === 1 && types[0] === 'array';
  return isArray && items !== undefined && items.shape().properties.size > 0 ? items : undefined;
}
