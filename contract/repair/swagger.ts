import { setMember, takeMembers } from '../json/edit.ts';
import { appendPointer } from '../json/pointer.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listOf,
  objectOf,
  wordOf,
} from '../json/value.ts';
import type { DiagnosticLog } from '../source/diagnostic.ts';
import type { Located } from '../source/node.ts';
import type { Cursor } from './cursor.ts';

/**
 * Members that version 2.0 has in other places than version 3.0. They are moved in documents of both
 * versions: many of version 3 have leftovers, which are reported.
 */

/** The places of version 3.0 components in 2.0. */
const moved = [
  ['schemas', 'definitions'],
  ['parameters', 'parameters'],
  ['responses', 'responses'],
  ['securitySchemes', 'securityDefinitions'],
] as const;

/** What messages say of documents of version 3, and of those of 2.0. */
const terms: readonly (readonly [string, string])[] = [
  ...moved.map(([to, from]) => [`#/components/${to}/`, `#/${from}/`] as const),
  ...moved.map(([to, from]) => [`components.${to}`, from] as const),
  ['query, header, path, cookie', 'query, header, path, formData, body'],
  ['header, query, cookie', 'header, query'],
  ['apiKey, http, oauth2, openIdConnect, mutualTLS', 'basic, apiKey, oauth2'],
  ['Write type: http; it is read as that', 'Write type: apiKey; it is read as a bearer token'],
];

/** Most media types of one list: each operation may have all of the document's. */
export const maxMediaTypes = 20;

/** Most media types of all responses of a document, after which each response has one. */
export const maxResponseTypes = 25_000;

/** Whether a document is version 2.0. */
export function isSwagger({ swagger, openapi }: JsonObject): boolean {
  return openapi === undefined && /^2\b/.test(wordOf(swagger));
}

/** Gives a version 2.0 document the structure of 3.0. */
export function moveComponents(root: Cursor): void {
  const { object: document, repair } = root;
  if (!repair.isSwagger) return;
  repair.log.inTerms = (message) =>
    terms.reduce((text, [to, from]) => text.replaceAll(to, from), message);
  repair.consumes = mediaTypesOf(root, 'consumes');
  repair.produces = mediaTypesOf(root, 'produces');
  const { host, basePath = '', schemes } = document;
  const known = textsOf(schemes) ?? ['https'];
  const origins = host === undefined ? [''] : known.map((scheme) => `${scheme}://${wordOf(host)}`);
  const servers = origins.map((origin) => ({ url: origin + wordOf(basePath) }));
  const components = { ...objectOf(document['components']) };
  for (const [to, from] of moved)
    if (isJsonObject(document[from])) setMember(components, to, document[from]);
  const old = 'swagger host basePath schemes consumes produces'.split(' ');
  root.change({
    ...Object.fromEntries(
      [...old, ...moved.map(([, from]) => from)].map((one) => [one, undefined]),
    ),
    components,
    ...((host !== undefined || basePath !== '') && { servers }),
    openapi: '3.0.4',
  });
}

/** The media types that an operation consumes or produces, by default the document's. */
function mediaTypesOf(holder: Cursor, name: 'consumes' | 'produces'): readonly string[] {
  const { isSwagger: isOld, [name]: byDefault, log } = holder.repair;
  const types = isOld ? textsOf(holder.object[name]) : undefined;
  if (types === undefined || types.length <= maxMediaTypes) return types ?? byDefault;
  const message = `lists ${types.length} media types, and only the first ${maxMediaTypes} are read`;
  log.report('too-large', holder.at(name), message, 'List fewer.');
  return types.slice(0, maxMediaTypes);
}

/** Removes the media types of version 2.0 from an operation, for its body and responses. */
export function moveMediaTypes(operation: Cursor): void {
  const { repair } = operation;
  if (!repair.isSwagger) return;
  repair.consumed.set(operation.object, mediaTypesOf(operation, 'consumes'));
  const produces = mediaTypesOf(operation, 'produces');
  repair.produced = produces.join() === repair.produces.join() ? undefined : produces;
  operation.change({ consumes: undefined, produces: undefined, schemes: undefined });
}

/** Moves a schema directly in a response or request body, and the examples next to it, into `content`. */
export function moveContent(cursor: Cursor): void {
  const { repair } = cursor;
  const { $ref: reference, content, schema, examples } = cursor.object;
  if (reference !== undefined || content !== undefined) return;
  if (schema === undefined && !(repair.isSwagger && isJsonObject(examples))) return;
  let types = repair.produced ?? repair.produces;
  if (repair.responseTypes > maxResponseTypes) {
    const message = `responses have more than ${maxResponseTypes} media types; from this one on only the first is read`;
    if (Number.isFinite(repair.responseTypes))
      cursor.report('too-large', undefined, message, 'List fewer.');
    repair.responseTypes = Infinity;
    types = types.slice(0, 1);
  }
  const fix = 'Write it under content and a media type; it is read as application/json.';
  cursor.reportOld('invalid-content', 'schema', 'schema must be inside content', fix);
  const read = contentOf(schema, objectOf(examples), types);
  for (const one of [read, ...Object.values(read)]) cursor.keepOrigin(one);
  for (const [type, example] of Object.entries(objectOf(examples)))
    cursor.keepOrigin(example, 'examples', type);
  const added = Object.keys(read).length;
  repair.responseTypes += added;
  cursor.change({
    schema: undefined,
    examples: undefined,
    content: added === 0 ? undefined : read,
  });
}

