import { type JsonValue, parseJson } from '../../contract/json/value.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import type { JsonType } from '../../contract/schema/keyword/merged-schema.ts';
import type { Issue, SchemaNode, Shape } from '../../contract/schema/schema-node.ts';
import { decodePercent } from '../../contract/source/percent.ts';

/** A pair of a query or form. */
export interface QueryPair {
  readonly name: string;
  readonly text: string;
  /** The same text percent-encoded, as it was sent. */
  readonly raw: string;
}

/** The pairs of a query or form; without an equals sign the text is empty. */
export function queryPairs(query: string): readonly QueryPair[] {
  const pairs = query.split('&').filter((pair) => pair !== '');
  return pairs.map((pair) => {
    const [name = '', ...rest] = pair.split('=');
    const raw = rest.join('=');
    return { name: decodeQuery(name), text: decodeQuery(raw), raw };
  });
}

/** All values of a query parameter, decoded as in forms; bad percent-encoding stays. */
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

/** Decodes as in forms: a plus sign is a space; bad percent-encoding stays. */
export function decodeQuery(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  return decodePart(text.replaceAll('+', ' '));
}

/** Malformed percent-encoding stays as it is. */
export function decodePart(part: string): string {
  return part.includes('%') ? (decodePercent(part) ?? part) : part;
}

/** Key of a parameter's value in `Input`: a name is unique only within its place. */
export function argumentKey(parameter: Parameter): string {
  return `${parameter.in} ${parameter.name}`;
}

/** Text of a request before a schema gives it a type; several readings where a style allows them. */
export interface TextSource {
  /** As one value; undefined where there are several. */
  readonly text: string | undefined;
  /** As an array, the likeliest reading first. */
  readonly lists: () => readonly (readonly TextSource[])[];
  /** As an object of a shape, the likeliest reading first. */
  readonly objects: (shape: Shape) => readonly SourceMembers[];
}

export type SourceMembers = ReadonlyMap<string, TextSource>;

const noMembers: TextSource['objects'] = () => [];

/** One text. */
export function textLeaf(text: string): TextSource {
  return { text, lists: () => [[textLeaf(text)]], objects: noMembers };
}

/** Texts of a name that occurs once or several times; `objects`: what they are besides. */
export function sourceOfTexts(texts: readonly string[], objects = noMembers): TextSource {
  const isEmpty = texts.length === 1 && texts[0] === '';
  return {
    text: texts.length === 1 ? texts[0] : undefined,
    lists: () => (isEmpty ? [[textLeaf('')], []] : [texts.map(textLeaf)]),
    objects,
  };
}

/** Members alone. */
export function sourceOfMembers(objects: TextSource['objects']): TextSource {
  return { text: undefined, lists: () => [], objects };
}

/** Texts under a name, and what is in it: `a[b][0]`. */
interface SourceTree {
  readonly texts: string[];
  readonly members: Map<string, SourceTree>;
}

/**
 * What pairs say in brackets, `name[a][b]`, and the texts of repeated names. Members that are
 * numbered, or have no name, are an array. `isWhole`: brackets are a part of such a name.
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

/** Brackets in a key: what is deeper is read by no form, and would be by its own depth only. */
const mostLevels = 64;

/** `a[b][0]` has the names `a`, `b`, `0`; a key with other brackets, or too many, is one name. */
function splitBrackets(key: string): readonly string[] {
  if (!/^[^[\]]+(?:\[[^[\]]*\])+$/.test(key)) return [key];
  const names = key.slice(0, -1).split(/\]?\[/);
  return names.length <= mostLevels + 1 ? names : [key];
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

/** A way to divide a text, and what decodes its parts. */
type Division = readonly [parts: readonly string[], decode: Decode];

/** A text that may be divided in several ways, the likeliest first. */
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

/** The value of a header: parts separated by commas. */
export function simpleSource(text: string, explode: boolean): TextSource {
  const none: readonly Division[] = text === '' ? [[[], trim]] : [];
  return dividedSource(trim(text), explode, [[text.split(','), trim], ...none]);
}

/** Parts such as `name=value`, as exploded objects have them, and names and texts in turn, as others do. */
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

/** Narrow types first, so that a text is a string only where nothing else fits. */
const readingOrder: readonly JsonType[] = ['integer', 'number', 'boolean', 'null', 'string'];

/** The value, integers exact, of the text of a parameter; undefined for none. */
export function readParameterText(text: string, { types }: Shape): JsonValue | undefined {
  for (const type of readingOrder) {
    const value = types.includes(type) ? readTextAs(type, text) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A text read as a value of a type; undefined for none, and for arrays and objects. */
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

/** The value of a text, and what it breaks of its schema. */
export interface TextValue {
  readonly value: JsonValue;
  readonly issues: readonly Issue[];
}

/** Of a schema with many unions, so many readings are tried. */
const mostReadings = 40;

/** Unions in unions are looked into so deep. */
const mostDepth = 4;

/** The first reading of a text that fits the schema, else the first; undefined for none. */
export function readTextValue(source: TextSource, schema: SchemaNode): TextValue | undefined {
  const { text } = source;
  const shape = schema.shape();
  const { types, alternatives } = shape;
  const isPlain =
    alternatives.length === 0 && !types.includes('array') && !types.includes('object');
  // The likeliest reading of a text is the first that there is: no other is tried before it.
  if (text !== undefined && isPlain) {
    const value = readParameterText(text, shape);
    const issues = value === undefined ? undefined : schema.validate(value);
    if (value !== undefined && issues?.length === 0) return { value, issues };
  }
  let first: TextValue | undefined;
  let count = 0;
  for (const value of listReadings(source, [schema])) {
    const issues = schema.validate(value);
    if (issues.length === 0) return { value, issues };
    first ??= { value, issues };
    count += 1;
    if (count === mostReadings) break;
  }
  return first;
}

/** A value described by `content`: a text of that type, JSON where it is such. */
export function readJsonText(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Readings by the innermost of nested schemas, as in unions. */
function* listReadings(
  source: TextSource,
  schemas: readonly SchemaNode[],
): Generator<JsonValue, undefined> {
  const shapes = schemas.map((schema) => schema.shape());
  const [shape] = shapes;
  if (shape === undefined) return;
  for (const type of orderOf(source, shape)) yield* readingsAs(type, source, shapes);
  if (schemas.length > mostDepth) return;
  for (const alternative of shape.alternatives)
    yield* listReadings(source, [alternative, ...schemas]);
}

function isStructure(type: JsonType): boolean {
  return type === 'array' || type === 'object';
}

/** Narrow types first; arrays and objects where the schema speaks of them; JSON text last. */
function orderOf({ text }: TextSource, { types, items, properties }: Shape): readonly JsonType[] {
  const mayBeText = text !== undefined && (types.includes('string') || types.length === 7);
  const isLate = (type: JsonType): boolean =>
    mayBeText && (type === 'array' ? items === undefined : properties.size === 0);
  const structures = (['array', 'object'] as const).filter((type) => types.includes(type));
  const plain = readingOrder.filter((type) => types.includes(type));
  return [...structures.filter((type) => !isLate(type)), ...plain, ...structures.filter(isLate)];
}

/** `shapes`: the innermost first. */
function* readingsAs(
  type: JsonType,
  source: TextSource,
  shapes: readonly Shape[],
): Generator<JsonValue, undefined> {
  const { text } = source;
  const [shape] = shapes;
  if (shape === undefined) return;
  // JSON in a text, where an array or an object has no other form in its place.
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

/** An item or member by the first schema that speaks of it; without one, as the text it is. */
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
