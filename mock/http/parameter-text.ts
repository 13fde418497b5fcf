import { type JsonValue, parseJson } from '../../contract/json/value.ts';
import { essence } from '../../contract/openapi/media-type.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import type { JsonType } from '../../contract/schema/keyword/merged-schema.ts';
import type { Issue, SchemaNode, Shape } from '../../contract/schema/schema-node.ts';
import { decodePercent } from '../../contract/source/percent.ts';

/** A name and value of a query or form. */
export interface QueryPair {
  readonly name: string;
  readonly text: string;
  /** The value as it was sent, percent-encoded. */
  readonly raw: string;
}

/** The pairs of a query or form. Without an equals sign the value is empty. */
export function queryPairs(query: string): readonly QueryPair[] {
  const pairs = query.split('&').filter((pair) => pair !== '');
  return pairs.map((pair) => {
    const [name = '', ...rest] = pair.split('=');
    const raw = rest.join('=');
    return { name: decodeQuery(name), text: decodeQuery(raw), raw };
  });
}

/** All values of a query parameter, decoded as in forms. Invalid percent-encoding is kept. */
export function queryValues(query: string, name: string): readonly string[] {
  if (query === '') return [];
  const values: string[] = [];
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=');
    const key = equals < 0 ? pair : pair.slice(0, equals);
    if (decodeQuery(key) === name)
      values.push(equals < 0 ? '' : decodeQuery(pair.slice(equals + 1)));
  }
  return values;
}

/** Decodes as in forms: a plus sign is a space. Invalid percent-encoding is kept. */
export function decodeQuery(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  return decodePart(text.replaceAll('+', ' '));
}

/** Invalid percent-encoding is kept. */
export function decodePart(part: string): string {
  return part.includes('%') ? (decodePercent(part) ?? part) : part;
}

/** Key of a parameter's value in `Input`. Names are only unique within a location. */
export function argumentKey(parameter: Parameter): string {
  return `${parameter.in} ${parameter.name}`;
}

/** Text of a parameter before its schema gives it a type. Some styles allow several readings. */
export interface TextSource {
  /** As a single value; undefined if there are several. */
  readonly text: string | undefined;
  /** As an array, the most likely reading first. */
  readonly lists: () => readonly (readonly TextSource[])[];
  /** As an object of a shape, the most likely reading first. */
  readonly objects: (shape: Shape) => readonly SourceMembers[];
}

export type SourceMembers = ReadonlyMap<string, TextSource>;

const noMembers: TextSource['objects'] = () => [];

export function textLeaf(text: string): TextSource {
  return { text, lists: () => [[textLeaf(text)]], objects: noMembers };
}

/** Values of a name that occurs once or several times. `objects`: their readings as objects. */
export function sourceOfTexts(texts: readonly string[], objects = noMembers): TextSource {
  const isEmpty = texts.length === 1 && texts[0] === '';
  return {
    text: texts.length === 1 ? texts[0] : undefined,
    lists: () => (isEmpty ? [[textLeaf('')], []] : [texts.map(textLeaf)]),
    objects,
  };
}

/** Only as an object. */
export function sourceOfMembers(objects: TextSource['objects']): TextSource {
  return { text: undefined, lists: () => [], objects };
}

/** Values under a name, and those in brackets: `a[b][0]`. */
interface SourceTree {
  readonly texts: string[];
  readonly members: Map<string, SourceTree>;
}

/**
 * Values in brackets, `name[a][b]`, and of repeated names. Numbered or unnamed members form an
 * array. `isWhole`: brackets are part of such a name.
 */
export function readBrackets(
  pairs: Iterable<Pick<QueryPair, 'name' | 'text'>>,
  isWhole: (name: string) => boolean = () => false,
): SourceMembers {
  const root: SourceTree = { texts: [], members: new Map() };
  for (const { name, text } of pairs) {
    let tree = root;
    for (const part of isWhole(name) ? [name] : splitBrackets(name)) {
      const next = tree.members.get(part) ?? { texts: [], members: new Map() };
      tree.members.set(part, next);
      tree = next;
    }
    tree.texts.push(text);
  }
  return membersOf(root);
}

/**
 * Most brackets in a name. No schema needs more, and the recursion would be as deep as the name.
 */
const maxLevels = 64;