/** The media types of a response. `examples`: by media type. */
function contentOf(
  schema: JsonValue | undefined,
  examples: JsonObject,
  produces: readonly string[],
): JsonObject {
  const described = Object.keys(examples).filter((name) => name.includes('/'));
  // For `text/*` or any type, `produces` lists the actual ones.
  const ranges = described.filter((name) => name.endsWith('/*'));
  const names = new Set([
    ...(schema === undefined && ranges.length === 0 ? [] : produces),
    ...described.filter((name) => !ranges.includes(name)),
  ]);
  return mediaOf(names, (name) => {
    const range = ranges.find((one) => one === '*/*' || name.startsWith(one.slice(0, -1)));
    const example = examples[name] ?? (range === undefined ? undefined : examples[range]);
    return { ...(schema !== undefined && { schema }), ...(example !== undefined && { example }) };
  });
}

/** A parameter `in: body` or `in: formData`, with its reference followed. */
interface BodyParameter extends Located {
  readonly value: JsonObject;
}

export function isBodyParameter(value: JsonValue): value is JsonObject {
  return isJsonObject(value) && ['body', 'formData'].includes(wordOf(value['in']));
}

/**
 * Moves body parameters of an operation or path item into the request bodies of operations without one. The
 * operations must be repaired before. @returns these operations
 */
export function moveBodies(
  holder: Cursor,
  operations: readonly Cursor[] = [holder],
): readonly Cursor[] {
  const { references, consumed, consumes } = holder.repair;
  const list = holder.list('parameters');
  const bodies = new Map<number, BodyParameter>();
  for (const [index, item] of list?.object.entries() ?? []) {
    const at = { pointer: list?.at(index) ?? '#', value: item };
    const { pointer, value } = references.follow(at) ?? at;
    if (isBodyParameter(value)) bodies.set(index, { pointer, value });
  }
  if (bodies.size === 0) return [];
  const without = operations.filter(({ object }) => object['requestBody'] === undefined);
  for (const { object, repair } of without) {
    const body = requestBodyOf([...bodies.values()], consumed.get(object) ?? consumes, repair.log);
    setMember(object, 'requestBody', body);
  }
  list?.filter((_value, index) => !bodies.has(index));
  return without;
}

/** Reports a parameter that describes a body. */
export function reportBody(parameter: Cursor): void {
  const message = `in: ${wordOf(parameter.object['in'])} exists only in version 2.0`;
  const fix = 'Describe it in requestBody; it is read as that.';
  parameter.reportOld('other-version', undefined, message, fix);
}

function requestBodyOf(
  parameters: readonly BodyParameter[],
  consumes: readonly string[],
  log: DiagnosticLog,
): JsonObject {
  const [bodies = [], fields = []] = ['body', 'formData'].map((place) =>
    parameters.filter(({ value }) => value['in'] === place),
  );
  const [first] = bodies.length > 0 ? bodies : parameters;
  for (const { pointer } of bodies.length > 0 ? fields : [])
    log.report(
      'invalid-parameter',
      pointer,
      'an operation has no parameter with in: formData beside one with in: body',
      'Describe the whole body in one way; this is ignored.',
    );
  const body =
    bodies.length > 0 ? bodyOf(bodies, consumes, log) : formOf(parameters, consumes, log);
  log.keepOrigin(body, first?.pointer ?? '#');
  return body;
}

/**
 * Several parameters `in: body`, which version 2.0 forbids, become the members of one object. None is
 * required, because some generators list alternatives like this.
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
  const schemas = bodies.map(({ value, pointer }): [string, JsonValue] => {
    const { name, schema = {} } = value;
    log.keepOrigin(schema, appendPointer(pointer, 'schema'));
    return [wordOf(name), schema];
  });
  const required = bodies.map(({ value }) => value['required']).find(Boolean) ?? false;
  if (others.length > 0) {
    const schema = { type: 'object', properties: Object.fromEntries(schemas) };
    return { required, content: mediaOf(consumes, () => ({ schema })) };
  }
  const schema = schemas[0]?.[1] ?? {};
  const { description, 'x-examples': examples, 'x-example': example } = first?.value ?? {};
  const content = mediaOf(consumes, (name) => {
    const shown = objectOf(examples)[name] ?? objectOf(example)[name];
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
    if (type === 'array') setMember(encoding, name, styleOf(collectionFormat, 'query'));
    const schema = isJsonObject(value['schema'])
      ? value['schema']
      : takeMembers({ ...value }, plainWords);
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

function mediaOf(names: Iterable<string>, media: (name: string) => JsonObject): JsonObject {
  return Object.fromEntries(Array.from(names, (name) => [name, media(name)]));
}

/** Keywords that version 2.0 has next to the name of a parameter or header. */
const plainWords =
  `type format items default enum maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength
  pattern maxItems minItems uniqueItems multipleOf x-nullable`.split(/\s+/);

