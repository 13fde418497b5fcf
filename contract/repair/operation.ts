import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectOf,
  parseJson,
  wordOf,
} from '../json/value.ts';
import type { Cursor } from './cursor.ts';
import { setMember, takeMembers } from '../json/edit.ts';
import { parsePointer } from '../json/pointer.ts';
import { withoutQuery } from '../openapi/path-pattern.ts';
import { isBodyParameter } from '../source/node.ts';
import { plainSchemaWords, requestBodyOf } from '../source/swagger.ts';

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
  repairNames(cursor, 'a method of OpenAPI', readMethod, 'Keep one of the two');
}

function readMethod(name: string): string {
  return methods.find((method) => method === name.toLowerCase()) ?? name;
}

/**
 * Gives members the names that theirs mean. `read`: undefined for what means nothing, and is left out
 * like what means a name that is there; `merge` keeps what it can of that.
 */
function repairNames(
  cursor: Cursor,
  noun: string,
  read: (name: string) => string | undefined,
  fix: string,
  merge?: (cursor: Cursor, name: string, other: string) => void,
): void {
  const renamed = new Map<string, string>();
  for (const name of Object.keys(cursor.object)) {
    const meant = name.startsWith('x-') || name === '$ref' ? name : read(name);
    if (meant === name) continue;
    const message = `${name} is not ${noun}`;
    const other = cursor.object[meant ?? ''] === undefined ? renamed.get(meant ?? '') : meant;
    if (meant === undefined || (other !== undefined && merge === undefined)) {
      cursor.leaveOut('invalid-name', name, message, `${fix}; until then it is ignored.`);
      continue;
    }
    cursor.readAs('misspelled-name', name, message, `Write ${meant}`);
    if (other === undefined) renamed.set(meant, name);
    else merge?.(cursor, name, other);
  }
  cursor.rename(renamed);
}

/** Paths without a slash at the start, with a query, or with parameters in another notation. */
export function repairPaths(cursor: Cursor): void {
  const paths = cursor.object;
  const meant = Map.groupBy(Object.keys(paths), readPath);
  const read = (name: string): string | undefined => {
    const path = readPath(name);
    if (path === undefined || path === name) return path;
    if (!isJsonObject(paths[name])) return undefined;
    // A constant header or query parameter may choose among them (contract/openapi).
    const isChosen = withoutQuery(name) !== name && name.startsWith(path);
    return isChosen && (meant.get(path) ?? []).length > 1 ? name : path;
  };
  const fix = 'Write a path with a slash at the start and with matching braces';
  repairNames(cursor, 'a path', read, fix, mergeItem);
}

/** Moves the operations of a path to another that means the same and lacks their methods. */
function mergeItem(paths: Cursor, name: string, other: string): void {
  const [from, to] = [objectOf(paths.object[name]), objectOf(paths.object[other])];
  const item = paths.inside(from, name);
  for (const method of methods) {
    const fix = 'Remove one of the two; only the other one is read.';
    if (from[method] !== undefined && to[method] !== undefined)
      item.report('duplicate-operation', method, `${other} has its own ${method}`, fix);
    item.keepOrigin(from[method], method);
  }
  paths.set(other, { ...from, ...to });
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
}

/** A header as version 2.0 describes it. */
export function repairHeader(cursor: Cursor): void {
  if (cursor.object['$ref'] === undefined) repairSchemaOf(cursor, 'header');
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

function repairSchemaOf(cursor: Cursor, noun: string, byDefault?: JsonObject): void {
  const { schema, content } = cursor.object;
  if (schema !== undefined && schema !== null) return;
  const [media] = Object.values(objectOf(content));
  if (isJsonObject(media) && media['schema'] === undefined) setMember(media, 'schema', {});
  if (media !== undefined) return;
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
  const { responses = null } = cursor.object;
  const names = (isJsonArray(responses) ? responses : [responses]).flatMap((one) =>
    isJsonObject(one) ? Object.keys(one) : [],
  );
  if (names.some((name) => name === '$ref' || readStatus(name) !== undefined)) return;
  const fix = 'Describe at least one; until then 200 without a body is assumed.';
  cursor.report('missing-member', undefined, 'the operation has no response', fix);
  cursor.set('responses', { 200: { description: '' } });
}

/** Responses under names that are not a status. */
export function repairResponses(cursor: Cursor): void {
  if (cursor.object['$ref'] !== undefined) return;
  repairNames(cursor, 'a status', readStatus, 'Write a status such as 200 or 4XX, or default');
}

/** The status that `4xx`, `Default`, `200 OK`, `HTTP 404` or `2**` means. */
function readStatus(name: string): string | undefined {
  if (name.startsWith('x-')) return undefined;
  const lower = name.trim().toLowerCase();
  if (lower === 'default') return 'default';
  const [status] = /(?<![\da-z])[1-5](?:\d\d|xx|\*\*|__)(?![\da-z])/.exec(lower) ?? [];
  return status?.replaceAll(/[x*_]/g, 'X');
}

/** A schema in a response or a request body itself. */
export function repairSchemaOutside(cursor: Cursor): void {
  const { $ref: reference, content, schema } = cursor.object;
  if (reference !== undefined || content !== undefined || schema === undefined) return;
  const fix = 'Write it under content and a media type; it is read as application/json.';
  cursor.report('invalid-content', 'schema', 'schema must be inside content', fix);
  cursor.change({ schema: undefined, content: { 'application/json': { schema } } });
}

/** Content that is one media type without its name, or that names one with a character too many. */
export function repairContent(cursor: Cursor): void {
  const names = Object.keys(cursor.object).filter((name) => !name.startsWith('x-'));
  const isMediaType = names.every((name) => ['schema', 'example', 'examples'].includes(name));
  if (isMediaType && names.length > 0) {
    const message = 'content does not name a media type';
    const fix = 'Write it under its name, such as application/json';
    cursor.readAs('invalid-content', undefined, message, fix);
    cursor.set('application/json', moveOut(cursor, names));
  }
  repairNames(cursor, 'a media type', readMediaType, 'Keep one of the two');
}

function readMediaType(name: string): string {
  return /^([\w.+*-]+\/[\w.+*-]+)[:,\s]+$/.exec(name)?.[1] ?? name;
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

/** `examples` outside of schemas hold example objects, not values. */
export function repairExamples(cursor: Cursor): void {
  for (const [name, value = null] of Object.entries(cursor.object)) {
    const isExample =
      isJsonObject(value) &&
      Object.keys(value).every((one) => one.startsWith('x-') || exampleWords.includes(one));
    if (isExample) continue;
    const fix = 'Write it as the value of one';
    cursor.readAs('converted-value', name, 'must be an example object', fix, { [name]: { value } });
  }
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
