import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '../../../json/value.ts';
import { removeMember, setMember } from '../../../json/edit.ts';
import { type Repair, type Rule, warning } from '../../base/repair.ts';
import type { Place } from '../../base/place.ts';
import { looksLikeSchema, schemaWords } from '../../base/schema.ts';

/** A media type that is written as its schema, or refers to one. */
export const repairMediaType: Rule = (mediaType, place, repair) => {
  const { $ref: reference, schema } = mediaType;
  const isSchema =
    schema === undefined &&
    (typeof reference === 'string' ? isSchemaReference(reference) : looksLikeSchema(mediaType));
  if (isSchema) {
    const remedy = 'Write it in schema; it is read so.';
    repair.report(place, warning('a schema stands in the place of a media type', remedy));
    const moved = {};
    repair.keepOrigin(moved, place);
    for (const name of ['$ref', 'description', 'required', ...schemaWords]) {
      const value = mediaType[name];
      if (value === undefined) continue;
      setMember(moved, name, value);
      removeMember(mediaType, name);
    }
    setMember(mediaType, 'schema', moved);
  }
  repairExamples(mediaType, place, repair);
};

function isSchemaReference(reference: string): boolean {
  return /(?:schemas|definitions)\/[^/]+$/.test(reference);
}

/** The content of a body that is one media type without its name, or the schema alone. */
export const repairBody: Rule = (body, place, repair) => {
  if (body['$ref'] !== undefined) return;
  const { content, schema } = body;
  if (isJsonObject(content) && isMediaType(content)) {
    const remedy = 'Write it under its name, such as application/json; it is read so.';
    const at = { parent: place, token: 'content' };
    repair.report(at, warning('content names no media type', remedy));
    repair.keepOrigin(content, at);
    setMember(body, 'content', { 'application/json': content });
  }
  if (content !== undefined || schema === undefined) return;
  const at = { parent: place, token: 'schema' };
  const remedy = 'Write it under content and a media type; it is read as application/json.';
  repair.report(at, warning('a schema stands outside content', remedy));
  repair.keepOrigin(schema, at);
  removeMember(body, 'schema');
  setMember(body, 'content', { 'application/json': { schema } });
};

function isMediaType(content: JsonObject): boolean {
  const names = Object.keys(content).filter((name) => !name.startsWith('x-'));
  return (
    names.length > 0 && names.every((name) => ['schema', 'example', 'examples'].includes(name))
  );
}

const exampleWords = [
  '$ref',
  'value',
  'externalValue',
  'dataValue',
  'serializedValue',
  'summary',
  'description',
];

/** `examples` is a map of example objects: not a list of values, nor a map of values. */
export function repairExamples(holder: JsonObject, place: Place | undefined, repair: Repair): void {
  const { examples } = holder;
  if (examples === undefined || examples === null) return;
  const at = { parent: place, token: 'examples' };
  const entries: readonly (readonly [string, JsonValue | undefined])[] = isJsonArray(examples)
    ? examples.map((value, index) => [String(index + 1), value] as const)
    : isJsonObject(examples)
      ? Object.entries(examples)
      : [['1', examples]];
  const named = entries.map(([name, value]) => [name, readExample(value)] as const);
  if (isJsonObject(examples) && named.every(([name, value]) => examples[name] === value)) return;
  const remedy = 'Write each as an object with its value; they are read so.';
  repair.report(at, warning('examples must be a map of example objects', remedy));
  for (const [name, value] of named) repair.keepOrigin(value, { parent: at, token: name });
  setMember(holder, 'examples', Object.fromEntries(named));
}

function readExample(value: JsonValue | undefined): JsonValue {
  const isExample =
    isJsonObject(value) &&
    Object.keys(value).every((name) => name.startsWith('x-') || exampleWords.includes(name));
  return isExample ? value : { value: value ?? null };
}

/** The words of OpenAPI 3.2 for the value of an example. */
export const repairExample: Rule = (example) => {
  const { value, dataValue, serializedValue } = example;
  if (value !== undefined) return;
  if (dataValue !== undefined) setMember(example, 'value', dataValue);
  else if (typeof serializedValue === 'string')
    setMember(example, 'value', readSerialized(serializedValue));
};

/** A text that is JSON is meant as that: other types have their text. */
function readSerialized(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
