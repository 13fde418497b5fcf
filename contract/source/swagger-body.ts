import { removeMember, setMember, takeMembers } from '../json/edit.ts';
import { appendPointer } from '../json/pointer.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  wordOf,
} from '../json/value.ts';
import type { DiagnosticLog } from './diagnostic-log.ts';
import type { BodyParameter } from './node.ts';

/** Keywords of a schema that version 2.0 has beside the name of a parameter or header, too. */
export const plainSchemaWords: readonly string[] = [
  'type',
  'format',
  'items',
  'default',
  'enum',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'multipleOf',
];

/** The request body that parameters of version 2.0 describe. */
export function requestBodyOf(
  parameters: readonly BodyParameter[],
  consumes: readonly string[],
  log: DiagnosticLog,
): JsonObject {
  const bodies = parameters.filter(({ value }) => value['in'] === 'body');
  const body =
    bodies.length > 0 ? bodyOf(bodies, consumes, log) : formOf(parameters, consumes, log);
  log.keepOrigin(body, (bodies[0] ?? parameters[0])?.pointer ?? '#');
  return body;
}

/**
 * Several parameters `in: body`, which version 2.0 does not allow, are the members of one object. None
 * is required, because some generators list alternatives like this.
 */
function bodyOf(
  bodies: readonly BodyParameter[],
  consumes: readonly string[],
  log: DiagnosticLog,
): JsonObject {
  const [first, ...others] = bodies;
  for (const { pointer } of others)
    log.report(
      'invalid-parameter',
      pointer,
      'an operation has only one parameter with in: body',
      'Describe one object; they are read as its members, none of them required.',
    );
  const schemas = bodies.map(({ value, pointer }): [string, JsonValue] => [
    wordOf(value['name']),
    convertSchemaOf(value, pointer, log),
  ]);
  const required = bodies.map(({ value }) => value['required']).find(Boolean) ?? false;
  if (others.length > 0) {
    const schema = { type: 'object', properties: Object.fromEntries(schemas) };
    return { required, content: mediaOf(consumes, () => ({ schema })) };
  }
  const schema = schemas[0]?.[1] ?? {};
  const { description, 'x-examples': examples, 'x-example': example } = first?.value ?? {};
  const content = mediaOf(consumes, (name) => {
    const shown = [examples, example]
      .map((some) => (isJsonObject(some) ? some[name] : undefined))
      .find((some) => some !== undefined);
    return { schema, ...(shown !== undefined && { example: shown }) };
  });
  return { ...(description !== undefined && { description }), required, content };
}

function formOf(
  parameters: readonly BodyParameter[],
  consumes: readonly string[],
  log: DiagnosticLog,
): JsonObject {
  const encoding: JsonObject = {};
  const properties: JsonObject = {};
  const required: string[] = [];
  for (const { value, pointer } of parameters) {
    const { type, collectionFormat, description, allowEmptyValue } = value;
    const name = wordOf(value['name']);
    if (type === 'array') setMember(encoding, name, styleOf(collectionFormat, true));
    const schema = isJsonObject(value['schema']) ? value['schema'] : takeSchema({ ...value });
    if (description !== undefined) setMember(schema, 'description', description);
    if (allowEmptyValue === false && type === 'string' && schema['minLength'] === undefined)
      setMember(schema, 'minLength', 1);
    log.keepOrigin(schema, pointer);
    const orEmpty = { anyOf: [schema, { type: 'string', maxLength: 0 }] };
    setMember(properties, name, allowEmptyValue === true ? orEmpty : schema);
    if (value['required'] === true) required.push(name);
  }
  const schema = { type: 'object', properties, ...(required.length > 0 && { required }) };
  const media = { schema, ...(Object.keys(encoding).length > 0 && { encoding }) };
  const forms = consumes.filter((name) => /^multipart\/|x-www-form-urlencoded/.test(name));
  const hasFile = parameters.some(({ value }) => value['type'] === 'file');
  const either = ['application/x-www-form-urlencoded', 'multipart/form-data'];
  const fallback = hasFile ? either.slice(1) : either;
  return {
    required: required.length > 0,
    content: mediaOf(forms.length === 0 ? fallback : forms, () => ({ ...media })),
  };
}

export function mediaOf(names: Iterable<string>, media: (name: string) => JsonObject): JsonObject {
  return Object.fromEntries(Array.from(names, (name) => [name, media(name)]));
}

/** Separators of lists; `tsv` does not exist any more, and is read as `csv`. */
const queryStyles: ReadonlyMap<string, JsonObject> = new Map([
  ['multi', { style: 'form', explode: true }],
  ['ssv', { style: 'spaceDelimited', explode: false }],
  ['pipes', { style: 'pipeDelimited', explode: false }],
]);

export function styleOf(format: JsonValue | undefined, isQuery: boolean): JsonObject {
  if (isQuery) return { ...(queryStyles.get(wordOf(format)) ?? { style: 'form', explode: false }) };
  return format === 'multi' ? {} : { style: 'simple', explode: false };
}

/** The schema of a parameter `in: body`, or of a response. */
export function convertSchemaOf(
  { schema = {} }: JsonObject,
  pointer: string,
  log: DiagnosticLog,
): JsonValue {
  convertSchema(schema);
  log.keepOrigin(schema, appendPointer(pointer, 'schema'));
  return schema;
}

/** Takes the keywords of a schema out of a parameter, header or form field. */
export function takeSchema(holder: JsonObject): JsonObject {
  const schema = takeMembers(holder, [...plainSchemaWords, 'x-nullable']);
  convertSchema(schema);
  return schema;
}

/** Keywords of version 2.0 in a schema and all that it holds. */
export function convertSchema(schema: JsonValue | undefined): void {
  if (!isJsonObject(schema)) return;
  const { discriminator, type, format = 'binary', properties, 'x-nullable': nullable } = schema;
  if (typeof discriminator === 'string')
    setMember(schema, 'discriminator', { propertyName: discriminator });
  if (type === 'file') {
    setMember(schema, 'type', 'string');
    setMember(schema, 'format', format);
  }
  if (typeof nullable === 'boolean') {
    removeMember(schema, 'x-nullable');
    setMember(schema, 'nullable', nullable);
  }
  for (const name of ['items', 'additionalProperties', 'not', 'allOf', 'anyOf', 'oneOf']) {
    const inner = schema[name];
    for (const one of isJsonArray(inner) ? inner : [inner]) convertSchema(one);
  }
  if (isJsonObject(properties)) for (const one of Object.values(properties)) convertSchema(one);
}
