import {
  listOf,
  type JsonObject,
  type JsonValue,
  wordOf,
  isJsonArray,
  isJsonObject,
  parseJson,
} from '../json/value.ts';
import { Cursor, type Repair } from './cursor.ts';
import { setMember, takeMembers } from '../json/edit.ts';
import { parsePointer } from '../json/pointer.ts';
import { withoutQuery } from '../openapi/path-pattern.ts';
import { isBodyParameter } from '../source/node.ts';
import { plainSchemaWords, requestBodyOf } from '../source/swagger-body.ts';

export const methods = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
  'query',
];

/** Methods in capitals. */
export function repairPathItem(cursor: Cursor): void {
  for (const name of Object.keys(cursor.object)) {
    const method = methods.find((one) => one === name.toLowerCase());
    if (method === undefined || method === name || cursor.object[method] !== undefined) continue;
    const message = `${name} is not a method of OpenAPI`;
    cursor.readAs('misspelled-name', name, message, `Write ${method}`);
    cursor.rename(new Map([[method, name]]));
  }
}

/** Paths without a slash at the start, with a query, or with parameters in another notation. */
export function repairPaths(cursor: Cursor): void {
  boundOperations(cursor);
  const paths = cursor.object;
  const renamed = new Map<string, string>();
  const meant = Map.groupBy(Object.keys(paths), readPath);
  for (const name of Object.keys(paths)) {
    if (name.startsWith('x-') || name === '$ref') continue;
    const read = readPath(name);
    if (read === name) continue;
    const message = `${name} is not a path`;
    const isShared = read !== undefined && (meant.get(read) ?? []).length > 1;
    // A constant header or query parameter may choose among them (contract/openapi).
    const isChosen = isShared && withoutQuery(name) !== name && name.startsWith(read);
    if (isChosen && isJsonObject(paths[name])) continue;
    if (read === undefined || !isJsonObject(paths[name])) {
      const fix = 'Write a path with a slash at the start and with matching braces';
      cursor.leaveOut('invalid-name', name, message, `${fix}; until then it is ignored.`);
      continue;
    }
    cursor.readAs('misspelled-name', name, message, `Write ${read}`);
    const other = paths[read] === undefined ? renamed.get(read) : read;
    if (other === undefined) renamed.set(read, name);
    else mergeItem(cursor, name, other);
  }
  cursor.rename(renamed);
}

/** Operations of a document. */
export const mostOperations = 20_000;

/** Leaves out the paths with which a document has too many operations. */
function boundOperations(paths: Cursor): void {
  let operations = 0;
  const beyond: string[] = [];
  for (const path of Object.keys(paths.object)) {
    const item = paths.follow(path);
    const additional = item?.follow('additionalOperations')?.object ?? {};
    for (const method of [...methods, ...Object.keys(additional)])
      if ((item?.object[method] ?? additional[method]) !== undefined) operations += 1;
    if (operations > mostOperations) beyond.push(path);
  }
  const [first] = beyond;
  if (first === undefined) return;
  const message = `with it the document has more than ${mostOperations} operations`;
  const fix = 'Divide the document; until then this path and those after it are ignored.';
  paths.report('too-large', first, message, fix);
  for (const path of beyond) paths.remove(path);
}

/** Moves the operations of a path to another that means the same and lacks their methods. */
function mergeItem(paths: Cursor, name: string, read: string): void {
  const { [name]: from, [read]: to } = paths.object;
  if (!isJsonObject(from) || !isJsonObject(to)) return;
  const item = paths.inside(from, name);
  const shared = isJsonArray(from['parameters']) ? from['parameters'] : [];
  for (const method of methods) {
    const operation = from[method];
    if (!isJsonObject(operation)) continue;
    if (to[method] !== undefined) {
      const fix = 'Remove one of the two; only the other one is read.';
      item.report('duplicate-operation', method, `${read} has its own ${method}`, fix);
      continue;
    }
    item.keepOrigin(operation, method);
    const own = isJsonArray(operation['parameters']) ? operation['parameters'] : [];
    if (shared.length > 0) setMember(operation, 'parameters', [...shared, ...own]);
    setMember(to, method, operation);
  }
  paths.remove(name);
}