/** `a[b][0]` is the path `a`, `b`, `0`. A name with other or too many brackets is a single step. */
function splitBrackets(key: string): readonly string[] {
  if (!/^[^[\]]+(?:\[[^[\]]*\])+$/.test(key)) return [key];
  const names = key.slice(0, -1).split(/\]?\[/);
  return names.length <= maxLevels + 1 ? names : [key];
}

function membersOf({ members }: SourceTree): SourceMembers {
  return new Map([...members].map(([name, tree]) => [name, sourceOf(tree)]));
}

function sourceOf(tree: SourceTree): TextSource {
  const { texts, members } = tree;
  if (members.size === 0) return sourceOfTexts(texts);
  const isList = [...members.keys()].every((name) => /^\d*$/.test(name));
  const inOrder = [...members].toSorted(([one], [other]) => Number(one) - Number(other));
  const listItems = (): readonly TextSource[] =>
    inOrder.flatMap(([name, one]) => (name === '' ? one.texts.map(textLeaf) : [sourceOf(one)]));
  return {
    text: undefined,
    lists: () => (isList ? [listItems()] : []),
    objects: () => [membersOf(tree)],
  };
}

type Decode = (part: string) => string;

/** How a text is split, and how its parts are decoded. */
type Division = readonly [parts: readonly string[], decode: Decode];

/** A text that can be split in several ways, the most likely first. */
export function dividedSource(
  text: string | undefined,
  explode: boolean,
  divisions: readonly Division[],
): TextSource {
  return {
    text,
    lists: () => divisions.map(([parts, decode]) => parts.map((part) => textLeaf(decode(part)))),
    objects: () => divisions.flatMap((division) => membersIn(division, explode)),
  };
}

const trim: Decode = (part) => part.trim();

/** The value of a header, split at commas. */
export function simpleSource(text: string, explode: boolean): TextSource {
  const none: readonly Division[] = text === '' ? [[[], trim]] : [];
  return dividedSource(trim(text), explode, [[text.split(','), trim], ...none]);
}

/** Parts such as `name=value`, as in exploded objects, or alternating names and values. */
export function membersIn([parts, decode]: Division, explode: boolean): readonly SourceMembers[] {
  const texts = parts.map(decode);
  const inPairs = parts.every((part) => part.includes('='))
    ? [parts.map((part) => part.split(/=(.*)/s, 2).map(decode))]
    : [];
  const inTurn =
    texts.length % 2 === 0
      ? [texts.flatMap((name, at) => (at % 2 === 0 ? [[name, texts[at + 1] ?? '']] : []))]
      : [];
  const readings = explode ? [...inPairs, ...inTurn] : [...inTurn, ...inPairs];
  return readings.map(
    (pairs) => new Map(pairs.map(([name = '', text = '']) => [name, textLeaf(text)])),
  );
}

/** Narrow types first, so that a text is a string only if nothing else fits. */
const readingOrder: readonly JsonType[] = ['integer', 'number', 'boolean', 'null', 'string'];

