import { schemaAt } from '../../contract/resource/item-view.ts';
import { type MemberPlace, valueAt, withValueAt } from '../../contract/json/place.ts';
import type { Contract } from '../../contract/contract.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  jsonEquals,
} from '../../contract/json/value.ts';
import type { OpenQuestion, OpenQuestionKind } from '../../contract/openapi/open-question.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { extremeOf } from '../../contract/schema/extreme.ts';
import { jsonContent } from '../../contract/openapi/media-type.ts';
import { addAll } from '../../contract/list/list.ts';
import { once } from '../memo/once.ts';
import { boundaryValues } from './boundary.ts';
import { isValidRequest, plainRequestValue } from './plain-value.ts';
import { tagNumber } from './tag.ts';

/** How valid bodies for an operation are made. */
export interface BodyTemplate {
  readonly operation: Operation;
  readonly node: SchemaNode;
  /** The member that carries the run's tag: the first that takes any text. */
  readonly tagged: string | undefined;
  /** Where a client names what it creates; undefined where the service does. */
  readonly named: MemberPlace | undefined;
  /** Members that refer to records which may have to exist, with the open question about it. */
  readonly references: ReadonlyMap<string, OpenQuestion>;
  /** Members whose texts may be limited, and the open question that says so. */
  readonly limited: ReadonlyMap<string, OpenQuestion>;
}

/** Reads the template of an operation's body; undefined where it takes no plain JSON object. */
export function readTemplate(contract: Contract, operation: Operation): BodyTemplate | undefined {
  return templatesOf(contract)(operation);
}

const templatesOf = once((contract: Contract) =>
  once((operation: Operation) => makeTemplate(contract, operation)),
);

function makeTemplate(contract: Contract, operation: Operation): BodyTemplate | undefined {
  const node = jsonContent(operation.requestBody?.content ?? [])?.schema;
  const shape = node?.shape();
  if (node === undefined || shape?.types.includes('object') !== true) return undefined;
  if (shape.alternatives.length > 0 || (shape.types.length > 1 && shape.properties.size === 0))
    return undefined;
  const created = contract.resources.find(({ create }) => create === operation)?.idPlace;
  const members = [...shape.properties].filter(([name]) => name !== created?.[0]);
  return {
    operation,
    node,
    named: created,
    tagged: members.find(([, member]) => isFreeText(member))?.[0],
    references: questionsByMember(contract, node, 'reference'),
    limited: questionsByMember(contract, node, 'string-limits'),
  };
}

function isFreeText(member: SchemaNode): boolean {
  const shape = member.shape();
  const { types, values, format, pattern, minLength = 0, maxLength = 100 } = shape;
  return (
    !shape.readOnly &&
    !shape.writeOnly &&
    types.includes('string') &&
    types.length < 7 &&
    values === undefined &&
    format === undefined &&
    pattern === undefined &&
    minLength <= 10 &&
    maxLength >= 20
  );
}

function questionsByMember(
  contract: Contract,
  node: SchemaNode,
  kind: OpenQuestionKind,
): ReadonlyMap<string, OpenQuestion> {
  const questions = contract.openQuestions.filter((question) => question.kind === kind);
  return new Map(
    [...node.shape().properties].flatMap(([name, member]) => {
      const question = questions.find(
        (each) => each.at === member.pointer || each.at.endsWith(`/properties/${name}`),
      );
      return question !== undefined ? [[name, question] as const] : [];
    }),
  );
}

/** A plain valid body of required members: from the document's examples, else made of the schema. */
export function plainBody({ operation, node }: BodyTemplate): JsonObject {
  const { required, properties } = node.shape();
  const example = operation.requestBody?.content
    .flatMap((content) => content.examples)
    .find(({ value }) => isJsonObject(value))?.value;
  const known = isJsonObject(example) ? example : {};
  const isWhole = [...required].every((name) => Object.hasOwn(known, name));
  const sample = isWhole ? {} : plainRequestValue(node);
  const base = { ...(isJsonObject(sample) ? sample : {}), ...known };
  const plain = Object.fromEntries(
    Object.entries(base).filter(
      ([name]) => required.has(name) && properties.get(name)?.shape().readOnly !== true,
    ),
  );
  // What is required may depend on other members.
  const whole = isValidRequest(node, plain) ? plain : plainRequestValue(node);
  return isJsonObject(whole) ? whole : plain;
}

