import {
  isJsonArray,
  isJsonObject,
  isNumeric,
  jsonEquals,
  ownMember,
  type JsonObject,
  type JsonValue,
} from '../../../contract/json/value.ts';
import { parsePointer, renderPointer } from '../../../contract/json/pointer.ts';
import type { Contract } from '../../../contract/contract.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { isOfType } from '../../../contract/schema/keyword/value.ts';
import type { SchemaNode, Shape } from '../../../contract/schema/schema-node.ts';
import {
  type Resource,
  sentSchema,
  sentSchemas,
  shownSchema,
} from '../../../contract/resource/resource.ts';
import { plainName } from '../../../contract/resource/names.ts';
import { once } from '../../../contract/memo/once.ts';
import { holdsCut, isCut, redactedKey } from '../../transport/cut.ts';
import { idIn, itemOf, renderPlain, type Reading } from './trace.ts';

/** An item from a response, without its malformed members, which other requirements judge. */
export interface Item {
  readonly id: string;
  readonly at: string;
  /** The members that match their schema, including the identifier. */
  readonly members: JsonObject;
  /** The item is well-formed, so a missing member was really left out. */
  readonly valid: boolean;
}

/**
 * Reads an item; undefined if it is not an object or its identifier cannot be read.
 * @param schema of the item in this response
 * @param isRight the item is known to be well-formed, and the key was not cut from it
 */
export function readItem(
  value: JsonValue | undefined,
  resource: Resource,
  schema: SchemaNode,
  at = '',
  isRight = false,
): Item | undefined {
  if (!isJsonObject(value)) return undefined;
  const id = idIn(value, resource);
  if (isRight && id !== undefined) return { id: renderPlain(id), at, members: value, valid: true };
  const malformed = malformedMembers(value, schema);
  const cut = cutMembers(value);
  const unread = malformed.union(cut);
  if (id === undefined || unread.has(resource.idPlace[0]) || malformed.has('')) return undefined;
  const valid = unread.size === 0;
  const members = valid
    ? value
    : Object.fromEntries(Object.entries(value).filter(([name]) => !unread.has(name)));
  return { id: renderPlain(id), at, members, valid };
}

/** JSON pointer to a member of an item, whether or not the item has it. */
export function memberPlace({ at }: Item, ...names: readonly string[]): string {
  return at + renderPointer(names);
}

export function shownItem(reading: Reading, resource: Resource): Item | undefined {
  const item = itemOf(reading);
  if (item === undefined) return undefined;
  const schema = shownSchema(resource, reading.operation);
  return readItem(item, resource, schema, renderPointer(reading.place), isRight(reading, schema));
}

/** Whether the items of a response match their schema, and the key was not cut from the body. */
export function isRight(reading: Reading, item: SchemaNode): boolean {
  return !reading.response.body.includes(redactedKey) && reading.fits(item);
}

/** Names of the members that contained the key in their value or in their name. */
function cutMembers(item: JsonObject): ReadonlySet<string> {
  const cut = Object.entries(item).filter(([name, value]) => isCut(name) || holdsCut(value));
  return cut.length === 0 ? none : new Set(cut.map(([name]) => name));
}

/** Names of the members that responses can show, except the one with the identifier. */
export const memberNames = once(({ idPlace, item }: Resource): readonly string[] =>
  [...item.shape().properties].flatMap(([name, member]) =>
    name === idPlace[0] || member.shape().writeOnly ? [] : [name],
  ),
);

/** Those of `memberNames` that an operation's responses show in the same form as the item. */
export const shownNames = once((resource: Resource) =>
  once((operation: Operation): ReadonlySet<string> => {
    const shown = resource.shown.get(operation.id)?.item.shape().properties;
    return new Set(
      memberNames(resource).filter((name) => {
        const [one, other] = [memberSchema(resource, name), shown?.get(name)];
        return one !== undefined && other !== undefined && isAlike(one, other);
      }),
    );
  }),
);

