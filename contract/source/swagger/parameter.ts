import { followReference } from '../follow-reference.ts';
import { appendPointer } from '../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { removeMember, setMember } from '../../json/edit.ts';
import { forEachMember, type Conversion } from './conversion.ts';
import { convertSchema, takeSchema } from './schema.ts';
import { wordOf } from '../../json/word.ts';

/** What the parameters of an operation or a path become. */
export interface ConvertedParameters {
  readonly parameters: readonly JsonValue[];
  readonly requestBody: JsonObject | undefined;
}

/** A parameter with its reference followed. */
interface Described {
  readonly value: JsonObject;
  readonly pointer: string;
  readonly reference: string | undefined;
}

/** Splits a list of 2.0 into parameters and a body. */
export function convertParameters(
  conversion: Conversion,
  list: JsonValue | undefined,
  pointer: string,
  consumes: readonly string[],
): ConvertedParameters {
  const parameters: JsonValue[] = [];
  const fields: Described[] = [];
  const bodies: Described[] = [];
  forEachMember(isJsonArray(list) ? list : undefined, pointer, (item, at) => {
    const described = describe(conversion, item, at);
    const place = described?.value['in'];
    if (described === undefined || (place !== 'body' && place !== 'formData')) {
      conversion.moveFrom(item, at);
      if (described?.reference === undefined && isJsonObject(item))
        convertParameter(conversion, item, at);
      parameters.push(item);
    } else if (place === 'formData') fields.push(described);
    else bodies.push(described);
  });
  const [body] = bodies;
  const requestBody =
    body === undefined
      ? fields.length === 0
        ? undefined
        : formFor(conversion, fields, consumes)
      : bodies.length === 1
        ? bodyFor(conversion, body, consumes)
        : joinBodies(conversion, bodies, consumes);
  return { parameters, requestBody };
}

function describe(
  { document }: Conversion,
  item: JsonValue,
  pointer: string,
): Described | undefined {
  const reference = isJsonObject(item) ? item['$ref'] : undefined;
  const found = followReference(document, { pointer, value: item });
  return isJsonObject(found.value)
    ? {
        value: found.value,
        pointer: found.pointer,
        reference: typeof reference === 'string' ? reference : undefined,
      }
    : undefined;
}

/** A parameter that is no body, in place. */
export function convertParameter(
  conversion: Conversion,
  parameter: JsonObject,
  pointer: string,
): void {
  if (parameter['$ref'] !== undefined) return;
  const { type, collectionFormat = 'csv', in: place } = parameter;
  const example = parameter['x-example'];
  if (type === 'array')
    for (const [name, value] of Object.entries(
      styleOf(wordOf(collectionFormat), place === 'query'),
    ))
      setMember(parameter, name, value ?? null);
  removeMember(parameter, 'collectionFormat');
  if (example !== undefined && parameter['example'] === undefined && !isJsonObject(example))
    setMember(parameter, 'example', example);
  if (parameter['schema'] !== undefined) return;
  const schema = takeSchema(parameter);
  conversion.moveFrom(schema, pointer);
  setMember(parameter, 'schema', schema);
}

function styleOf(format: string, isQuery: boolean): JsonObject {
  if (format === 'multi') return isQuery ? { style: 'form', explode: true } : {};
  if (!isQuery) return { style: 'simple', explode: false };
  if (format === 'ssv') return { style: 'spaceDelimited', explode: false };
  if (format === 'pipes') return { style: 'pipeDelimited', explode: false };
  return { style: 'form', explode: false };
}

function bodyFor(
  conversion: Conversion,
  { value, pointer, reference }: Described,
  consumes: readonly string[],
): JsonObject {
  // The shared body has the media types of the document.
  if (reference?.startsWith('#/parameters/') === true && consumes === conversion.consumes)
    return { $ref: reference.replace('#/parameters/', '#/components/requestBodies/') };
  return convertBody(conversion, value, pointer, consumes);
}

