import { plainSchemaWords } from '../../source/schema-words.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../../json/value.ts';

/** The type names of a schema object, `null` left out; empty where it does not say. */
export function typesOf(schema: JsonObject): readonly string[] {
  const { type } = schema;
  const names = isJsonArray(type) ? type : [type];
  return names.filter((name) => typeof name === 'string').filter((name) => name !== 'null');
}

/** Whether an object has the words of a schema at its top, where another object is wanted. */
export function looksLikeSchema(object: JsonObject): boolean {
  return (
    typeof object['type'] === 'string' ||
    isJsonObject(object['properties']) ||
    isJsonObject(object['items']) ||
    ['allOf', 'anyOf', 'oneOf', 'enum'].some((name) => isJsonArray(object[name]))
  );
}

/** Words that a schema has and that parameters, headers and media types do not. */
export const schemaWords: readonly string[] = [
  ...plainSchemaWords,
  'const',
  'properties',
  'additionalProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'nullable',
];