/** Members that clients can set and responses show. The service may change all others. */
export const settableNames = once((resource: Resource): ReadonlySet<string> => {
  const { item } = resource;
  const sent = sentMembers(resource);
  const isSent = (name: string): boolean =>
    sent.some((properties) => properties.has(name) && !isOneWay(properties.get(name)));
  const shown = [...item.shape().properties].filter(
    ([name, member]) => !isOneWay(member) && isSent(name),
  );
  return new Set(shown.map(([name]) => name));
});

/** The members of the items in requests, by operation and media type. */
function sentMembers(resource: Resource): readonly Shape['properties'][] {
  const { create, replace, update } = resource;
  return [create, replace, update].flatMap((operation) =>
    sentSchemas([resource], operation).map((schema) => schema.shape().properties),
  );
}

/**
 * The members that no request can set, such as a view counter, which the service may change at any
 * time. Empty if the document lists its open questions, because it leaves nothing else open.
 */
export function ownMembers({ openQuestions }: Contract, resource: Resource): ReadonlySet<string> {
  if (openQuestions.length > 0) return none;
  return new Set(memberNames(resource)).difference(settableNames(resource));
}

/** Names of members that do not match their schema; the empty name if the whole item does not. */
function malformedMembers(item: JsonObject, schema: SchemaNode): ReadonlySet<string> {
  const issues = schema.validate(item);
  return issues.length === 0 ? none : new Set(issues.map(({ at }) => parsePointer(at)[0] ?? ''));
}

const none: ReadonlySet<string> = new Set();

/**
 * Whether two values are equal or both missing; null counts as missing, because many services leave
 * it out. Values with the same meaning in the schema are equal: an instant in another time zone, a
 * URL in its normal form (RFC 3986 section 6), a decimal with other trailing zeros, a number that
 * differs beyond the precision of a double. Nested `readOnly` members may differ.
 */
export function isSame(
  one: JsonValue | undefined,
  other: JsonValue | undefined,
  node?: SchemaNode,
): boolean {
  if (one === undefined || other === undefined) return (one ?? null) === (other ?? null);
  return jsonEquals(one, other) || (node !== undefined && hasSameMeaning(one, other, node));
}

function hasSameMeaning(one: JsonValue, other: JsonValue, node: SchemaNode): boolean {
  const shape = node.shape();
  if (isJsonArray(one) && isJsonArray(other))
    return pairsUp(one, other, node, (each, its) => isSame(each, its, shape.items));
  if (isJsonObject(one) && isJsonObject(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...names].every((name) => {
      const member = memberOf(node, name);
      if (member?.shape().readOnly === true) return true;
      return isSame(ownMember(one, name), ownMember(other, name), member);
    });
  }
  if (isReworded(one, other, shape.description)) return true;
  const formats = [node, ...shape.alternatives].map((each) => formatOf(each.shape()));
  // RFC 8259 section 6: software may keep numbers as doubles; only int64 says that it must not.
  if (isNumeric(one) && isNumeric(other))
    return !formats.includes('int64') && meaningOf(one, formats) === meaningOf(other, formats);
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  const meaning = meaningOf(one, formats);
  if (!Number.isNaN(meaning) && meaning === meaningOf(other, formats)) return true;
  if (formats.some((format) => /^(?:ur[il]|iri)$/.test(format ?? '')))
    return URL.canParse(one) && URL.parse(one)?.href === URL.parse(other)?.href;
  return isCode(shape) && plainCode(one) === plainCode(other);
}

/**
 * Whether a description says how one value became another: rounded, in another case, without seconds, or
 * normalized in a way that only words can tell.
 */