/**
 * Several parameters `in: body`, which version 2.0 does not allow, as the members of one object. None
 * is required, because some generators list alternatives like this.
 */
function joinBodies(
  conversion: Conversion,
  bodies: readonly Described[],
  consumes: readonly string[],
): JsonObject {
  const [first, ...others] = bodies;
  for (const { pointer } of others)
    conversion.warn(
      pointer,
      'an operation has only one parameter with in: body',
      'Describe one object; they are read as its members, none of them required.',
    );
  const properties = bodies.map(({ value: { name, schema = {} }, pointer }) => {
    convertSchema(schema);
    conversion.moveFrom(schema, appendPointer(pointer, 'schema'));
    return [wordOf(name), schema] as const;
  });
  const schema = { type: 'object', properties: Object.fromEntries(properties) };
  const body = {
    required: bodies.some(({ value }) => value['required'] === true),
    content: Object.fromEntries(consumes.map((name) => [name, { schema }] as const)),
  };
  if (first !== undefined) conversion.moveFrom(body, first.pointer);
  return body;
}

/** A parameter `in: body` as a request body. */
export function convertBody(
  conversion: Conversion,
  parameter: JsonObject,
  pointer: string,
  consumes: readonly string[],
): JsonObject {
  const {
    description,
    required = false,
    schema = {},
    'x-examples': examples,
    'x-example': example,
  } = parameter;
  convertSchema(schema);
  conversion.moveFrom(schema, appendPointer(pointer, 'schema'));
  const exampleFor = (name: string): JsonObject => {
    const one = [examples, example].map((some) => (isJsonObject(some) ? some[name] : undefined));
    const [found] = one.filter((value) => value !== undefined);
    return found === undefined ? {} : { example: found };
  };
  const content = Object.fromEntries(
    consumes.map((name) => [name, { schema, ...exampleFor(name) }] as const),
  );
  const body = { ...(description === undefined ? {} : { description }), required, content };
  conversion.moveFrom(body, pointer);
  return body;
}

/** Fields of a form as a request body. */
function formFor(
  conversion: Conversion,
  fields: readonly Described[],
  consumes: readonly string[],
): JsonObject {
  const encoding: JsonObject = {};
  const converted = fields.map(({ value, pointer }) => {
    const { type, collectionFormat = 'csv', description } = value;
    const name = wordOf(value['name']);
    if (type === 'array') setMember(encoding, name, styleOf(wordOf(collectionFormat), true));
    const schema = takeSchema({ ...value });
    if (description !== undefined) setMember(schema, 'description', description);
    conversion.moveFrom(schema, pointer);
    const mayBeEmpty = value['allowEmptyValue'] === true;
    return {
      name,
      isRequired: value['required'] === true,
      schema: mayBeEmpty ? { anyOf: [schema, { type: 'string', maxLength: 0 }] } : schema,
    };
  });
  const forms = consumes.filter((name) => /^multipart\/|x-www-form-urlencoded/.test(name));
  const hasFile = fields.some(({ value }) => value['type'] === 'file');
  const fallback = hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
  const body = formBody(converted, forms.length === 0 ? [fallback] : forms, encoding);
  const [first] = fields;
  if (first !== undefined) conversion.moveFrom(body, first.pointer);
  return body;
}

interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: JsonObject;
}

/** The request body that a form with some fields is. */
export function formBody(
  fields: readonly Field[],
  mediaTypes: readonly string[],
  encoding: JsonObject = {},
): JsonObject {
  const required = fields.filter((field) => field.isRequired).map(({ name }) => name);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, field.schema])),
    ...(required.length === 0 ? {} : { required }),
  };
  const media = { schema, ...(Object.keys(encoding).length === 0 ? {} : { encoding }) };
  return {
    required: required.length > 0,
    content: Object.fromEntries(mediaTypes.map((name) => [name, { ...media }])),
  };
}
