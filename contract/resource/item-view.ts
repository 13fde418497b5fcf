import { jsonContent, type MediaType } from '../openapi/media-type.ts';
import type { Operation } from '../openapi/operation.ts';
import { successResponse } from '../openapi/response.ts';
import { schemaOfExamples } from '../schema/example-schema.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import { lastWord, memberNamed, plainName, singularNames } from './names.ts';
import type { InferredResource, ItemView } from './resource.ts';

/** What is known of the items before a body is looked at. */
export interface KnownItem {
  /** Path's words for one item: `pet`. */
  readonly singulars: readonly string[];
  /** The path's word for several: `pets`. */
  readonly plural: string;
  readonly idNames: readonly string[];
  /** Pointers of schemas that items have elsewhere. */
  readonly pointers: ReadonlySet<string>;
  /** Names of members that items have elsewhere. */
  readonly members: ReadonlySet<string>;
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

/** Names of members that hold an item, or an array of items, plain. */
const wrappers = ['data', 'result', 'response', 'payload', 'item', 'object', 'body', 'resource'];
const listWrappers = [
  ...wrappers,
  ...'items results values value records entries list content rows elements objects'.split(' '),
  ...'hits docs resources collection embedded nodes'.split(' '),
];

/** Names of members that tell of a response, and not of an item. */
const tellers = new Set(
  `code status statuscode message msg success ok error errors errorcode meta warnings timestamp
  requestid traceid path`.split(/\s+/),
);

const mostDepth = 2;
/** A body where no place weighs as much shows no list. */
const leastList = 2;

/** Where an item, or the list of items, is in a body; undefined where it shows none. */
export function findView(
  content: MediaType | undefined,
  wants: 'item' | 'list',
  known: KnownItem,
): ItemView | undefined {
  const schema = content && describingSchema(content);
  if (content === undefined || schema === undefined) return undefined;
  const weigh = wants === 'list' ? weighList : weighItem;
  const weighed = listCandidates(schema, [], false)
    .map((candidate) => ({ candidate, weight: weigh(candidate, known) }))
    .toSorted((a, b) => b.weight - a.weight);
  const [best] = weighed;
  if (best === undefined || (wants === 'list' && best.weight < leastList)) return undefined;
  const { place, isList, item } = best.candidate;
  return {
    content: content.schema === undefined ? withSchema(content, schema) : content,
    place,
    isList,
    item,
    idMember: idMemberOf(item, known),
  };
}

/** The schema of a content; where it says nothing of members or items, what the examples show. */
function describingSchema({ schema, examples }: MediaType): SchemaNode | undefined {
  const [first] = examples;
  const saysSomething =
    schema !== undefined && (membersOf(schema).size > 0 || itemsOf(schema) !== undefined);
  return saysSomething || first === undefined
    ? schema
    : schemaOfExamples(
        first.pointer,
        examples.map(({ value }) => value),
      );
}

function withSchema(content: MediaType, schema: SchemaNode): MediaType {
  const { name, mediaType, itemSchema, examples, pointer } = content;
  return { name, mediaType, schema, itemSchema, examples, pointer };
}

/** The member that names an item: of a scalar type, by its name. */
export function idMemberOf(item: SchemaNode, { idNames }: KnownItem): string | undefined {
  const scalars = [...membersOf(item)].filter(([, member]) => isScalar(member));
  return memberNamed(
    scalars.map(([name]) => name),
    idNames,
  );
}

function isScalar(node: SchemaNode, depth = 0): boolean {
  const { types, alternatives } = node.shape();
  if (types.length < 7)
    return types.some((type) => type === 'string' || type === 'integer' || type === 'number');
  return (
    alternatives.length === 0 ||
    (depth < mostDepth && alternatives.some((alternative) => isScalar(alternative, depth + 1)))
  );
}

function listCandidates(
  node: SchemaNode,
  place: readonly string[],
  isOnly: boolean,
): readonly Candidate[] {
  const depth = place.length;
  const items = itemsOf(node);
  const list = items === undefined ? [] : [{ place, isList: true, item: items, at: node, isOnly }];
  const members = membersOf(node);
  const own =
    members.size > 0 || (depth === 0 && items === undefined)
      ? [{ place, isList: false, item: node, at: node, isOnly }]
      : [];
  if (depth >= mostDepth) return [...list, ...own];
  const nested = [...members].flatMap(([name, member]) =>
    depth === 0 || isWrapper(name)
      ? listCandidates(member, [...place, name], depth === 0 && members.size === 1)
      : [],
  );
  return [...list, ...own, ...nested];
}

function isWrapper(name: string): boolean {
  return listWrappers.includes(plainName(name));
}

function weighItem({ place, isList, item, at, isOnly }: Candidate, known: KnownItem): number {
  const name = plainName(place.at(-1) ?? '');
  const isNamed = known.singulars.includes(name) || (isList && name === known.plural);
  const isWrapped = wrappers.includes(name);
  const isKnown = isKnownItem(item, at, known);
  if (place.length === 0 && isEnvelope(item)) return 0;
  const standing =
    place.length === 0 ? 1.5 : isNamed ? 2.5 : isWrapped ? 1.5 : isKnown || isOnly ? 0.5 : -3;
  return (
    standing +
    (isList ? -2.5 : 0) +
    (isKnown ? 4 : 0) +
    (idMemberOf(item, known) === undefined ? 0 : 2) +
    3 * sharedPart(item, known) -
    (place.length > 1 ? 2 : 0)
  );
}

/** One member holds something, and all others tell of the response. */
function isEnvelope(schema: SchemaNode): boolean {
  const members = [...membersOf(schema)];
  const others = members.filter(([name]) => !tellers.has(plainName(name)));
  const [[name, member] = []] = others;
  const isHolder = name !== undefined && wrappers.includes(plainName(name)) && holdsItems(member);
  return others.length === 1 && members.length > 1 && isHolder;
}

function weighList({ place, isList, item, at }: Candidate, known: KnownItem): number {
  if (!isList) return Number.NEGATIVE_INFINITY;
  const name = plainName(place.at(-1) ?? '');
  const isNamed = name === known.plural || known.singulars.includes(name);
  const standing = place.length === 0 ? 4 : isNamed ? 4 : isWrapper(name) ? 3 : 0;
  return (
    standing +
    (isKnownItem(item, at, known) ? 4 : 0) +
    (membersOf(item).size > 0 ? 1.5 : -0.5) +
    (idMemberOf(item, known) === undefined ? 0 : 1) +
    3 * sharedPart(item, known) -
    (place.length > 1 ? 1 : 0)
  );
}

function isKnownItem(item: SchemaNode, at: SchemaNode, { pointers }: KnownItem): boolean {
  return pointers.has(item.pointer) || pointers.has(at.pointer);
}

/** How many of the known members a schema has, from 0 to 1. */
function sharedPart(item: SchemaNode, { members }: KnownItem): number {
  if (members.size === 0) return 0;
  const own = membersOf(item);
  return [...members].filter((name) => own.has(name)).length / members.size;
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

/** What the items of an array of this schema are; undefined where it is not an array. */
export function itemsOf(node: SchemaNode, depth = 0): SchemaNode | undefined {
  const { items, types, alternatives } = node.shape();
  if (items !== undefined) return types.includes('array') ? items : undefined;
  if (depth > mostUnions) return undefined;
  return alternatives
    .map((alternative) => itemsOf(alternative, depth + 1))
    .find((found) => found !== undefined);
}

const sentWrappers = new Set([
  'data',
  'item',
  'object',
  'payload',
  'resource',
  'body',
  'attributes',
]);

/** Where the item is in what a client sends: in the whole body, or in one member of it. */
export function findSentPlace(operation: Operation, resource: InferredResource): readonly string[] {
  const all = operation.requestBody?.content ?? [];
  const content = jsonContent(all);
  const schema =
    (content && describingSchema(content)) ?? all.find((one) => one.schema !== undefined)?.schema;
  if (schema === undefined) return [];
  const members = membersOf(schema);
  const names = new Set([...singularNames(resource.path), plainName(lastWord(resource.path))]);
  const place = resource.success(operation).view?.place[0];
  const wrapper = [...members.keys()].find((name) => {
    const plain = plainName(name);
    const isWrapper = names.has(plain) || sentWrappers.has(plain) || name === place;
    const member = members.get(name);
    return (
      isWrapper && members.size <= 3 && (holdsItems(member) || (name === place && isBare(member)))
    );
  });
  return wrapper === undefined ? [] : [wrapper];
}

/** Nothing is said of what it holds. */
function isBare(member: SchemaNode | undefined): boolean {
  return (
    member !== undefined &&
    member.shape().types.includes('object') &&
    membersOf(member).size === 0 &&
    itemsOf(member) === undefined
  );
}

function holdsItems(member: SchemaNode | undefined): boolean {
  if (member === undefined) return false;
  return membersOf(itemsOf(member) ?? member).size > 0;
}

/** One item of an operation whose body is an array of objects. */
export function listedItem(list: Operation): SchemaNode | undefined {
  const { types = [], items } = successSchema(list)?.shape() ?? {};
  const isArray = types.length === 1 && types[0] === 'array';
  return isArray && items !== undefined && items.shape().properties.size > 0 ? items : undefined;
}

/** The JSON schema of the response to a valid request. */
export function successSchema(operation: Operation): SchemaNode | undefined {
  return jsonContent(successResponse(operation)?.content ?? [])?.schema;
}
