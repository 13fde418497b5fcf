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

/** What plain Ajv says against a value. */
export interface Flaw {
  /** `[]` stands for every item, as in the ids of requirements. */
  readonly path: readonly string[];
  /** As requirements call the keyword; undefined for one that none is named after. */
  readonly facet: string | undefined;
}

/** Judges values by plain Ajv over the document: a second opinion, which shares no code with the suite's. */
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

  /** Undefined where Ajv cannot compile the schema at the pointer. */
  find(pointer: string, direction: Direction, value: JsonValue): readonly Flaw[] | undefined {
    const validate = this.#schemas[direction].at(pointer);
    if (validate === undefined) return undefined;
    if (validate(toPlain(value))) return [];
    return (validate.errors ?? []).filter(isOwn).map((error) => readFlaw(error, value));
  }
}

/** Numbers beyond a double are rounded before they are judged, 2^63 to itself. */
function isInt64(number: number): boolean {
  return number >= -(2 ** 63) && number < 2 ** 63;
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