function isReworded(one: JsonValue, other: JsonValue, description: string): boolean {
  const says = (words: RegExp): boolean => words.test(description);
  if (isNumeric(one) && isNumeric(other))
    return says(/\bround/i) && Math.abs(Number(one) - Number(other)) <= 1 / 2;
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  const isCased = says(/\b(?:lower|upper)[ -]?cased?\b/i);
  if (isCased && one.toLowerCase() === other.toLowerCase()) return true;
  // Nothing may be left of a text that is only punctuation.
  if (says(/normali[sz]|saniti[sz]|canonical|without (?:spaces|punctuation)|digits only/i))
    return other !== '' || !/[\p{L}\p{N}]/u.test(one);
  const isTimed = says(/\b(?:seconds?|minutes?|round\w*|precision)\b/i);
  return isTimed && Math.abs(Date.parse(one) - Date.parse(other)) < 60_000;
}

/** Whether a description of a member says that white space is removed. */
export function isTrimmed(resource: Resource, name: string): boolean {
  return [resource.item.shape().properties, ...sentMembers(resource)].some((properties) =>
    /white ?space|\btrim/i.test(properties.get(name)?.shape().description ?? ''),
  );
}

/** Formats, by their plain name, of texts that services keep in a form of their own. */
const codeFormat =
  /^(?:(?:idn)?(?:email|hostname)|(?:tele)?phone(?:number)?|tel|e164|iban|bic|(?:currency|country|language)(?:code)?|uuid|guid)$/;

/** Patterns of up to 19 letters, digits, hyphens and the like, without white space. */
const codePattern = /^\^(?:\\[dw+./-]|[\w[\](?:)|?-]|\{1?\d(?:,1?\d)?\})+\$$/;

/** Patterns of digits, which may have spaces, brackets and hyphens in between. */
const numberPattern = /^\^(?:\\[ds+.()/-]|[\d\s[\](?:)|?+*{},/-])+\$$/;

/** Patterns of numbers with one decimal point. */
const decimalPattern =
  /^\^(?:\\[d+-]|[\d[\]()|?:+*{},-])*(?:\\\.|\[\.\])(?:\\d|[\d[\]()|?:+*{},-])+\$$/;

/** The format of a value; `decimal` also for texts that spell numbers such as `12.50`. */
function formatOf({ format, pattern = '' }: Shape): string | undefined {
  return format ?? (decimalPattern.test(pattern) ? 'decimal' : undefined);
}

/**
 * Whether a text has a form of its own, such as an e-mail address, a phone number or a currency:
 * services may keep it in another case, or without spaces. Any other text must keep its letters.
 */
function isCode({ types, values, format = '', pattern = '' }: Shape): boolean {
  const hasForm =
    codeFormat.test(plainName(format)) || codePattern.test(pattern) || numberPattern.test(pattern);
  return types.includes('string') && !values && hasForm;
}

/** `de89 (3704)-04` and `DE89370404` are the same. */
function plainCode(text: string): string {
  return text.toLowerCase().replace(/[\s()]|(?<=\w)-/g, '');
}

/** Whether the items of two arrays match, in any order if the schema makes them sets. */
function pairsUp(
  one: readonly JsonValue[],
  other: readonly JsonValue[],
  node: SchemaNode | undefined,
  matches: (each: JsonValue, its: JsonValue | undefined) => boolean,
): boolean {
  if (one.length !== other.length) return false;
  const isSet = node?.shape().uniqueItems === true && one.length <= largestSet;
  return one.every(
    (each, at) => matches(each, other[at]) || (isSet && other.some((its) => matches(each, its))),
  );
}

/** The number that a value stands for in a format; NaN if only the same text is equal to it. */
function meaningOf(
  value: string | number | bigint,
  formats: readonly (string | undefined)[],
): number {
  if (typeof value !== 'string')
    return formats.includes('float') ? Math.fround(Number(value)) : Number(value);
  if (formats.includes('date-time')) return Date.parse(value);
  return formats.includes('decimal') && value !== '' ? Number(value) : Number.NaN;
}

/**
 * Whether a sent value came back. A text may have lost leading and trailing white space, which has
 * its own requirement, and one that was nothing else may be null or missing. An object may have
 * more members, such as defaults.
 */
