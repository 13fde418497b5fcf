import { removeMember, setMember, takeMembers } from '../json/edit.ts';
import { appendPointer } from '../json/pointer.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listOf,
  wordOf,
} from '../json/value.ts';
import type { DiagnosticLog } from './diagnostic.ts';
import { followReference, isBodyParameter, type BodyParameter } from './node.ts';

/** What the components of version 3.0 are in 2.0. */
const moved = [
  ['schemas', 'definitions'],
  ['parameters', 'parameters'],
  ['responses', 'responses'],
  ['securitySchemes', 'securityDefinitions'],
] as const;

/** Media types of one list: each operation may have all those of the document. */
export const mostMediaTypes = 20;

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

/** Whether a document is of version 2.0. */
export function isSwagger({ swagger, openapi }: JsonObject): boolean {
  return openapi === undefined && /^2\b/.test(wordOf(swagger));
}

/** Turns a document of version 2.0 into one of 3.0, in place; origins stay those of the text. */
export function convertSwagger(document: JsonObject, log: DiagnosticLog): void {
  log.inTerms = (message) => {
    let text = message;
    for (const [to, from] of moved)
      text = text
        .replaceAll(`#/components/${to}/`, `#/${from}/`)
        .replaceAll(`components.${to}`, from);
    return text;
  };
  const consumed = readTypes(document, '#', 'consumes', log) ?? ['application/json'];
  const produced = readTypes(document, '#', 'produces', log) ?? ['application/json'];
  // Before the components, because these still have to be what references in here lead to.
  forEachObject(document['paths'], '#/paths', (item, itemAt) => {
    const shared = takeBodies(document, item, itemAt, log);
    for (const method of methods) {
      const operation = item[method];
      if (!isJsonObject(operation)) continue;
      const at = appendPointer(itemAt, method);
      const consumes = readTypes(operation, at, 'consumes', log) ?? consumed;
      const produces = readTypes(operation, at, 'produces', log) ?? produced;
      const own = takeBodies(document, operation, at, log);
      const bodies = own.length > 0 ? own : shared;
      if (bodies.length > 0)
        setMember(operation, 'requestBody', requestBodyOf(bodies, consumes, log));
      forEachObject(operation['responses'], appendPointer(at, 'responses'), (response, pointer) =>
        convertResponse(response, pointer, produces, log),
      );
      remove(operation, 'consumes', 'produces', 'schemes');
    }
  });
  const { parameters, responses, securityDefinitions } = document;
  forEachObject(parameters, '#/parameters', (value, pointer, name) => {
    if (isBodyParameter({ value, pointer })) removeMember(Object(parameters), name);
    else convertParameter(value, pointer, log);
  });
  forEachObject(responses, '#/responses', (response, at) =>
    convertResponse(response, at, produced, log),
  );
  forEachObject(securityDefinitions, '#/securityDefinitions', convertSecurityScheme);
  const components: JsonObject = {};
  for (const [to, from] of moved) {
    const value = document[from];
    if (!isJsonObject(value)) continue;
    log.keepOrigin(value, `#/${from}`);
    setMember(components, to, value);
  }
  setMember(document, 'components', components);
  const { host, basePath = '', schemes } = document;
  const known = textsOf(schemes) ?? ['https'];
  const origins = host === undefined ? [''] : known.map((scheme) => `${scheme}://${wordOf(host)}`);
  const servers = origins.map((origin) => ({ url: origin + wordOf(basePath) }));
  if (host !== undefined || basePath !== '') setMember(document, 'servers', servers);
  remove(document, ...moved.map(([, from]) => from));
  remove(document, 'swagger', 'host', 'basePath', 'schemes', 'consumes', 'produces');
  setMember(document, 'openapi', '3.0.4');
}

function readTypes(
  holder: JsonObject,
  at: string,
  name: 'consumes' | 'produces',
  log: DiagnosticLog,
): readonly string[] | undefined {
  const types = textsOf(holder[name]);
  if (types === undefined || types.length <= mostMediaTypes) return types;
  const message = `lists ${types.length} media types, and only the first ${mostMediaTypes} are read`;
  log.report('too-large', appendPointer(at, name), message, 'List fewer.');
  return types.slice(0, mostMediaTypes);
}

/** Takes the parameters that are in a body out of a list, and converts the others. */
function takeBodies(
  document: JsonObject,
  holder: JsonObject,
  at: string,
  log: DiagnosticLog,
): readonly BodyParameter[] {
  const { parameters } = holder;
  if (!isJsonArray(parameters)) return [];
  const bodies: BodyParameter[] = [];
  const others = parameters.filter((value, index) => {
    const pointer = appendPointer(at, 'parameters', index);
    const found = followReference(document, { pointer, value });
    if (isBodyParameter(found)) return bodies.push(found) === 0;
    log.keepOrigin(value, pointer);
    if (isJsonObject(value)) convertParameter(value, pointer, log);
    return true;
  });
  setMember(holder, 'parameters', others);
  return bodies;
}

