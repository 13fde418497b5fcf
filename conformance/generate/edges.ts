import {
  isJsonArray,
  isJsonObject,
  jsonEquals,
  objectOf,
  type JsonValue,
} from '../../contract/json/value.ts';
import { addAll } from '../../contract/list/list.ts';
import { valueAt, withValueAt } from '../../contract/json/place.ts';
import { schemaAt } from '../../contract/resource/item-view.ts';
import { extremeOf } from '../../contract/schema/extreme.ts';
import { possibleDefault, type SchemaNode } from '../../contract/schema/schema-node.ts';
import { once } from '../../contract/memo/once.ts';
import { boundaryValues } from './arbitrary.ts';
import { plainRequestValue, plainValues } from './plain-value.ts';

/**
 * Valid values of a member, the most revealing first: its edges, and an ordinary one unless an edge
 * is similar. An empty list reveals little.
 *
 * @param mayHoldObjects a list has objects; by default it does not, because they often have another
 *   form in responses
 */
export function sentValues(member: SchemaNode, mayHoldObjects = false): readonly JsonValue[] {
  return known[mayHoldObjects ? 'withObjects' : 'withoutObjects'](member);
}

/** Cached, because a member has the same values in many requests. */
const known = {
  withObjects: once((member: SchemaNode) => listSentValues(member, true)),
  withoutObjects: once((member: SchemaNode) => listSentValues(member, false)),
};

function listSentValues(member: SchemaNode, mayHoldObjects: boolean): readonly JsonValue[] {
  const edges = boundaryValues(member);
  if (edges.some((edge) => edge !== null && !isEmptyList(edge))) return edges;
  const plain = fillList(member, plainRequestValue(member, 'all'));
  const isPlain =
    !isJsonArray(plain) || (plain.length > 0 && (mayHoldObjects || !plain.some(isJsonObject)));
  if (plain === undefined || !isPlain) return edges;
  const telling = withoutDefaults(member, plain);
  return isJsonArray(plain) ? [telling, ...edges] : [...edges, telling];
}

/** A list with an item, even if it is empty by default, and with a second text, which servers may lose. */
function fillList(member: SchemaNode, plain: JsonValue | undefined): JsonValue | undefined {
  const { items } = member.shape();
  if (!isJsonArray(plain) || items === undefined) return plain;
  const [first = plainRequestValue(items, 'all')] = plain;
  const texts = typeof first === 'string' ? [`${first}b`, `b${first}`] : [];
  const others =
    first === undefined || plain.length > 1 ? [] : [...(items.shape().values ?? []), ...texts];
  const lists = [...others.map((other) => [first ?? null, other]), [first ?? null]];
  return lists.find((list) => list[0] !== list[1] && member.isValid(list, 'request')) ?? plain;
}

/** Another value for each default in an object or in the items of a list, where possible. */
function withoutDefaults(node: SchemaNode, value: JsonValue): JsonValue {
  const { items, properties } = node.shape();
  if (isJsonArray(value)) {
    const changed = value.map((one) => (items === undefined ? one : withoutDefaults(items, one)));
    return node.isValid(changed, 'request') ? changed : value;
  }
  // A server that ignores a member may show its default.
  const usual = [...properties].filter(([name, member]) => {
    const [sent, preset] = [valueAt(value, [name]), possibleDefault(member)];
    return sent !== undefined && preset !== undefined && jsonEquals(sent, preset);
  });
  const places = usual.map(([name]) => [name]);
  return withOthers(node, value, places);
}

export function isEmptyList(value: JsonValue): boolean {
  return isJsonArray(value) && value.length === 0;
}

/** Another value for each of some members of a body, where possible. */
export function withOthers(
  node: SchemaNode,
  body: JsonValue,
  places: Iterable<readonly string[]>,
): JsonValue {
  let changed = body;
  for (const place of places) {
    const member = schemaAt(node, place);
    const old = valueAt(body, place) ?? null;
    const others = member === undefined ? [] : plainValues(member);
    const next = others
      .map((value) => ({ value, body: withValueAt(changed, place, value) }))
      .find((each) => !jsonEquals(each.value, old) && node.isValid(each.body, 'request'));
    changed = next?.body ?? changed;
  }
  return changed;
}

/** The end of one limit of a schema, or of one within it. */
interface Limit {
  /** From the outer schema to the one with the limit: names of members, `[]` for an item. */
  readonly path: readonly string[];
  readonly isAtEnd: (value: JsonValue) => boolean;
  /** Values at the end; some may be invalid for other reasons. */
  readonly values: () => readonly JsonValue[];
}

/** A valid value at the end of a limit. */
interface LimitEdge {
  readonly value: JsonValue;
  /** Whether another value is at the same end. */
  readonly isShownBy: (value: JsonValue) => boolean;
}

/** Deepest nested schema whose limits are tested. */
const deepest = 3;

/** Most nested schemas whose limits are tested, each with an even share. */
const maxSchemas = 200;

