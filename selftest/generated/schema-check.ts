import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject, ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { appendPointer, parsePointer, resolvePointer } from '../../contract/json/pointer.ts';
import { facetOf } from '../../contract/schema/keywords.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../contract/json/value.ts';

/** What plain Ajv says against a value. */
export interface Flaw {
  /** `[]` stands for every item, as in the ids of requirements. */
  readonly path: readonly string[];
  /** As requirements call the keyword; undefined for one that none is named after. */
  readonly facet: string | undefined;
}

export type Direction = 'request' | 'response';

/** Judges values by plain Ajv over the document: a second opinion, which shares no code with the suite's. */
export class SchemaCheck {
  readonly #document: JsonObject;
  readonly #engines = new Map<string, Ajv2020>();
  readonly #compiled = new Map<string, ValidateFunction | undefined>();

  constructor(document: JsonObject) {
    this.#document = document;
  }

  /** Undefined where Ajv cannot compile the schema at the pointer. */
  find(pointer: string, direction: Direction, value: JsonValue): readonly Flaw[] | undefined {
    const key = `${direction} ${pointer}`;
    if (!this.#compiled.has(key)) this.#compiled.set(key, this.#compile(pointer, direction));
    const validate = this.#compiled.get(key);
    if (validate === undefined) return undefined;
    if (validate(toPlain(value))) return [];
    return (validate.errors ?? []).filter(isOwn).map((error) => readFlaw(error, value));
  }

  #compile(pointer: string, direction: Direction): ValidateFunction | undefined {
    // Patterns of older dialects only compile without the flag `u`.
    for (const unicodeRegExp of [true, false])
      try {
        return this.#engine(direction, unicodeRegExp).compile({ $ref: `document${pointer}` });
      } catch {
        continue;
      }
    return undefined;
  }

  #engine(direction: Direction, unicodeRegExp: boolean): Ajv2020 {
    const key = `${direction} ${unicodeRegExp}`;
    const known = this.#engines.get(key);
    if (known !== undefined) return known;
    const ajv = new Ajv2020({
      allErrors: true,
      strict: false,
      validateSchema: false,
      inlineRefs: false,
      logger: false,
      unicodeRegExp,
    });
    addFormats.default(ajv);
    ajv.addFormat('int64', { type: 'number', validate: isInt64 });
    ajv.addFormat('binary', true).addFormat('password', true);
    ajv.addSchema(this.#toJsonSchema(direction), 'document');
    this.#engines.set(key, ajv);
    return ajv;
  }

  /** The whole document with its schemas as JSON Schema 2020-12, at the same pointers. */
  #toJsonSchema(direction: Direction): object {
    const absent = direction === 'request' ? 'readOnly' : 'writeOnly';
    const isAbsent = (schema: JsonValue | undefined): boolean => {
      const { $ref: reference } = isJsonObject(schema) ? schema : {};
      const target =
        typeof reference === 'string' && reference.startsWith('#')
          ? resolvePointer(this.#document, decodeURIComponent(reference.slice(1)))
          : schema;
      return isJsonObject(target) && target[absent] === true;
    };
    const convert = (node: JsonValue, isMap = false): unknown => {
      if (isJsonArray(node)) return node.map((each) => convert(each));
      if (!isJsonObject(node)) return toPlain(node);
      const entries = Object.entries(node).flatMap(([name, value]): [string, unknown][] =>
        value === undefined || (!isMap && dropped.has(name))
          ? []
          : [[name, data.has(name) && !isMap ? toPlain(value) : convert(value, maps.has(name))]],
      );
      const converted = Object.fromEntries(entries);
      if (isMap) return converted;
      const { type, enum: values, required, properties, discriminator, oneOf } = node;
      if (node['nullable'] === true && typeof type === 'string') converted['type'] = [type, 'null'];
      if (node['nullable'] === true && values !== undefined && isJsonArray(values))
        converted['enum'] = [...values.map(toPlain), null];
      for (const [exclusive, bound] of exclusives) {
        if (typeof node[exclusive] !== 'boolean') continue;
        Reflect.deleteProperty(converted, exclusive);
        if (node[exclusive] && node[bound] !== undefined) converted[exclusive] = converted[bound];
      }
      // The discriminator chooses the branch, also where others fit.
      if (discriminator !== undefined && oneOf !== undefined && node['anyOf'] === undefined) {
        Reflect.deleteProperty(converted, 'oneOf');
        converted['anyOf'] = convert(oneOf);
      }
      if (required !== undefined && isJsonArray(required) && isJsonObject(properties))
        converted['required'] = required.filter(
          (name) => typeof name === 'string' && !isAbsent(properties[name]),
        );
      return converted;
    };
    return Object(convert(this.#document));
  }
}

/** Members whose values are named by the author of the document: these names are not keywords. */
const maps = new Set(
  'properties patternProperties $defs definitions dependentSchemas schemas paths responses parameters headers content'.split(
    ' ',
  ),
);
const data = new Set(['default', 'enum', 'const', 'required']);
/** Keywords that mean nothing to JSON Schema 2020-12, or would lead its references astray. */
const dropped = new Set(
  'example examples discriminator xml externalDocs nullable $schema $id id'.split(' '),
);
const exclusives = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;

/** Numbers beyond a double are rounded before they are judged, 2^63 to itself. */
function isInt64(number: number): boolean {
  return number >= -(2 ** 63) && number < 2 ** 63;
}

/** Ajv knows no bigint. */
function toPlain(value: JsonValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (isJsonArray(value)) return value.map(toPlain);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === undefined ? [] : [[name, toPlain(member)]],
    ),
  );
}

/** False for a keyword that only says that one of its schemas does not fit. */
function isOwn({ keyword }: ErrorObject): boolean {
  return !['allOf', '$ref', 'if'].includes(keyword);
}

function readFlaw({ keyword, instancePath, params }: ErrorObject, value: JsonValue): Flaw {
  const names = parsePointer(instancePath);
  let at: JsonValue | undefined = value;
  const path: string[] = [];
  for (const name of names) {
    const isItem = at !== undefined && isJsonArray(at);
    path.push(isItem ? '[]' : name);
    if (at === undefined) continue;
    at = isJsonArray(at) ? at[Number(name)] : isJsonObject(at) ? at[name] : undefined;
  }
  const missing: unknown = params['missingProperty'];
  return {
    path: keyword === 'required' ? [...path, String(missing)] : path,
    facet: facetOf(keyword),
  };
}

/** The pointer of the schema of a media type. */
export function schemaPointer(content: { readonly pointer: string }): string {
  return appendPointer(content.pointer, 'schema');
}
