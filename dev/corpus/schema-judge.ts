import { Script } from 'node:vm';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { PublicDocument } from './document.ts';
import { isRecord, type JsonRecord, recordOf } from './json.ts';

/** A request lacks what is `readOnly`, a response what is `writeOnly`, though they are required. */
export type Direction = 'request' | 'response';

export interface Fit {
  /** `unknown` where the schema does not compile, or takes too long. */
  readonly kind: 'valid' | 'invalid' | 'unknown';
  /** What is wrong with an invalid value. */
  readonly fault?: string;
}

/** Judges by Ajv alone, over the document as it is, independently of the project. */
export class SchemaJudge {
  readonly #document: PublicDocument;
  readonly #direction: Direction;
  /** Patterns of older dialects only compile without the flag `u`. */
  readonly #engines: Partial<Record<'strict' | 'loose', Ajv2020>> = {};
  readonly #compiled = new Map<string, ValidateFunction | undefined>();

  constructor(document: PublicDocument, direction: Direction) {
    this.#document = document;
    this.#direction = direction;
  }

  /** Whether a value fits the schema at a pointer. */
  judge(pointer: string, value: unknown): Fit {
    if (!this.#compiled.has(pointer)) this.#compiled.set(pointer, this.#compile(pointer));
    const validate = this.#compiled.get(pointer);
    if (validate === undefined) return { kind: 'unknown' };
    try {
      if (bounded(() => validate(value))) return { kind: 'valid' };
    } catch {
      return { kind: 'unknown' };
    }
    const { instancePath = '', message = 'is invalid' } = validate.errors?.[0] ?? {};
    return { kind: 'invalid', fault: `${instancePath} ${message}` };
  }

  #compile(pointer: string): ValidateFunction | undefined {
    for (const mode of ['strict', 'loose'] as const) {
      try {
        const ajv = (this.#engines[mode] ??= this.#createAjv(mode === 'strict'));
        return ajv.compile({ $ref: `document${pointer}` });
      } catch {
        continue;
      }
    }
    return undefined;
  }

  #createAjv(unicodeRegExp: boolean): Ajv2020 {
    const options = { strict: false, validateSchema: false, inlineRefs: false, logger: false };
    const ajv = new Ajv2020({ ...options, logger: false, unicodeRegExp });
    addFormats.default(ajv);
    ajv.addFormat('binary', true).addFormat('password', true);
    return ajv.addSchema(toJsonSchema(this.#document, this.#direction), 'document');
  }
}

const callName = Symbol.for('petstore-contract.corpus.bounded');
const script = new Script(`globalThis[Symbol.for('petstore-contract.corpus.bounded')]()`);

/** Calls a function for at most a second: patterns and generators may never end. Throws then. */
export function bounded<Value>(call: () => Value): Value {
  Reflect.set(globalThis, callName, call);
  const value: Value = script.runInThisContext({ timeout: 1000 });
  return value;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));
/** Members whose values are named by the document's author: these names are not keywords. */
const maps = words(`properties patternProperties $defs definitions dependentSchemas schemas paths
  responses parameters requestBodies headers content callbacks webhooks`);
/** Members that hold data instead of schemas. */
const data = words('default enum const required');
/** Keywords that mean nothing to JSON Schema 2020-12, or would lead its references astray. */
const dropped = words('example examples discriminator xml externalDocs nullable $schema $id id');
const types: ReadonlySet<unknown> = words('string number integer boolean array object null');
const numbers = words(`minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength
  maxLength minItems maxItems minProperties maxProperties`);
const lists = words('allOf anyOf oneOf enum');

/** The whole document with its schemas as JSON Schema 2020-12, at the same pointers. */
function toJsonSchema(document: PublicDocument, direction: Direction): JsonRecord {
  const is30 = document.dialect === '3.0';
  const convert = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(convert);
    if (!isRecord(node)) return node;
    const source = is30 && typeof node['$ref'] === 'string' ? { $ref: node['$ref'] } : node;
    // The discriminator chooses the branch, also where others fit.
    const isChosen = isRecord(node['discriminator']) && node['anyOf'] === undefined;
    const members = Object.entries(source)
      .map(([name, value]) => [isChosen && name === 'oneOf' ? 'anyOf' : name, value] as const)
      .filter(([name]) => !dropped.has(name))
      .map(([name, value]): readonly [string, unknown] => {
        if (data.has(name)) return [name, value];
        if (!maps.has(name) || !isRecord(value)) return [name, convert(value)];
        const parts = Object.entries(value).map(([key, part]) => [key, convert(part)]);
        return [name, Object.fromEntries(parts)];
      });
    const converted = { ...Object.fromEntries(members), ...changes(document, source, direction) };
    const sound = Object.entries(converted).filter(([name, value]) =>
      isSound(document, name, value),
    );
    return Object.fromEntries(sound);
  };
  return recordOf(convert(document.root));
}

/** Keywords that OpenAPI reads otherwise than JSON Schema; undefined removes one. */
function changes(document: PublicDocument, node: JsonRecord, direction: Direction): JsonRecord {
  const { type, enum: values, required, properties } = node;
  const changed: Record<string, unknown> = {};
  if (node['nullable'] === true && typeof type === 'string') changed['type'] = [type, 'null'];
  if (node['nullable'] === true && Array.isArray(values))
    changed['enum'] = [...new Set([...values, null])];
  if (type === 'file') changed['type'] = 'string';
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const)
    if (typeof node[exclusive] === 'boolean')
      changed[exclusive] = node[exclusive] ? node[bound] : undefined;
  const absent = direction === 'request' ? 'readOnly' : 'writeOnly';
  if (required !== undefined)
    changed['required'] = Array.isArray(required)
      ? required.filter((name) => {
          const property = document.dereference(recordOf(properties)[String(name)]);
          return recordOf(property)[absent] !== true;
        })
      : undefined;
  return changed;
}

/**
 * False for a keyword whose value means nothing. Documents have such errors, and the rest of their
 * schemas is still usable.
 */
function isSound(document: PublicDocument, name: string, value: unknown): boolean {
  if (value === undefined) return false;
  if (name === 'type') return [value].flat().every((one) => types.has(one));
  if (numbers.has(name)) return typeof value === 'number';
  if (lists.has(name)) return Array.isArray(value) && value.length > 0;
  if (name === 'properties') return isRecord(value);
  if (name === '$ref' && typeof value === 'string' && value.startsWith('#'))
    return document.at(value).node !== undefined;
  return name !== 'pattern' || isPattern(value);
}

/** A regular expression with the flag `u` or without. */
function isPattern(value: unknown): boolean {
  try {
    return typeof value === 'string' && new RegExp(value) instanceof RegExp;
  } catch {
    return false;
  }
}
