import { type JsonValue, parseJson } from '../../contract/json/value.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import type { JsonType } from '../../contract/schema/keyword/merged-schema.ts';
import type { Issue, SchemaNode, Shape } from '../../contract/schema/schema-node.ts';
import { decodePercent } from '../../contract/source/percent.ts';

/** A pair of a query or form, the value as it is written. */
export interface QueryPair {
  readonly name: string;
  /** Percent-encoded; `` where there is no equals sign. */
  readonly raw: string;
}

/** The pairs of a query, names decoded. */
export function queryPairs(query: string): readonly QueryPair[] {
  if (query === '') return [];
  return query.split('&').flatMap((pair) => {
    if (pair === '') return [];
    const equals = pair.indexOf('=');
    return [
      {
        name: decodeQuery(equals < 0 ? pair : pair.slice(0, equals)),
        raw: equals < 0 ? '' : pair.slice(equals + 1),
      },
    ];
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
  const spaced = text.replaceAll('+', ' ');
  return decodePercent(spaced) ?? spaced;
}

/** Malformed percent-encoding stays as it is. */
export function decodePart(part: string): string {
  return part.includes('%') ? (decodePercent(part) ?? part) : part;
}

/** Key of a parameter's value in `Input`: a name is unique only within its place. */
export function argumentKey(parameter: Parameter): string {
  return `${parameter.in} ${parameter.name}`;
}

const integerText = /^-?\d+$/;
const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The value, integers exact, of the text of a parameter; undefined for none. */
export function readParameterText(text: string, shape: Shape): JsonValue | undefined {
  for (const type of readingOrder) {
    const value = shape.types.includes(type) ? readTextAs(type, text) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Narrow types first, so that a text is a string only where nothing else fits. */
const readingOrder: readonly JsonType[] = ['integer', 'number', 'boolean', 'null', 'string'];

/** A text read as a value of a type; undefined for none, and for arrays and objects. */
function readTextAs(type: JsonType, text: string): JsonValue | undefined {
  switch (type) {
    case 'integer':
      return integerText.test(text) ? readInteger(text) : undefined;
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

function readInteger(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
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

/** One text. */
export function textLeaf(text: string): TextSource {
  return { text, lists: () => [[textLeaf(text)]], objects: () => [] };
}

/** Texts of a name that occurs once or several times. */
export function sourceOfTexts(texts: readonly string[]): TextSource {
  const isEmpty = texts.length === 1 && texts[0] === '';
  return {
    text: texts.length === 1 ? texts[0] : undefined,
    lists: () => (isEmpty ? [[textLeaf('')], []] : [texts.map(textLeaf)]),
    objects: () => [],
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
 * numbered, or have no name, are an array.
 */
export function readBrackets(pairs: Iterable<readonly [string, string]>): SourceMembers {
  const root: SourceTree = { texts: [], members: new Map() };
  for (const [key, text] of pairs) {
    let tree = root;
    for (const name of splitBrackets(key)) {
      const next = tree.members.get(name) ?? { texts: [], members: new Map() };
      tree.members.set(name, next);
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
  if (!key.endsWith(']')) return [key];
  const [first = '', ...rest] = key.split('[');
  const isPlain =
    first !== '' &&
    !first.includes(']') &&
    rest.every((one) => one.indexOf(']') === one.length - 1);
  return isPlain && rest.length <= mostLevels
    ? [first, ...rest.map((one) => one.slice(0, -1))]
    : [key];
}

function membersOf({ members }: SourceTree): SourceMembers {
  return new Map([...members].map(([name, tree]) => [name, sourceOf(tree)]));
}

function sourceOf(tree: SourceTree): TextSource {
  const { texts, members } = tree;
  if (members.size === 0) return sourceOfTexts(texts);
  const isList = [...members.keys()].every((name) => /^\d*$/.test(name));
  return {
    text: undefined,
    lists: () => (isList ? [listOf(members)] : []),
    objects: () => [membersOf(tree)],
  };
}

function listOf(members: ReadonlyMap<string, SourceTree>): readonly TextSource[] {
  return [...members]
    .toSorted(([one], [other]) => Number(one) - Number(other))
    .flatMap(([name, tree]) => (name === '' ? tree.texts.map(textLeaf) : [sourceOf(tree)]));
}

type Decode = (part: string) => string;

const trim: Decode = (part) => part.trim();

/** The value of a header: parts separated by commas. */
export function simpleSource(text: string, explode: boolean): TextSource {
  const none: readonly Division[] = text === '' ? [[[], trim]] : [];
  return dividedSource(trim(text), explode, [[text.split(','), trim], ...none]);
}

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

/** Parts such as `name=value`, as exploded objects have them, and names and texts in turn, as others do. */
export function membersIn([parts, decode]: Division, explode: boolean): readonly SourceMembers[] {
  const marks = parts.map((part) => part.indexOf('='));
  const inPairs = marks.includes(-1)
    ? []
    : [
        new Map(
          parts.map((part, at) => [
            decode(part.slice(0, marks[at])),
            textLeaf(decode(part.slice((marks[at] ?? 0) + 1))),
          ]),
        ),
      ];
  const texts = parts.map(decode);
  const inTurn =
    texts.length % 2 === 1
      ? []
      : [
          new Map(
            texts.flatMap((name, at) =>
              at % 2 === 0 ? [[name, textLeaf(texts[at + 1] ?? '')] as const] : [],
            ),
          ),
        ];
  return explode ? [...inPairs, ...inTurn] : [...inTurn, ...inPairs];
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

/** Narrow types first; arrays and objects where the schema speaks of them; JSON text last. */
function orderOf({ text }: TextSource, shape: Shape): readonly JsonType[] {
  const { types } = shape;
  const isOpen = types.includes('string') || types.length === 7;
  const isPlainFirst = (isDescribed: boolean): boolean =>
    text !== undefined && isOpen && !isDescribed;
  const late = new Map<JsonType, boolean>([
    ['array', isPlainFirst(shape.items !== undefined)],
    ['object', isPlainFirst(shape.properties.size > 0)],
  ]);
  const structures = (isLate: boolean): readonly JsonType[] =>
    [...late].flatMap(([type, one]) => (one === isLate && types.includes(type) ? [type] : []));
  const plain = readingOrder.filter((type) => types.includes(type));
  return [...structures(false), ...plain, ...structures(true)];
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
  if (type !== 'array' && type !== 'object') {
    const value = text === undefined ? undefined : readTextAs(type, text);
    if (value !== undefined) yield value;
    return;
  }
  // JSON in a text, where an array or an object has no other form in its place.
  const json =
    text?.startsWith(type === 'array' ? '[' : '{') === true ? readJsonText(text) : undefined;
  if (json !== undefined) yield json;
  if (type === 'array') {
    for (const items of source.lists()) {
      const values = items.map((item) => readPart(item, [shape.items]));
      if (!values.includes(undefined)) yield values.filter((value) => value !== undefined);
    }
    return;
  }
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
  if (schema === undefined) return readUntyped(source);
  const shape = schema.shape();
  const [type, ...others] = shape.types;
  const isPlain = others.length === 0 && shape.alternatives.length === 0;
  if (isPlain && type !== undefined && type !== 'array' && type !== 'object')
    return source.text === undefined ? undefined : readTextAs(type, source.text);
  return readTextValue(source, schema)?.value;
}

function readUntyped(source: TextSource): JsonValue {
  return source.text ?? (source.lists()[0] ?? []).map(readUntyped);
}