/** Keywords that only schemas have, except `required` and `description`. */
const schemaWords = [
  ...plainWords,
  ...'const properties additionalProperties allOf anyOf oneOf nullable'.split(' '),
];

/** Moves the schema keywords of a parameter or header into `schema`. */
export function moveKeywords(cursor: Cursor, noun: string, byDefault?: JsonObject): void {
  const { schema, content, type, collectionFormat, in: place } = cursor.object;
  if (schema !== undefined && schema !== null) return;
  const [media] = Object.values(objectOf(content));
  if (isJsonObject(media) && media['schema'] === undefined) setMember(media, 'schema', {});
  if (media !== undefined) return;
  const { isSwagger: isOld } = cursor.repair;
  const words = (isOld ? plainWords : schemaWords).filter(
    (name) => cursor.object[name] !== undefined,
  );
  if (words.length > 0) {
    const fix = `Write ${words.join(', ')} in schema; it is read as that.`;
    cursor.reportOld('missing-member', undefined, `a ${noun} needs a schema`, fix);
  } else if (byDefault !== undefined) {
    const needed = isOld ? 'type' : 'schema';
    const fix = `Add ${needed}; until then any string is accepted.`;
    cursor.report('missing-member', undefined, `a ${noun} needs a ${needed}`, fix);
  } else return;
  const style = type === 'array' ? styleOf(collectionFormat, place) : {};
  if (isOld || (type === 'array' && collectionFormat !== undefined))
    cursor.change({ ...style, collectionFormat: undefined });
  cursor.set('schema', words.length === 0 ? { ...byDefault } : moveOut(cursor, words));
}

/** Moves a schema into the object that should contain it. */
export function moveSchema(cursor: Cursor): void {
  cursor.set('schema', moveOut(cursor, ['$ref', 'description', 'required', ...schemaWords]));
}

/** Moves members of an object into a new one that replaces it. */
export function moveOut(cursor: Cursor, names: readonly string[]): JsonObject {
  const taken = takeMembers(cursor.object, names);
  cursor.keepOrigin(taken);
  return taken;
}

/** Separators of lists. Version 3 has no style for `tsv`. */
const queryStyles: ReadonlyMap<string, JsonObject> = new Map([
  ['multi', { style: 'form', explode: true }],
  ['ssv', { style: 'spaceDelimited', explode: false }],
  ['tsv', { style: 'tabDelimited', explode: false }],
  ['pipes', { style: 'pipeDelimited', explode: false }],
]);

function styleOf(format: JsonValue | undefined, place: JsonValue | undefined): JsonObject {
  if (place === 'query')
    return { ...(queryStyles.get(wordOf(format)) ?? { style: 'form', explode: false }) };
  return format === 'multi' ? {} : { style: 'simple', explode: false };
}

const flows: ReadonlyMap<string, string> = new Map([
  ['password', 'password'],
  ['application', 'clientCredentials'],
  ['accessCode', 'authorizationCode'],
]);

/** Moves the OAuth flow of version 2.0 into `flows`. */
export function moveFlow(scheme: Cursor): void {
  const { type, flow, flows: known, scopes = {} } = scheme.object;
  if (scheme.repair.isSwagger && type === 'basic') scheme.change({ type: 'http', scheme: 'basic' });
  if (type !== 'oauth2' || known !== undefined || typeof flow !== 'string') return;
  scheme.reportOld(
    'other-version',
    'flow',
    'flow exists only in version 2.0',
    'Write flows; it is read as that.',
  );
  const addresses = takeMembers(scheme.object, ['authorizationUrl', 'tokenUrl']);
  const read = { [flows.get(flow) ?? 'implicit']: { ...addresses, scopes } };
  scheme.change({ flow: undefined, scopes: undefined, flows: read });
}

/** Schema keywords of version 2.0. */
export function readOldKeywords(cursor: Cursor): void {
  const { discriminator, type, format = 'binary', 'x-nullable': nullable } = cursor.object;
  if (typeof discriminator === 'string')
    cursor.set('discriminator', { propertyName: discriminator });
  if (type === 'file') cursor.change({ type: 'string', format });
  if (typeof nullable === 'boolean') cursor.change({ 'x-nullable': undefined, nullable });
}

/** The strings in a list; undefined for none. */
function textsOf(value: JsonValue | undefined): readonly string[] | undefined {
  const texts = listOf(value).filter((one) => typeof one === 'string');
  return texts.length === 0 ? undefined : texts;
}

/** Removes the components for bodies: the operations that refer to them contain them now. */
export function removeBodyParameters({ object: document }: Cursor): void {
  const { parameters } = objectOf(document['components']);
  if (isJsonArray(parameters)) return;
  for (const [name, value = null] of Object.entries(objectOf(parameters)))
    if (isBodyParameter(value)) Reflect.deleteProperty(objectOf(parameters), name);
}
