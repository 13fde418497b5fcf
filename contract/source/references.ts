import { isJsonArray, isJsonObject, type JsonValue } from '../json/value.ts';

/** Members with plain data, in which `$ref` is an ordinary member. */
const dataNames = new Set(['const', 'default', 'enum', 'example', 'value', 'mapping', 'security']);

/** Members that map free names: a name such as `default` is not a keyword there. */
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

export function isFreeMap(name: string): boolean {
  return freeMaps.has(name);
}

/** `examples` of a schema are a list of data, those of a media type a map of example objects. */
export function isData(name: string, value: JsonValue | undefined): boolean {
  return (
    dataNames.has(name) ||
    (name === 'examples' && !isJsonObject(value)) ||
    (name.startsWith('x-') && !freeMaps.has(name))
  );
}

/** A `$ref` in a document, and the object that has it. */
export interface Reference {
  readonly holder: object;
  readonly text: string;
}

/** Every `$ref` of a document except those in plain data, such as examples. */
export function listReferences(document: JsonValue): readonly Reference[] {
  const found: Reference[] = [];
  const collect = (value: JsonValue | undefined, isMap: boolean): void => {
    if (isJsonArray(value)) for (const item of value) collect(item, false);
    if (!isJsonObject(value)) return;
    for (const [name, member] of Object.entries(value))
      // A component is never a text: in a map of components this refers to the whole map.
      if (name === '$ref' && typeof member === 'string')
        found.push({ holder: value, text: member });
      else if (isMap || !isData(name, member)) collect(member, !isMap && freeMaps.has(name));
  };
  collect(document, false);
  return found;
}