/**
 * Most characters and items of a value at an edge. A server may refuse larger values for their
 * size.
 */
const longest = { length: 1000, items: 100 };

/** The limits of valid values of a schema: ranges, lengths, sizes and enumerated values. */
export const listLimits = once((node: SchemaNode) => findLimits(node, [], maxSchemas));

function findLimits(node: SchemaNode, path: readonly string[], most: number): readonly Limit[] {
  const shape = node.shape();
  const { values, minLength, maxLength, minItems, maxItems, items, properties } = shape;
  const found: Limit[] = [];
  const ends = values ?? [extremeOf(node, 'minimum'), extremeOf(node, 'maximum')];
  for (const end of ends)
    if (end !== undefined)
      found.push({ path, isAtEnd: (value) => jsonEquals(value, end), values: () => [end] });
  for (const count of [minLength, maxLength])
    if (count !== undefined && count <= longest.length)
      found.push({
        path,
        isAtEnd: (value) => typeof value === 'string' && Array.from(value).length === count,
        values: () => textsOf(node, count),
      });
  for (const count of [minItems, maxItems])
    if (count !== undefined && count <= longest.items)
      found.push({
        path,
        isAtEnd: (value) => isJsonArray(value) && value.length === count,
        values: () => listsOf(items, count),
      });
  if (path.length === deepest) return found;
  const inner: [name: string, schema: SchemaNode][] = items === undefined ? [] : [['[]', items]];
  for (const member of properties) {
    if (inner.length >= most) break;
    if (!member[1].shape().readOnly) inner.push(member);
  }
  const share = Math.floor(most / Math.max(1, inner.length)) - 1;
  for (const [name, member] of inner) addAll(found, findLimits(member, [...path, name], share));
  return found;
}

function textsOf(node: SchemaNode, count: number): readonly JsonValue[] {
  if (node.shape().format === 'email') return emailsOf(count);
  const plain = plainRequestValue(node);
  const longer = typeof plain === 'string' ? [plain.padEnd(count, 'a').slice(0, count)] : [];
  return [...['a', 'A', '0'].map((letter) => letter.repeat(count)), ...longer];
}

/**
 * An e-mail address has at most 254 characters, and a label of its domain 63 (RFC 5321, section
 * 4.5.3.1).
 */
function emailsOf(count: number): readonly JsonValue[] {
  const end = '.example.org';
  // No label is empty.
  const name = (count - end.length) % 64 === 2 ? 'ab' : 'a';
  const rest = count - name.length - 1 - end.length;
  if (count > 254 || rest < 1) return [];
  const labels = Array.from({ length: rest }, (_, at) => (at % 64 === 63 ? '.' : 'a')).join('');
  return [`${name}@${labels}${end}`];
}

/** Lists of different items where possible, as a server may keep equal ones only once. */
function listsOf(items: SchemaNode | undefined, count: number): readonly JsonValue[] {
  const item = items === undefined ? 'a' : plainRequestValue(items);
  if (item === undefined) return [];
  const makers = [
    (at: number) => (typeof item === 'string' ? `${item} ${at}` : at + 1),
    (at: number) => `a${at}`,
    () => item,
  ];
  return makers.map((make) => Array.from({ length: count }, (_, at) => make(at)));
}

/** A valid value at each limit of a schema, if one is found. */
export const limitEdges = once((node: SchemaNode): readonly LimitEdge[] => {
  const plain = plainRequestValue(node, 'all');
  if (plain === undefined) return [];
  return listLimits(node).flatMap(({ path, isAtEnd, values }) => {
    const isShownBy = (other: JsonValue): boolean => valuesAt(other, path).some(isAtEnd);
    const value = isShownBy(plain)
      ? plain
      : values()
          .map((inner) => putAt(plain, path, inner))
          .find((each) => each !== undefined && node.isValid(each, 'request'));
    return value === undefined ? [] : [{ value, isShownBy }];
  });
});

/** Replaces the value at a place, `[]` for the first item; undefined if nothing is there. */
function putAt(
  whole: JsonValue,
  [step, ...rest]: readonly string[],
  inner: JsonValue,
): JsonValue | undefined {
  if (step === undefined) return inner;
  const before = isJsonArray(whole) ? whole[0] : isJsonObject(whole) ? whole[step] : undefined;
  const after = before === undefined ? undefined : putAt(before, rest, inner);
  if (after === undefined) return undefined;
  return isJsonArray(whole) ? whole.with(0, after) : { ...objectOf(whole), [step]: after };
}

function valuesAt(value: JsonValue, [step, ...rest]: readonly string[]): readonly JsonValue[] {
  if (step === undefined) return [value];
  const inner =
    isJsonArray(value) && step === '[]' ? value : isJsonObject(value) ? [value[step]] : [];
  return [...inner].flatMap((each) => (each === undefined ? [] : [...valuesAt(each, rest)]));
}
