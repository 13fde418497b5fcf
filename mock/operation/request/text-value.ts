import type { Issue, SchemaNode, Shape } from '../../../contract/schema/schema-node.ts';
import type { JsonType } from '../../../contract/schema/keyword/keyword.ts';
import { type JsonValue, parseJson } from '../../../contract/json/value.ts';
import { readTextAs, readingOrder } from '../../http/parameter-text.ts';
import type { SourceMembers, TextSource } from './text-source.ts';

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
  const shape = schemas[0]?.shape();
  if (shape === undefined) return;
  for (const type of orderOf(source, shape)) yield* readingsAs(type, source, schemas);
  if (schemas.length > mostDepth) return;
  for (const alternative of shape.alternatives)
    yield* listReadings(source, [alternative, ...schemas]);
}

/** Narrow types first; arrays and objects where the schema speaks of them; JSON text last. */
function orderOf({ text }: TextSource, shape: Shape): readonly JsonType[] {
  const { types } = shape;
  const isOpen = types.includes('string') || types.length === 7;
  const list: readonly JsonType[] = types.includes('array') ? ['array'] : [];
  const object: readonly JsonType[] = types.includes('object') ? ['object'] : [];
  const isListFirst = text === undefined || !isOpen || shape.items !== undefined;
  const isObjectFirst = text === undefined || !isOpen || shape.properties.size > 0;
  const plain = readingOrder.filter((type) => types.includes(type));
  return [
    ...(isListFirst ? list : []),
    ...(isObjectFirst ? object : []),
    ...plain,
    ...(isListFirst ? [] : list),
    ...(isObjectFirst ? [] : object),
  ];
}

function* readingsAs(
  type: JsonType,
  source: TextSource,
  schemas: readonly SchemaNode[],
): Generator<JsonValue, undefined> {
  const { text } = source;
  const shapes = schemas.map((schema) => schema.shape());
  const [shape] = shapes;
  if (shape === undefined) return;
  if (type !== 'array' && type !== 'object') {
    const value = text === undefined ? undefined : readTextAs(type, text);
    if (value !== undefined) yield value;
    return;
  }
  const json = text === undefined ? undefined : readStructure(type, text);
  if (json !== undefined) yield json;
  if (type === 'array') {
    for (const items of source.lists()) {
      const values = items.map((item) => readPart(item, [shape.items]));
      if (!values.includes(undefined)) yield values.filter((value) => value !== undefined);
    }
    return;
  }
  for (const members of source.objects(shape)) yield readMembers(members, shapes);
}

/** JSON in a text, where an array or an object has no other form in its place. */
function readStructure(type: 'array' | 'object', text: string): JsonValue | undefined {
  return text.startsWith(type === 'array' ? '[' : '{') ? readJsonText(text) : undefined;
}

function readMembers(members: SourceMembers, shapes: readonly Shape[]): JsonValue {
  return Object.fromEntries(
    [...members].map(([name, member]) => {
      const schemas = shapes.map((shape) => memberSchema(shape, name));
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