/** The same body with the run's tag, a new id, and references to records known to exist. */
export function tagBody(
  template: BodyTemplate,
  body: JsonObject,
  tag: string,
  references: ReadonlyMap<string, JsonValue> = new Map(),
): JsonObject {
  const tagged = template.tagged === undefined ? body : { ...body, [template.tagged]: tag };
  const known = [...references].filter(
    ([name]) => template.references.has(name) && Object.hasOwn(body, name),
  );
  return { ...withNewId(template, tagged, tag), ...Object.fromEntries(known) };
}

/** A body that has an id with one made of a tag, so that no other item has it. */
function withNewId({ node, named }: BodyTemplate, body: JsonObject, tag: string): JsonObject {
  const member = named && schemaAt(node, named);
  if (named === undefined || member === undefined || valueAt(body, named) === undefined)
    return body;
  const id = idOfTag(member, tag);
  return id === undefined ? body : withValueAt(body, named, id);
}

/** An identifier made of a tag; undefined where the schema takes none. */
export function idOfTag(member: SchemaNode, tag: string): JsonValue | undefined {
  const hex = Buffer.from(tag).toString('hex').padEnd(20, '0');
  const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(12, 15)}-8${hex.slice(15, 18)}-${hex.slice(-12)}`;
  const number = tagNumber(tag) * 1000 + tagNumber(tag.slice(4));
  return [tag, tag.toLowerCase(), uuid, number].find((value) => isValidRequest(member, value));
}

/** Valid values of a member, the most telling first: its edges; an ordinary one where no edge is like it. */
export function sentValues(member: SchemaNode): readonly JsonValue[] {
  const edges = boundaryValues(member);
  if (edges.some((edge) => edge !== null)) return edges;
  const plain = plainRequestValue(member, 'all');
  return plain === undefined ? edges : [...edges, plain];
}

/** The open questions under which a valid body may be refused. */
export function mayRefuse(
  template: BodyTemplate,
  body: JsonObject,
  plain: JsonObject,
  knownReference: boolean,
): readonly string[] {
  const differs = (name: string): boolean =>
    Object.hasOwn(body, name) && body[name] !== plain[name];
  const references = [...template.references].filter(([name]) => differs(name) || !knownReference);
  const texts = [...template.limited].filter(([name]) => differs(name));
  return [...references, ...texts].map(([, question]) => question.id);
}

/** The end of one limit of a schema, or of one within it. */
interface Limit {
  /** From the outer schema to the one with the limit: names of members, `[]` for an item. */
  readonly path: readonly string[];
  readonly node: SchemaNode;
  readonly end:
    | { readonly kind: 'value'; readonly value: JsonValue }
    | { readonly kind: 'length' | 'items'; readonly count: number };
}

/** A valid value at the end of a limit. */
export interface LimitEdge {
  readonly value: JsonValue;
  /** Whether another value is at the same end. */
  readonly isShownBy: (value: JsonValue) => boolean;
}

/** Deepest schema within another one whose limits are looked at. */
const deepest = 3;

/** Schemas within another one whose limits are looked at, each with an even share of them. */
const mostSchemas = 200;

/** Members of a body whose limits are looked at: of a wider one, none are. */
export const mostLimitedMembers = 250;

/** Most characters and items of a value at an edge: beyond, a server may refuse it for its size. */
const longest = { length: 1000, items: 100 };

/** The limits of a schema by which valid values end: ranges, lengths, sizes and listed values. */
export function listLimits(
  node: SchemaNode,
  path: readonly string[] = [],
  most = mostSchemas,
): readonly Limit[] {
  const shape = node.shape();
  const { values, minLength, maxLength, minItems, maxItems } = shape;
  const found: Limit[] = [];
  const add = (end: Limit['end']): void => void found.push({ path, node, end });
  if (values !== undefined) for (const value of values) add({ kind: 'value', value });
  else
    for (const end of ['minimum', 'maximum'] as const) {
      const value = extremeOf(node, end);
      if (value !== undefined) add({ kind: 'value', value });
    }
  for (const count of [minLength, maxLength])
    if (count !== undefined && count <= longest.length) add({ kind: 'length', count });
  for (const count of [minItems, maxItems])
    if (count !== undefined && count <= longest.items) add({ kind: 'items', count });
  if (path.length === deepest) return found;
  const { items, properties } = shape;
  const inner: [name: string, schema: SchemaNode][] = items === undefined ? [] : [['[]', items]];
  for (const member of properties) {
    if (inner.length >= most) break;
    if (!member[1].shape().readOnly) inner.push(member);
  }
  const share = Math.floor(most / Math.max(1, inner.length)) - 1;
  for (const [name, member] of inner) addAll(found, listLimits(member, [...path, name], share));
  return found;
}

/** A valid value for each limit of a schema at whose end one is found. */
export const limitEdges = once((node: SchemaNode): readonly LimitEdge[] => {
  const plain = plainRequestValue(node, 'all');
  if (plain === undefined) return [];
  return listLimits(node).flatMap((limit) => {
    const isShownBy = (other: JsonValue): boolean =>
      valuesAt(other, limit.path).some((inner) => isAtEnd(limit, inner));
    const changed = valuesAtEnd(limit).map((inner) => replaceAt(plain, limit.path, inner));
    const value = isShownBy(plain)
      ? plain
      : changed.find((each) => each !== undefined && isValidRequest(node, each));
    return value === undefined ? [] : [{ value, isShownBy }];
  });
});

function isAtEnd({ end }: Limit, value: JsonValue): boolean {
  if (end.kind === 'value') return jsonEquals(value, end.value);
  if (end.kind === 'items') return isJsonArray(value) && value.length === end.count;
  return typeof value === 'string' && Array.from(value).length === end.count;
}

/** Values at the end of a limit; some may not fit the rest of the schema. */
function valuesAtEnd({ node, end }: Limit): readonly JsonValue[] {
  if (end.kind === 'value') return [end.value];
  const { count } = end;
  if (end.kind === 'length') {
    const plain = plainRequestValue(node);
    const longer = typeof plain === 'string' ? [plain.padEnd(count, 'a').slice(0, count)] : [];
    return [...['a', 'A', '0'].map((letter) => letter.repeat(count)), ...longer];
  }
  const { items } = node.shape();
  const item = items === undefined ? 'a' : plainRequestValue(items);
  if (item === undefined) return [];
  const list = (make: (at: number) => JsonValue): JsonValue =>
    Array.from({ length: count }, (_, at) => make(at));
  return [list(() => item), list((at) => at + 1), list((at) => `a${at}`)];
}

/** A value with another one at a path; undefined where the path does not lead there. */
function replaceAt(
  value: JsonValue,
  [step, ...rest]: readonly string[],
  inner: JsonValue,
): JsonValue | undefined {
  if (step === undefined) return inner;
  const isItem = step === '[]' && isJsonArray(value);
  const before = isItem ? value[0] : isJsonObject(value) ? value[step] : undefined;
  const after = before === undefined ? undefined : replaceAt(before, rest, inner);
  if (after === undefined) return undefined;
  return isItem
    ? [after, ...value.slice(1)]
    : isJsonObject(value)
      ? { ...value, [step]: after }
      : undefined;
}

function valuesAt(value: JsonValue, [step, ...rest]: readonly string[]): readonly JsonValue[] {
  if (step === undefined) return [value];
  const inner =
    isJsonArray(value) && step === '[]' ? value : isJsonObject(value) ? [value[step]] : [];
  return [...inner].flatMap((each) => (each === undefined ? [] : [...valuesAt(each, rest)]));
}