/** A parameter that is not in a body, in place. */
function convertParameter(parameter: JsonObject, pointer: string, log: DiagnosticLog): void {
  if (parameter['$ref'] !== undefined) return;
  const { type, collectionFormat, in: place, example, 'x-example': shown } = parameter;
  if (type === 'array') Object.assign(parameter, styleOf(collectionFormat, place === 'query'));
  if (example === undefined && !isJsonObject(shown)) setMember(parameter, 'example', shown);
  moveSchema(parameter, pointer, log);
}

/** Puts the keywords of a schema in a parameter or header into `schema`. */
function moveSchema(holder: JsonObject, pointer: string, log: DiagnosticLog): void {
  remove(holder, 'collectionFormat');
  if (holder['schema'] !== undefined) return;
  const schema = takeSchema(holder);
  log.keepOrigin(schema, pointer);
  setMember(holder, 'schema', schema);
}

/** A response, in place. */
function convertResponse(
  response: JsonObject,
  pointer: string,
  produces: readonly string[],
  log: DiagnosticLog,
): void {
  if (response['$ref'] !== undefined) return;
  forEachObject(response['headers'], appendPointer(pointer, 'headers'), (header, at) => {
    if (header['$ref'] === undefined) moveSchema(header, at, log);
  });
  if (response['content'] !== undefined) return;
  const content = contentOf(response, produces);
  log.keepOrigin(response['schema'], appendPointer(pointer, 'schema'));
  remove(response, 'schema', 'examples');
  log.keepOrigin(content, pointer);
  if (Object.keys(content).length > 0) setMember(response, 'content', content);
}

/** The media types of a response. */
function contentOf({ schema, examples }: JsonObject, produces: readonly string[]): JsonObject {
  const byType = isJsonObject(examples) ? examples : {};
  const described = Object.keys(byType).filter((name) => name.includes('/'));
  // Of `text/*` or any type `produces` says which there are.
  const ranges = described.filter((name) => name.endsWith('/*'));
  const names = new Set([
    ...(schema === undefined && ranges.length === 0 ? [] : produces),
    ...described.filter((name) => !ranges.includes(name)),
  ]);
  return mediaOf(names, (name) => {
    const range = ranges.find((one) => one === '*/*' || name.startsWith(one.slice(0, -1)));
    const example = byType[name] ?? (range === undefined ? undefined : byType[range]);
    return { ...(schema !== undefined && { schema }), ...(example !== undefined && { example }) };
  });
}

const flows: ReadonlyMap<string, string> = new Map([
  ['password', 'password'],
  ['application', 'clientCredentials'],
  ['accessCode', 'authorizationCode'],
]);

function convertSecurityScheme(scheme: JsonObject): void {
  const { type, flow, scopes = {} } = scheme;
  if (type === 'basic') Object.assign(scheme, { type: 'http', scheme: 'basic' });
  if (type !== 'oauth2') return;
  const addresses = takeMembers(scheme, ['authorizationUrl', 'tokenUrl']);
  remove(scheme, 'flow', 'scopes');
  setMember(scheme, 'flows', { [flows.get(wordOf(flow)) ?? 'implicit']: { ...addresses, scopes } });
}

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

function mediaOf(names: Iterable<string>, media: (name: string) => JsonObject): JsonObject {
  return Object.fromEntries(Array.from(names, (name) => [name, media(name)]));
}

/** Separators of lists; `tsv` does not exist any more, and is read as `csv`. */
const queryStyles: ReadonlyMap<string, JsonObject> = new Map([
  ['multi', { style: 'form', explode: true }],
  ['ssv', { style: 'spaceDelimited', explode: false }],
  ['pipes', { style: 'pipeDelimited', explode: false }],
]);

function styleOf(format: JsonValue | undefined, isQuery: boolean): JsonObject {
  if (isQuery) return { ...(queryStyles.get(wordOf(format)) ?? { style: 'form', explode: false }) };
  return format === 'multi' ? {} : { style: 'simple', explode: false };
}

/** Takes the keywords of a schema out of a parameter, header or form field. */
function takeSchema(holder: JsonObject): JsonObject {
  return takeMembers(holder, [...plainSchemaWords, 'x-nullable']);
}

/** The texts in a list; undefined for none. */
function textsOf(value: JsonValue | undefined): readonly string[] | undefined {
  const texts = listOf(value).filter((one) => typeof one === 'string');
  return texts.length === 0 ? undefined : texts;
}

function remove(holder: JsonObject, ...names: readonly string[]): void {
  for (const name of names) removeMember(holder, name);
}

/** Runs over the members of a value that are objects, each with its pointer. */
function forEachObject(
  value: JsonValue | undefined,
  pointer: string,
  run: (member: JsonObject, pointer: string, name: string) => void,
): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value))
    if (isJsonObject(member)) run(member, appendPointer(pointer, name), name);
}