export function comesBack(
  sent: JsonValue | undefined,
  received: JsonValue | undefined,
  node?: SchemaNode,
): boolean {
  if (isSame(sent, received, node)) return true;
  if (isJsonArray(sent) && isJsonArray(received))
    return pairsUp(sent, received, node, (each, its) => comesBack(each, its, node?.shape().items));
  if (isJsonObject(sent) && isJsonObject(received))
    return Object.entries(sent).every(([name, value]) => {
      const member = node && memberOf(node, name);
      return isOneWay(member) || comesBack(value, ownMember(received, name), member);
    });
  if (typeof sent !== 'string') return false;
  if (typeof received !== 'string') return (received ?? null) === null && trimEnds(sent) === '';
  return trimEnds(sent) === trimEnds(received) && sent.includes(received);
}

/** The same for a member, by the schema of items or that of the request. */
export function memberComesBack(
  name: string,
  [sent, received]: readonly [JsonValue | undefined, JsonValue | undefined],
  operation: Operation,
  resource: Resource,
): boolean {
  const own = sentSchema([resource], operation)?.shape().properties.get(name);
  return [memberSchema(resource, name), own].some((node) => comesBack(sent, received, node));
}

/** A member of an object, which only one of its alternatives may have: one-way there, one-way here. */
function memberOf(node: SchemaNode, name: string): SchemaNode | undefined {
  const { properties, alternatives } = node.shape();
  const all = [properties, ...alternatives.map((each) => each.shape().properties)];
  const found = all.flatMap((each) => each.get(name) ?? []);
  return found.find(isOneWay) ?? found[0];
}

export function memberSchema(resource: Resource, name: string): SchemaNode | undefined {
  return memberSchemas(resource).get(name);
}

/** The members of items. An array is a set if requests have it as one. */
const memberSchemas = once((resource: Resource): ReadonlyMap<string, SchemaNode> => {
  const members = new Map(resource.item.shape().properties);
  for (const properties of sentMembers(resource))
    for (const [name, node] of properties) {
      const isArray = members.get(name)?.shape().types.includes('array');
      if (isArray === true && node.shape().uniqueItems) members.set(name, node);
    }
  return members;
});

/**
 * The part of a value that was sent that items can show: request schemas often allow more than those
 * of responses, such as any text for an email address, or a list that is shown as an object.
 * Undefined for nothing.
 */
export function shownPart(
  node: SchemaNode | undefined,
  value: JsonValue = null,
): JsonValue | undefined {
  if (node === undefined) return value;
  if (!isJsonObject(value) && !isJsonArray(value) && !holdsCut(value))
    return node.isValid(value) ? value : undefined;
  const { items, properties, types } = node.shape();
  if (!types.some((type) => isOfType(value, type))) return undefined;
  if (isJsonArray(value)) {
    const parts = value.map((one) => shownPart(items, one)).filter((one) => one !== undefined);
    return parts.length === value.length ? parts : undefined;
  }
  if (!isJsonObject(value)) return value;
  const sent = Object.entries(value);
  const parts = sent
    .map(([name, one]) => [name, shownPart(properties.get(name), one)] as const)
    .filter(([, part]) => part !== undefined);
  return sent.length > 0 && parts.length === 0 ? undefined : Object.fromEntries(parts);
}

/** Whether items can show all of a value that was sent. */
export function canShow(resource: Resource, name: string, value: JsonValue = null): boolean {
  const part = shownPart(memberSchema(resource, name), value);
  return part !== undefined && jsonEquals(part, value);
}

/**
 * Whether responses forbid a value that was sent; not for lacking what only the service adds, such as
 * the price of a line.
 */
export function isForbidden(member: SchemaNode, value: JsonValue): boolean {
  return member.validate(value).some(({ keyword }) => keyword !== 'required');
}

/** Whether a member is in requests only, or in responses only. */
export function isOneWay(member: SchemaNode | undefined): boolean {
  const { readOnly = false, writeOnly = false } = member?.shape() ?? {};
  return readOnly || writeOnly;
}