/** The value of a text as the narrowest of some types, with exact integers; undefined for none. */
export function readScalar(text: string, types: readonly JsonType[]): JsonValue | undefined {
  for (const type of readingOrder) {
    const value = types.includes(type) ? readTextAs(type, text) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A text as a value of a type; undefined if it is not one, and for arrays and objects. */
function readTextAs(type: JsonType, text: string): JsonValue | undefined {
  switch (type) {
    case 'integer': {
      if (!/^-?\d+$/.test(text)) return undefined;
      const value = Number(text);
      return Number.isSafeInteger(value) ? value : BigInt(text);
    }
    case 'number':
      return numberText.test(text) ? Number(text) : undefined;
    case 'boolean':
      return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : undefined;
    case 'null':
      return text === 'null' ? null : undefined;
    case 'string':
      return text;
    case 'array':
    case 'object':
    default:
      return undefined;
  }
}

/** The value of a text, and how it breaks its schema. */
export interface TextValue {
  readonly value: JsonValue;
  readonly issues: readonly Issue[];
}

/** Most readings that are tried for a schema with many unions. */
const maxReadings = 40;

/** Deepest nesting of unions that is followed. */
const maxDepth = 4;

/** Compiles `readTextValue` for one schema. Most schemas are scalar, and the first reading fits. */
export function compileTextReader(
  schema: SchemaNode,
): (source: TextSource) => TextValue | undefined {
  const { types, alternatives } = schema.shape();
  const plain = alternatives.length > 0 || types.some(isStructure) ? [] : types;
  return (source) => {
    const value = source.text === undefined ? undefined : readScalar(source.text, plain);
    const issues = value === undefined ? undefined : schema.validate(value);
    return value !== undefined && issues?.length === 0
      ? { value, issues }
      : readTextValue(source, schema);
  };
}

/**
 * The first reading of a text that fits the schema, else the first one; undefined if there is none.
 */
export function readTextValue(source: TextSource, schema: SchemaNode): TextValue | undefined {
  let first: TextValue | undefined;
  let count = 0;
  for (const value of listReadings(source, [schema])) {
    const issues = schema.validate(value);
    if (issues.length === 0) return { value, issues };
    first ??= { value, issues };
    count += 1;
    if (count === maxReadings) break;
  }
  return first;
}

/** A value described by `content`: text of its media type, parsed if it is JSON. */
export function readJsonText(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** A body as a value: a form as an object of texts, anything else as JSON; undefined for neither. */
export function readBodyText(text: string, mediaType = ''): JsonValue | undefined {
  return text !== '' && essence(mediaType) === 'application/x-www-form-urlencoded'
    ? Object.fromEntries(queryPairs(text).map((pair) => [pair.name, pair.text]))
    : readJsonText(text);
}

/** Readings by the innermost of nested schemas, such as unions. */
function* listReadings(
  source: TextSource,
  schemas: readonly SchemaNode[],
): Generator<JsonValue, undefined> {
  const shapes = schemas.map((schema) => schema.shape());
  const [shape] = shapes;
  if (shape === undefined) return;
  for (const type of orderOf(source, shape)) yield* readingsAs(type, source, shapes);
  if (schemas.length > maxDepth) return;
  for (const alternative of shape.alternatives)
    yield* listReadings(source, [alternative, ...schemas]);
}

function isStructure(type: JsonType): boolean {
  return type === 'array' || type === 'object';
}

/**
 * Arrays and objects first, then scalars from narrow to wide. If the text may be a string and the
 * schema does not describe what an array or object holds, that comes last.
 */
function orderOf({ text }: TextSource, { types, items, properties }: Shape): readonly JsonType[] {
  const mayBeText = text !== undefined && (types.includes('string') || types.length === 7);
  const isLate = (type: JsonType): boolean =>
    mayBeText && (type === 'array' ? items === undefined : properties.size === 0);
  const structures = (['array', 'object'] as const).filter((type) => types.includes(type));
  const plain = readingOrder.filter((type) => types.includes(type));
  return [...structures.filter((type) => !isLate(type)), ...plain, ...structures.filter(isLate)];
}

/** `shapes`: innermost first. */
function* readingsAs(
  type: JsonType,
  source: TextSource,
  shapes: readonly Shape[],
): Generator<JsonValue, undefined> {
  const { text } = source;
  const [shape] = shapes;
  if (shape === undefined) return;
  // JSON as text, if the location has no other notation for arrays and objects.
  const json = isStructure(type) && text?.startsWith(type === 'array' ? '[' : '{') === true;
  const value = text === undefined ? undefined : json ? readJsonText(text) : readTextAs(type, text);
  if (value !== undefined) yield value;
  if (type === 'array')
    for (const items of source.lists()) {
      const values = items.map((item) => readPart(item, [shape.items]));
      if (!values.includes(undefined)) yield values.filter((one) => one !== undefined);
    }
  if (type === 'object')
    for (const members of source.objects(shape))
      yield Object.fromEntries(
        [...members].map(([name, member]) => {
          const schemas = shapes.map((one) => memberSchema(one, name));
          return [name, readPart(member, schemas) ?? readUntyped(member)];
        }),
      );
}

function memberSchema({ properties, additional }: Shape, name: string): SchemaNode | undefined {
  return properties.get(name) ?? (typeof additional === 'boolean' ? undefined : additional);
}

/** An item or member by the first schema that describes it; without one, as text. */
function readPart(
  source: TextSource,
  schemas: readonly (SchemaNode | undefined)[],
): JsonValue | undefined {
  const schema = schemas.find((each) => each !== undefined);
  return schema === undefined ? readUntyped(source) : readTextValue(source, schema)?.value;
}

function readUntyped(source: TextSource): JsonValue {
  return source.text ?? (source.lists()[0] ?? []).map(readUntyped);
}
