import {
  isJsonArray,
  isJsonObject,
  mapMembers,
  type JsonObject,
  type JsonValue,
} from '../json/value.ts';
import { appendPointer } from '../json/pointer.ts';

/** Members that hold plain data, where a `$ref` would be a member like any other. */
const dataNames = new Set(['const', 'default', 'enum', 'example', 'value', 'mapping', 'security']);

/** Members that map free names to things: a name such as `default` is no keyword there. */
const freeMaps = new Set([
  '$defs',
  'callbacks',
  'content',
  'definitions',
  'dependentSchemas',
  'encoding',
  'examples',
  'headers',
  'links',
  'parameters',
  'pathItems',
  'paths',
  'patternProperties',
  'properties',
  'requestBodies',
  'responses',
  'schemas',
  'securitySchemes',
  'variables',
  'webhooks',
  'x-files',
]);

/** Gives the new text of a `$ref` that stands at `pointer`. */
export type ReferenceRewriter = (reference: string, pointer: string) => string;

/** What a walk over a document changes. */
interface ReferenceChange {
  readonly reference: ReferenceRewriter;
  readonly data: (value: JsonValue, name: string) => JsonValue;
}

/** A copy of the document with every `$ref` rewritten. Plain data, such as examples, stays. */
export function mapReferences(document: JsonObject, rewrite: ReferenceRewriter): JsonObject;
export function mapReferences(document: JsonValue, rewrite: ReferenceRewriter): JsonValue;
export function mapReferences(document: JsonValue, rewrite: ReferenceRewriter): JsonValue {
  return mapValue(document, '#', { reference: rewrite, data: (value) => value });
}

/** A copy of the document with its plain data mapped: examples, defaults, extensions. */
export function mapData(document: JsonObject, data: ReferenceChange['data']): JsonObject {
  return mapObject(document, '#', { reference: (reference) => reference, data });
}

/** Every `$ref` of the document, with the pointer of the object that holds it. */
export function listReferences(
  document: JsonValue,
): readonly { readonly reference: string; readonly pointer: string }[] {
  const found: { reference: string; pointer: string }[] = [];
  mapReferences(document, (reference, pointer) => {
    found.push({ reference, pointer });
    return reference;
  });
  return found;
}

function mapObject(object: JsonObject, pointer: string, change: ReferenceChange): JsonObject {
  return mapMembers(object, (value: JsonValue | undefined, name) => {
    if (name === '$ref' && typeof value === 'string') return change.reference(value, pointer);
    return mapMember(name, value ?? null, appendPointer(pointer, name), change);
  });
}

function mapMember(
  name: string,
  value: JsonValue,
  pointer: string,
  change: ReferenceChange,
): JsonValue {
  if (isData(name, value)) return change.data(value, name);
  if (freeMaps.has(name) && isJsonObject(value)) return mapNames(value, pointer, change);
  return mapValue(value, pointer, change);
}

/** `examples` of a schema are a list of data, those of a media type a map of example objects. */
function isData(name: string, value: JsonValue): boolean {
  return (
    dataNames.has(name) ||
    (name === 'examples' && !isJsonObject(value)) ||
    (name.startsWith('x-') && !freeMaps.has(name))
  );
}

function mapNames(map: JsonObject, pointer: string, change: ReferenceChange): JsonObject {
  return mapMembers(map, (value: JsonValue | undefined, name) =>
    // A thing is never a text: this stands for the whole map.
    name === '$ref' && typeof value === 'string'
      ? change.reference(value, pointer)
      : mapValue(value ?? null, appendPointer(pointer, name), change),
  );
}

function mapValue(value: JsonValue, pointer: string, change: ReferenceChange): JsonValue {
  if (isJsonArray(value))
    return value.map((item, index) => mapValue(item, appendPointer(pointer, index), change));
  return isJsonObject(value) ? mapObject(value, pointer, change) : value;
}