/** Whether responses can show a member as requests of an operation send it, by the schemas of both. */
export function isShownAsSent(sent: SchemaNode, shown: SchemaNode, { method }: Operation): boolean {
  if (isOneWay(sent) || isOneWay(shown) || !isAlike(sent, shown)) return false;
  // Responses may be unable to show a null. In a PATCH, null removes the member.
  return method === 'PATCH' || !takesNull(sent) || takesNull(shown);
}

/** Items of the largest array that is compared in any order. */
const largestSet = 100;

/** Deepest nesting that is compared. */
const deepest = 4;

/**
 * Whether values of one schema can be returned under another: common members have the same form.
 */
function isAlike(one: SchemaNode, other: SchemaNode, depth = 0): boolean {
  if (one.pointer === other.pointer || depth > deepest) return true;
  const [left, right] = [one.shape(), other.shape()];
  if (left.alternatives.length > 0 && right.alternatives.length > 0)
    return left.alternatives.every((sent) =>
      right.alternatives.some((shown) => isAlike(sent, shown, depth + 1)),
    );
  if (left.alternatives.length > 0 || right.alternatives.length > 0) return true;
  if (renderTypes(left) !== renderTypes(right)) return false;
  if (!jsonEquals(left.values ?? null, right.values ?? null)) return false;
  if (left.items && right.items && !isAlike(left.items, right.items, depth + 1)) return false;
  return [...left.properties].every(([name, member]) => {
    const same = right.properties.get(name);
    return same === undefined || isAlike(member, same, depth + 1);
  });
}

/** Whether a schema accepts null, as far as its types tell. */
function takesNull(node: SchemaNode, depth = 0): boolean {
  const { types, alternatives } = node.shape();
  if (!types.includes('null') || depth > deepest) return false;
  return alternatives.length === 0 || alternatives.some((one) => takesNull(one, depth + 1));
}

/** The types except null, sorted. */
function renderTypes({ types }: Pick<Shape, 'types'>): string {
  return types
    .filter((type) => type !== 'null')
    .toSorted()
    .join();
}

/** Whether a schema is of texts, and does not restrict their characters. */
export function isFreeText({ types, values, format, pattern }: Shape): boolean {
  const isText = renderTypes({ types }) === 'string';
  return isText && [values, format, pattern].every((each) => each === undefined);
}

/** Removes white space at both ends, and NUL and invisible characters, as some languages do. */
export function trimEnds(text: string): string {
  return text.replace(/^[\s\0\p{Cf}]+/u, '').replace(/(?<![\s\0\p{Cf}])[\s\0\p{Cf}]+$/u, '');
}

/** The members of a JSON pointer, every array index as `[]`. */
export function memberPath(at: string): readonly string[] {
  return parsePointer(at).map((token) => (/^\d+$/.test(token) ? '[]' : token));
}

/** Whether a body has a member. If the path goes through a list, one item with it is enough. */
export function isPresent(
  value: JsonValue | undefined,
  steps: readonly string[],
  from = 0,
): boolean {
  const step = steps[from];
  if (value === undefined || step === undefined) return value !== undefined;
  if (isJsonArray(value))
    return step === '[]' && value.some((item) => isPresent(item, steps, from + 1));
  return (
    isJsonObject(value) && Object.hasOwn(value, step) && isPresent(value[step], steps, from + 1)
  );
}

/** A place in a JSON value: names of members and positions of items. */
export type Place = readonly (string | number)[];

/** Every place in a value: the value itself, then everything inside it. */
export function* placesOf(value: JsonValue | undefined, place: Place = []): Generator<Place> {
  yield place;
  if (isJsonArray(value))
    for (const [index, item] of value.entries()) yield* placesOf(item, [...place, index]);
  else if (isJsonObject(value))
    for (const [name, member] of Object.entries(value)) yield* placesOf(member, [...place, name]);
}