/** Undefined where the braces do not match. */
function readPath(name: string): string | undefined {
  const path = withoutQuery(name.trim().replaceAll('${', '{'));
  const slashed = path.startsWith('/') ? path : `/${path}`;
  const braced = slashed.replaceAll(/\/:(\w+)(?=\/|$)/g, '/{$1}');
  const closed = braced.replaceAll(/\{([^{}/]+)(?=\/|$)/g, '{$1}');
  return /[{}]/.test(closed.replaceAll(/\{[^{}/]+\}/g, '')) ? undefined : closed;
}

const places = ['query', 'header', 'path', 'cookie', 'querystring'];

/** A parameter without `in` or `schema`, or with keywords of a schema beside them. */
export function repairParameter(cursor: Cursor): void {
  const { $ref: reference, in: place, name } = cursor.object;
  if (reference !== undefined) return;
  if (typeof place !== 'string' || !places.includes(place)) {
    const lower = wordOf(place).trim().toLowerCase();
    const isInPath = parsePointer(cursor.pointer).some((one) => one.includes(`{${wordOf(name)}}`));
    const read = places.find((one) => one === lower) ?? (isInPath ? 'path' : 'query');
    const message = `in must be one of ${places.slice(0, 4).join(', ')}`;
    cursor.readAs('invalid-parameter', undefined, message, `Write in: ${read}`, { in: read });
  }
  if (cursor.object['in'] === 'path' && cursor.object['required'] !== true) {
    const message = `the path parameter ${wordOf(name)} must be required`;
    const fix = 'Write required: true';
    cursor.readAs('invalid-parameter', undefined, message, fix, { required: true });
  }
  repairSchemaOf(cursor, 'parameter', { type: 'string' });
  repairNamedExamples(cursor);
}

/** A header as version 2.0 describes it. */
export function repairHeader(cursor: Cursor): void {
  if (cursor.object['$ref'] === undefined) repairSchemaOf(cursor, 'header', undefined);
  repairNamedExamples(cursor);
}

/** Keywords that only schemas have, except `required` and `description`. */
const schemaWords: readonly string[] = [
  ...plainSchemaWords,
  'const',
  'properties',
  'additionalProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'nullable',
];

function repairSchemaOf(cursor: Cursor, noun: string, byDefault: JsonObject | undefined): void {
  const { schema, content } = cursor.object;
  if (schema !== undefined && schema !== null) return;
  if (isJsonObject(content) && Object.keys(content).length > 0) {
    const [media] = Object.values(content);
    if (isJsonObject(media) && media['schema'] === undefined) setMember(media, 'schema', {});
    return;
  }
  const words = schemaWords.filter((name) => cursor.object[name] !== undefined);
  if (words.length === 0 && byDefault === undefined) return;
  const fix =
    words.length === 0
      ? 'Add schema; until then any string is accepted.'
      : `Write ${words.join(', ')} in schema; it is read as that.`;
  cursor.report('missing-member', undefined, `a ${noun} needs a schema`, fix);
  cursor.set('schema', words.length === 0 ? { ...byDefault } : moveOut(cursor, words));
}

/** Moves members of an object into a new one, which takes over its place. */
function moveOut(cursor: Cursor, names: readonly string[]): JsonObject {
  const moved = takeMembers(cursor.object, names);
  cursor.keepOrigin(moved);
  return moved;
}

/** Parameters `in: body` and `in: formData`, as version 2.0 describes a body. */
function repairBodyParameters(cursor: Cursor): void {
  const list = cursor.list('parameters');
  if (list === undefined) return;
  const found = list.object.map((value, index) => ({ value, pointer: list.at(index) }));
  const bodies = found.filter(isBodyParameter);
  if (bodies.length === 0) return;
  const body = requestBodyOf(bodies, ['application/json'], cursor.repair.log);
  list.filter((_value, index) => {
    const one = found[index];
    if (one === undefined || !isBodyParameter(one)) return true;
    const message = `in: ${wordOf(one.value['in'])} exists only in version 2.0`;
    list.report('other-version', index, message, 'Describe it in requestBody; it is read as that.');
    return false;
  });
  if (cursor.object['requestBody'] === undefined) cursor.set('requestBody', body);
}

/** An operation with a body among its parameters, or without any response. */
export function repairOperation(cursor: Cursor): void {
  repairBodyParameters(cursor);
  const { responses } = cursor.object;
  if (!hasNoResponse(responses)) return;
  const fix = 'Describe at least one; until then 200 without a body is assumed.';
  cursor.report('missing-member', undefined, 'the operation has no response', fix);
  cursor.set('responses', { 200: { description: '' } });
}

function hasNoResponse(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (!isJsonObject(value)) return true;
  return !Object.keys(value).some(
    (name) => name === '$ref' || (!name.startsWith('x-') && readStatus(name) !== undefined),
  );
}

/** Responses under names that are not a status. */
export function repairResponses(cursor: Cursor): void {
  const responses = cursor.object;
  if (responses['$ref'] !== undefined) return;
  const renamed = new Map<string, string>();
  for (const name of Object.keys(responses)) {
    const read = readStatus(name);
    if (name.startsWith('x-') || read === name) continue;
    const message = `${name} is not a status`;
    if (read === undefined || responses[read] !== undefined || renamed.has(read)) {
      const fix = 'Write a status such as 200 or 4XX, or default.';
      cursor.leaveOut('invalid-name', name, message, fix);
      continue;
    }
    cursor.readAs('misspelled-name', name, message, `Write ${read}`);
    const response = responses[name];
    if (typeof response === 'string') cursor.set(name, { description: response });
    renamed.set(read, name);
  }
  cursor.rename(renamed);
}

/** The status that `4xx`, `Default`, `200 OK`, `HTTP 404` or `2**` means. */
function readStatus(name: string): string | undefined {
  const lower = name.trim().toLowerCase();
  if (lower === 'default') return 'default';
  const [status] = /(?<![\da-z])[1-5](?:\d\d|xx|\*\*|__)(?![\da-z])/.exec(lower) ?? [];
  return status?.replaceAll(/[x*_]/g, 'X');
}

/** Content that is one media type without its name, or only the schema. */
export function repairBody(cursor: Cursor): void {
  const { $ref: reference, content, schema } = cursor.object;
  if (reference !== undefined) return;
  if (isJsonObject(content) && isMediaType(content)) {
    const fix = 'Write it under its name, such as application/json';
    const message = 'content does not name a media type';
    const named = { 'application/json': content };
    cursor.readAs('invalid-content', 'content', message, fix, { content: named });
  }
  if (isJsonObject(content)) repairTypeNames(cursor.inside(content, 'content'));
  if (content !== undefined || schema === undefined) return;
  const fix = 'Write it under content and a media type; it is read as application/json.';
  cursor.report('invalid-content', 'schema', 'schema must be inside content', fix);
  cursor.change({ schema: undefined, content: { 'application/json': { schema } } });
}

/** Names with characters that no media type has, such as the colon of `application/json:`. */
function repairTypeNames(cursor: Cursor): void {
  for (const name of Object.keys(cursor.object)) {
    const read = /^([\w.+*-]+\/[\w.+*-]+)[:,\s]+$/.exec(name)?.[1];
    if (read === undefined || cursor.object[read] !== undefined) continue;
    cursor.readAs('misspelled-name', name, `${name} is not a media type`, `Write ${read}`);
    cursor.rename(new Map([[name, read]]));
  }
}

function isMediaType(content: JsonObject): boolean {
  const names = Object.keys(content).filter((name) => !name.startsWith('x-'));
  return (
    names.length > 0 && names.every((name) => ['schema', 'example', 'examples'].includes(name))
  );
}

/** A media type that is written as its schema, or refers to one. */
export function repairMediaType(cursor: Cursor): void {
  const { $ref: reference, schema } = cursor.object;
  const isSchema =
    schema === undefined &&
    (typeof reference === 'string'
      ? /(?:schemas|definitions)\/[^/]+$/.test(reference)
      : looksLikeSchema(cursor.object));
  if (isSchema) {
    const message = 'this is a schema, not a media type';
    cursor.readAs('invalid-content', undefined, message, 'Write the schema in schema');
    cursor.set('schema', moveOut(cursor, ['$ref', 'description', 'required', ...schemaWords]));
  }
  repairNamedExamples(cursor);
}

function looksLikeSchema(object: JsonObject): boolean {
  return (
    typeof object['type'] === 'string' ||
    isJsonObject(object['properties']) ||
    isJsonObject(object['items']) ||
    ['allOf', 'anyOf', 'oneOf', 'enum'].some((name) => isJsonArray(object[name]))
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

/** `examples` outside of schemas is a map of example objects: not a list, nor a map of values. */
function repairNamedExamples(cursor: Cursor): void {
  const { examples } = cursor.object;
  if (examples === undefined || examples === null) return;
  const entries: readonly (readonly [string, JsonValue | undefined])[] = isJsonArray(examples)
    ? examples.map((value, index) => [String(index + 1), value] as const)
    : isJsonObject(examples)
      ? Object.entries(examples)
      : [['1', examples]];
  const named = entries.map(([name, value]) => [name, readExample(value)] as const);
  if (isJsonObject(examples) && named.every(([name, value]) => examples[name] === value)) return;
  const fix = 'Write each as an object with a value; they are read as that.';
  cursor.report('converted-value', 'examples', 'examples must be a map of example objects', fix);
  for (const [name, value] of named) cursor.keepOrigin(value, 'examples', name);
  cursor.set('examples', Object.fromEntries(named));
}

function readExample(value: JsonValue | undefined): JsonValue {
  const isExample =
    isJsonObject(value) &&
    Object.keys(value).every((name) => name.startsWith('x-') || exampleWords.includes(name));
  return isExample ? value : { value: value ?? null };
}

/** The value of an example as OpenAPI 3.2 names it. */
export function repairExample(cursor: Cursor): void {
  const { value, dataValue, serializedValue } = cursor.object;
  if (value !== undefined) return;
  if (dataValue !== undefined) cursor.set('value', dataValue);
  else if (typeof serializedValue === 'string')
    cursor.set('value', readSerialized(serializedValue));
}

/** A text that is JSON is meant as that; for other media types it is the text. */
function readSerialized(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

const schemeTypes = ['apiKey', 'http', 'oauth2', 'openIdConnect', 'mutualTLS'];

const wanted: Readonly<Record<string, string>> = {
  type: `one of ${schemeTypes.join(', ')}`,
  in: 'one of header, query, cookie',
  scheme: 'an HTTP authentication scheme',
  name: 'a string',
};

/** The type of a security scheme by other names, and what its type requires. */
export function repairSecurityScheme(cursor: Cursor): void {
  const scheme = cursor.object;
  if (scheme['$ref'] !== undefined) return;
  for (const [name, value] of Object.entries(readScheme(scheme))) {
    if (scheme[name] === value) continue;
    const member = scheme[name] === undefined ? undefined : name;
    const message = `${name} must be ${wanted[name]}`;
    const fix = `Write ${name}: ${value}`;
    cursor.readAs('invalid-security-scheme', member, message, fix, { [name]: value });
  }
}

function readScheme(scheme: JsonObject): Readonly<Record<string, string>> {
  const { type, scheme: http, in: place, name } = scheme;
  const lower = wordOf(type).toLowerCase();
  const known = schemeTypes.find((one) => one.toLowerCase() === lower.replaceAll(/[_-]/g, ''));
  if (lower === 'basic' || lower === 'bearer') return { type: 'http', scheme: lower };
  if (['jwt', 'token', 'accesstoken'].includes(lower)) return { type: 'http', scheme: 'bearer' };
  if (lower.startsWith('oauth')) return { type: 'oauth2' };
  const kind = known ?? (place !== undefined && name !== undefined ? 'apiKey' : 'http');
  if (kind === 'http') return { type: kind, scheme: typeof http === 'string' ? http : 'bearer' };
  if (kind !== 'apiKey') return { type: kind };
  const at = ['header', 'query', 'cookie'].find((one) => one === wordOf(place).toLowerCase());
  return {
    type: kind,
    in: at ?? 'header',
    name: typeof name === 'string' && name !== '' ? name : 'X-API-Key',
  };
}

interface PlacedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Cursor;
  /** The path item, which several paths may share by reference. */
  readonly item: Cursor;
}

/**
 * Repairs what depends on several parts of the document: operations that match the same requests or
 * have the same id, path parameters, and security requirements.
 */
export function repairOperations(repair: Repair): void {
  const root = new Cursor(repair.document, '#', repair);
  const operations = listOperations(root);
  repairSameOperations(operations);
  const seen = new Set<JsonObject>();
  for (const { path, operation, item } of operations) {
    for (const holder of [item, operation]) {
      if (seen.has(holder.object)) continue;
      seen.add(holder.object);
      keepUsedParameters(holder, path);
    }
    addPathParameters(operation, item, path);
  }
  const described = root.follow('components')?.follow('securitySchemes')?.object ?? {};
  const schemes = new Set(Object.keys(described));
  repairSecurity(root, schemes);
  for (const { operation } of operations) repairSecurity(operation, schemes);
}

/** Operations in the document's order, references to path items followed. */
function listOperations(root: Cursor): readonly PlacedOperation[] {
  const operations: PlacedOperation[] = [];
  const paths = root.follow('paths');
  for (const path of Object.keys(paths?.object ?? {})) {
    const item = path.startsWith('/') ? paths?.follow(path) : undefined;
    if (item === undefined) continue;
    const add = (holder: Cursor | undefined, method: string): void => {
      const operation = holder?.follow(method);
      if (operation !== undefined) operations.push({ path, method, operation, item });
    };
    for (const method of methods) add(item, method);
    const additional = item.follow('additionalOperations');
    for (const method of Object.keys(additional?.object ?? {})) add(additional, method);
  }
  return operations;
}

function repairSameOperations(operations: readonly PlacedOperation[]): void {
  const routes = new Map<string, string>();
  const ids = new Map<string, PlacedOperation>();
  for (const placed of operations) {
    const { path, operation } = placed;
    const method = placed.method.toUpperCase();
    const route = `${method} ${path.replaceAll(/\{[^{}]*\}/g, '{}')}`;
    const rival = routes.get(route);
    if (rival === undefined) routes.set(route, path);
    else
      operation.report(
        'ambiguous-path',
        undefined,
        `${method} ${path} matches the same requests as ${rival}`,
        'Give it another path; it serves the requests that fit its path parameters better.',
      );
    const { operationId: id } = operation.object;
    if (typeof id !== 'string') continue;
    const twin = ids.get(id);
    if (twin === undefined) {
      ids.set(id, placed);
      continue;
    }
    const message = `operationId ${id} is also that of ${twin.method.toUpperCase()} ${twin.path}`;
    const fix = `Give it another id; it is known as ${method} ${path}.`;
    operation.report('duplicate-id', undefined, message, fix);
    if (operation.object !== twin.operation.object) operation.remove('operationId');
  }
}

function namesIn(path: string): readonly string[] {
  return [...new Set([...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name))];
}

/** Removes path parameters that the path does not have, and parameters that are described twice. */
function keepUsedParameters(holder: Cursor, path: string): void {
  const names = namesIn(path);
  const keys = new Set<string>();
  const list = holder.list('parameters');
  list?.filter((_value, index) => {
    const parameter = list.follow(index)?.object;
    if (parameter === undefined) return false;
    const [place, name] = [wordOf(parameter['in']), wordOf(parameter['name'])];
    const key = `${place} ${place === 'header' ? name.toLowerCase() : name}`;
    const message = keys.has(key)
      ? `the ${place} parameter ${name} is described twice`
      : place === 'path' && !names.includes(name)
        ? `the path parameter ${name} is not in the path ${path}`
        : undefined;
    if (message !== undefined)
      list.report('unused-parameter', index, message, 'Remove it; it is ignored.');
    else keys.add(key);
    return message === undefined;
  });
}

function addPathParameters(operation: Cursor, item: Cursor, path: string): void {
  const described = new Set<JsonValue | undefined>();
  for (const holder of [item, operation]) {
    const list = holder.list('parameters');
    for (const index of list?.object.keys() ?? []) {
      const { in: place, name } = list?.follow(index)?.object ?? {};
      if (place === 'path') described.add(name);
    }
  }
  for (const name of namesIn(path)) {
    if (described.has(name)) continue;
    const message = `the path parameter ${name} of ${path} is not described`;
    const fix = 'Describe it; until then any string is accepted.';
    operation.report('undescribed-parameter', undefined, message, fix);
    const added = { name, in: 'path', required: true, schema: { type: 'string' } };
    operation.set('parameters', [...listOf(operation.object['parameters']), added]);
  }
}

/** Removes requirements of security schemes that the document does not describe. */
function repairSecurity(holder: Cursor, schemes: ReadonlySet<string>): void {
  const list = holder.list('security');
  if (list === undefined || list.object.length === 0) return;
  list.filter((requirement, index) => {
    const missing = Object.keys(Object(requirement)).filter((name) => !schemes.has(name));
    for (const name of missing)
      list
        .inside({}, index)
        .report(
          'unknown-security-scheme',
          name,
          `there is no security scheme ${name}`,
          'Describe it in components.securitySchemes; until then this requirement is ignored.',
        );
    return missing.length === 0;
  });
  if (list.object.length === 0 && holder.pointer === '#') holder.remove('security');
}
