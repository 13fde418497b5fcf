import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Options, ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

/**
 * A request lacks `readOnly` members, and a response lacks `writeOnly` members, even if they are required.
 */
export type Direction = 'request' | 'response';

type JsonRecord = Readonly<Record<string, unknown>>;

/** An OpenAPI document without external references. */
export interface SchemaDocument {
  readonly root: unknown;
  /** A reference hides its sibling members, as in OpenAPI 3.0. */
  readonly hidesSiblings: boolean;
  /** The value of a node: itself, or the target of its reference. */
  readonly dereference: (node: unknown) => unknown;
}

/**
 * The schemas of a document, compiled by plain Ajv for one direction. Shares no code with the schemas of a
 * contract, so that each can find errors of the other.
 */
export class DocumentSchemas {
  readonly #document: SchemaDocument;
  readonly #direction: Direction;
  readonly #options: Options;
  readonly #engines = new Map<boolean, Ajv2020>();
  readonly #compiled = new Map<string, ValidateFunction | undefined>();

  constructor(document: SchemaDocument, direction: Direction, options: Options = {}) {
    this.#document = document;
    this.#direction = direction;
    this.#options = options;
  }

  /**
   * The validator of the schema at a pointer such as `#/components/schemas/Pet`; undefined if Ajv cannot
   * compile it.
   */
  at(pointer: string): ValidateFunction | undefined {
    if (!this.#compiled.has(pointer)) this.#compiled.set(pointer, this.#compile(pointer));
    return this.#compiled.get(pointer);
  }

  #compile(pointer: string): ValidateFunction | undefined {
    // Patterns of older dialects only compile without the flag `u`.
    for (const unicodeRegExp of [true, false])
      try {
        return this.#engine(unicodeRegExp).compile({ $ref: `document${pointer}` });
      } catch {
        continue;
      }
    return undefined;
  }

  #engine(unicodeRegExp: boolean): Ajv2020 {
    const known = this.#engines.get(unicodeRegExp);
    if (known !== undefined) return known;
    const usual = {
      strict: false,
      validateSchema: false,
      inlineRefs: false,
      logger: false,
    } as const;
    const { formats = {}, ...options } = this.#options;
    const ajv = new Ajv2020({ ...usual, ...options, unicodeRegExp });
    addFormats.default(ajv);
    ajv.addFormat('binary', true).addFormat('password', true);
    for (const [name, format] of Object.entries(formats)) if (format) ajv.addFormat(name, format);
    ajv.addSchema(toJsonSchema(this.#document, this.#direction), 'document');
    this.#engines.set(unicodeRegExp, ajv);
    return ajv;
  }
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));
/** Members whose values have names chosen by the author of the document, not keywords. */
const maps = words(`properties patternProperties $defs definitions dependentSchemas schemas paths
  responses parameters requestBodies headers content callbacks webhooks`);
/** Members that contain data instead of schemas. */
const data = words('default enum const required');
/** Keywords without a meaning in JSON Schema 2020-12, or that would change its references. */
const dropped = words('example examples discriminator xml externalDocs nullable $schema $id id');
const types: ReadonlySet<unknown> = words('string number integer boolean array object null');
const numbers = words(`minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength
  maxLength minItems maxItems minProperties maxProperties`);
const lists = words('allOf anyOf oneOf enum');

/** The whole document with its schemas as JSON Schema 2020-12, at the same pointers. */
function toJsonSchema(document: SchemaDocument, direction: Direction): JsonRecord {
  const convert = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(convert);
    if (!isRecord(node)) return toPlain(node);
    const isHidden = document.hidesSiblings && typeof node['$ref'] === 'string';
    const source = isHidden ? { $ref: node['$ref'] } : node;
    // The discriminator selects the branch, even if others match.
    const isChosen = isRecord(node['discriminator']) && node['anyOf'] === undefined;
    const members = Object.entries(source)
      .map(([name, value]) => [isChosen && name === 'oneOf' ? 'anyOf' : name, value] as const)
      .filter(([name]) => !dropped.has(name))
      .map(([name, value]): readonly [string, unknown] => {
        if (data.has(name)) return [name, toPlain(value)];
        if (!maps.has(name) || !isRecord(value)) return [name, convert(value)];
        const parts = Object.entries(value).map(([key, part]) => [key, convert(part)]);
        return [name, Object.fromEntries(parts)];
      });
    const converted = {
      ...Object.fromEntries(members),
      ...listChanges(document, source, direction),
    };
    const sound = Object.fromEntries(
      Object.entries(converted).filter(([name, value]) => isSound(document, name, value)),
    );
    // `nullable` makes null valid, even if a keyword beside it, such as `allOf`, does not.
    const isWrapped = node['nullable'] === true && !isHidden;
    return isWrapped ? { if: { type: 'null' }, else: sound } : sound;
  };
  return Object(convert(document.root));
}

/** Keywords with another meaning in OpenAPI than in JSON Schema; undefined removes one. */
function listChanges(
  document: SchemaDocument,
  node: JsonRecord,
  direction: Direction,
): Readonly<Record<string, unknown>> {
  const { type, enum: values, required, properties } = node;
  const changed: Record<string, unknown> = {};
  if (node['nullable'] === true && typeof type === 'string') changed['type'] = [type, 'null'];
  if (node['nullable'] === true && Array.isArray(values))
    changed['enum'] = [...new Set([...values.map(toPlain), null])];
  if (type === 'file') changed['type'] = 'string';
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const)
    if (typeof node[exclusive] === 'boolean')
      changed[exclusive] = node[exclusive] ? toPlain(node[bound]) : undefined;
  const absent = direction === 'request' ? 'readOnly' : 'writeOnly';
  const isAbsent = (name: unknown): boolean => {
    const property = isRecord(properties) ? properties[String(name)] : undefined;
    const found = document.dereference(property);
    return isRecord(found) && found[absent] === true;
  };
  if (required !== undefined)
    changed['required'] = Array.isArray(required)
      ? required.filter((name) => !isAbsent(name))
      : undefined;
  return changed;
}

/**
 * False for a keyword with a meaningless value. Documents contain such errors, and the rest of their
 * schemas is still usable.
 */
function isSound(document: SchemaDocument, name: string, value: unknown): boolean {
  if (value === undefined) return false;
  if (name === 'type') return [value].flat().every((one) => types.has(one));
  if (numbers.has(name)) return typeof value === 'number';
  if (lists.has(name)) return Array.isArray(value) && value.length > 0;
  if (name === 'properties') return isRecord(value);
  if (name === '$ref' && typeof value === 'string' && value.startsWith('#'))
    return document.dereference({ $ref: value }) !== undefined;
  return name !== 'pattern' || isPattern(value);
}

/** A regular expression, with or without the flag `u`. Anchors of other languages would be letters. */
function isPattern(value: unknown): boolean {
  try {
    return typeof value === 'string' && !/\\[AzZ]/.test(value) && RegExp(value) instanceof RegExp;
  } catch {
    return false;
  }
}

/** A JSON value for Ajv: without bigints and undefined members. */
export function toPlain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(toPlain);
  if (!isRecord(value)) return value;
  const present = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(present.map(([name, member]) => [name, toPlain(member)]));
}

function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
