import type { ErrorObject } from 'ajv';
import { appendPointer, parsePointer, resolvePointer } from '../../contract/json/pointer.ts';
import { facetOf } from '../../contract/schema/keywords.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../contract/json/value.ts';
import { type Direction, DocumentSchemas, toPlain } from './document-schemas.ts';

/** An error that plain Ajv finds in a value. */
export interface Flaw {
  /** `[]` means every item, as in the ids of requirements. */
  readonly path: readonly string[];
  /** The keyword, as in the ids of requirements; undefined if no requirement is named after it. */
  readonly facet: string | undefined;
}

/**
 * Validates values by plain Ajv against the document: a second opinion that shares no code with the
 * suite's.
 */
export class SchemaCheck {
  readonly #schemas: Readonly<Record<Direction, DocumentSchemas>>;

  constructor(root: JsonObject) {
    const dereference = (node: unknown): unknown => {
      const reference: unknown = Object(node).$ref;
      return typeof reference === 'string' && reference.startsWith('#')
        ? resolvePointer(root, reference)
        : node;
    };
    const document = { root, hidesSiblings: false, dereference };
    const options = {
      allErrors: true,
      formats: { int64: { type: 'number', validate: isInt64 } },
    } as const;
    this.#schemas = {
      request: new DocumentSchemas(document, 'request', options),
      response: new DocumentSchemas(document, 'response', options),
    };
  }

  /** Undefined if Ajv cannot compile the schema at the pointer. */
  find(pointer: string, direction: Direction, value: JsonValue): readonly Flaw[] | undefined {
    const validate = this.#schemas[direction].at(pointer);
    if (validate === undefined) return undefined;
    if (validate(toPlain(value))) return [];
    return (validate.errors ?? []).filter(isOwn).map((error) => readFlaw(error, value));
  }
}

/** Numbers beyond double precision are rounded before they are judged, and 2^63 is exact. */
function isInt64(number: number): boolean {
  return number >= -(2 ** 63) && number < 2 ** 63;
}

/** False for a keyword that only reports that one of its subschemas does not match. */
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
