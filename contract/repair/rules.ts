import { setMember } from '../json/edit.ts';
import { parsePointer } from '../json/pointer.ts';
import {
  isJsonArray,
  isJsonObject,
  isNumeric,
  type JsonObject,
  type JsonValue,
  listOf,
  objectOf,
  parseJson,
  renderJson,
  wordOf,
} from '../json/value.ts';
import { isContentIgnored, methods } from '../openapi/operation.ts';
import { withoutQuery } from '../openapi/path-pattern.ts';
import { patternIssue } from '../pattern/pattern.ts';
import { maxPatternLength, parsePattern } from '../pattern/syntax.ts';
import { valueIssue } from '../schema/keyword/keyword.ts';
import { isJsonTypeName } from '../schema/keyword/merged-schema.ts';
import { isOfType } from '../schema/keyword/value.ts';
import { keywords } from '../schema/keywords.ts';
import { schemaDialect } from '../source/dialect.ts';
import type { Cursor, ReadPattern } from './cursor.ts';
import { translatePattern } from './pattern.ts';
import {
  isBodyParameter,
  moveBodies,
  moveContent,
  moveFlow,
  moveKeywords,
  moveMediaTypes,
  moveOut,
  moveSchema,
  readOldKeywords,
  reportBody,
} from './swagger.ts';

/** Methods in upper case. */
function repairPathItem(cursor: Cursor): void {
  repairNames(cursor, 'a method of OpenAPI', readMethod, 'Keep one of the two');
}

/** Moves body parameters of a path item into its operations. */
function moveSharedBodies(cursor: Cursor): readonly Cursor[] {
  const operations = methods.flatMap((method) => {
    const operation = cursor.object[method];
    const hasBody = isJsonObject(operation) && !isContentIgnored(method.toUpperCase());
    return hasBody ? cursor.inside(operation, method) : [];
  });
  return moveBodies(cursor, operations);
}

/** Moves the body of an operation. It does not contain what follows. */
function moveOwnBody(cursor: Cursor): readonly Cursor[] {
  cursor.repair.produced = undefined;
  return moveBodies(cursor);
}

function readMethod(name: string): string {
  return methods.find((method) => method === name.toLowerCase()) ?? name;
}

/**
 * Renames members. `read` returns the intended name, or undefined for a meaningless one, which is omitted
 * like one whose intended name exists; `merge` keeps what it can of that.
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

/** Paths without a leading slash, with a query, or with parameters in another notation. */
function repairPaths(cursor: Cursor): void {
  const paths = cursor.object;
  const pathOf = (name: string): string | undefined =>
    readPath(withoutPatterns(name, objectOf(paths[name])));
  const meant = Map.groupBy(Object.keys(paths), pathOf);
  const read = (name: string): string | undefined => {
    const path = pathOf(name);
    if (path === undefined || path === name) return path;
    if (!isJsonObject(paths[name])) return undefined;
    // A constant header or query parameter may distinguish them (contract/openapi).
    const isChosen = withoutQuery(name) !== name && name.startsWith(path);
    return isChosen && (meant.get(path) ?? []).length > 1 ? name : path;
  };
  const fix = 'Write a path with a slash at the start and with matching braces';
  repairNames(cursor, 'a path', read, fix, mergeItem);
  for (const [path, item] of Object.entries(paths))
    if (isJsonObject(item) && path.includes('?')) describeQuery(cursor, path, item);
}

/** Reads `beta=true` after a path as a query parameter that always has this value. */
function describeQuery(paths: Cursor, path: string, item: JsonObject): void {
  const [query = ''] = path.slice(withoutQuery(path).length).split('#');
  if (!query.startsWith('?')) return;
  const described = parameterNames(item);
  const added = [...new URLSearchParams(query)]
    .filter(([name, value]) => value !== '' && !/[{}]/.test(value) && !described.includes(name))
    .map(([name, value]) => ({
      name,
      in: 'query',
      required: true,
      schema: { type: 'string', enum: [value] },
    }));
  if (added.length === 0) return;
  const parts = added.map(({ name, schema }) => `${name} with the one value ${schema.enum[0]}`);
  const message = 'a path has no query';
  paths.readAs(
    'misspelled-name',
    path,
    message,
    `Describe the query parameter ${parts.join(' and ')}`,
  );
  setMember(item, 'parameters', [...listOf(item['parameters'] ?? null), ...added]);
}

/** The path `/pets/{id:[0-9]+}` of a router as `/pets/{id}`, unless a parameter has the whole name. */
function withoutPatterns(path: string, item: JsonObject): string {
  return path.replaceAll(/\{((\w[\w.-]*):(?:[^{}]|\{[^{}]*\})*)\}/g, (whole, name, short) =>
    parameterNames(item).includes(name) ? whole : `{${short}}`,
  );
}

function parameterNames(item: JsonObject): readonly unknown[] {
  return [item, ...methods.map((method) => objectOf(item[method]))]
    .flatMap(({ parameters = null }) => listOf(parameters))
    .map((parameter) => objectOf(parameter)['name']);
}

/** Moves the operations of a path to an equivalent path that lacks their methods. */
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

/** Undefined if the braces do not match. */
function readPath(name: string): string | undefined {
  const path = withoutQuery(name.trim().replaceAll('${', '{'));
  const slashed = path.startsWith('/') ? path : `/${path}`;
  const braced = slashed.replaceAll(/\/:(\w+)(?=\/|$)/g, '/{$1}');
  const closed = braced.replaceAll(/\{([^{}/]+)(?=\/|$)/g, '{$1}');
  return /[{}]/.test(closed.replaceAll(/\{[^{}/]+\}/g, '')) ? undefined : closed;
}

const places = ['query', 'header', 'path', 'cookie', 'querystring'];

/** A parameter without `in` or `schema`, or with schema keywords next to them. */
function repairParameter(cursor: Cursor): void {
  const { $ref: reference, in: place, name, example, 'x-example': shown } = cursor.object;
  if (reference !== undefined) return;
  if (isBodyParameter(cursor.object)) return reportBody(cursor);
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
  if (cursor.repair.isSwagger && example === undefined && !isJsonObject(shown))
    setMember(cursor.object, 'example', shown);
  moveKeywords(cursor, 'parameter', { type: 'string' });
}

/** A header in the format of version 2.0. */
function repairHeader(cursor: Cursor): void {
  if (cursor.object['$ref'] === undefined) moveKeywords(cursor, 'header');
}

/** An operation with media types in the format of version 2.0, or without responses. */
function repairOperation(cursor: Cursor): void {
  moveMediaTypes(cursor);
  const { responses = null } = cursor.object;
  const names = (isJsonArray(responses) ? responses : [responses]).flatMap((one) =>
    isJsonObject(one) ? Object.keys(one) : [],
  );
  if (names.some((name) => name === '$ref' || readStatus(name) !== undefined)) return;
  const fix = 'Describe at least one; until then 200 without a body is assumed.';
  cursor.report('missing-member', undefined, 'the operation has no response', fix);
  cursor.set('responses', { 200: { description: '' } });
}

/** Responses whose key is not a status. */
function repairResponses(cursor: Cursor): void {
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

/** Content that is a single media type without its name, or whose name has an extra character. */
function repairContent(cursor: Cursor): void {
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

/** A media type that is written as its schema, or as a reference to one. */
function repairMediaType(cursor: Cursor): void {
  const { $ref: reference, schema, type, properties, items } = cursor.object;
  const isSchema =
    typeof reference === 'string'
      ? /(?:schemas|definitions)\/[^/]+$/.test(reference)
      : typeof type === 'string' ||
        [properties, items].some(isJsonObject) ||
        ['allOf', 'anyOf', 'oneOf', 'enum'].some((name) => isJsonArray(cursor.object[name]));
  if (schema !== undefined || !isSchema) return;
  const message = 'this is a schema, not a media type';
  cursor.readAs('invalid-content', undefined, message, 'Write the schema in schema');
  moveSchema(cursor);
}

const exampleWords = '$ref value externalValue dataValue serializedValue summary description'.split(
  ' ',
);

/** `examples` outside of schemas contain example objects, not values. */
function repairExamples(cursor: Cursor): void {
  for (const [name, value = null] of Object.entries(cursor.object)) {
    const isExample =
      isJsonObject(value) &&
      Object.keys(value).every((one) => one.startsWith('x-') || exampleWords.includes(one));
    if (isExample) continue;
    const fix = 'Write it as the value of one';
    cursor.readAs('converted-value', name, 'must be an example object', fix, { [name]: { value } });
  }
}

/** The value of an example under its OpenAPI 3.2 name. */
function repairExample(cursor: Cursor): void {
  const { value, dataValue, serializedValue } = cursor.object;
  if (value !== undefined) return;
  if (dataValue !== undefined) cursor.set('value', dataValue);
  else if (typeof serializedValue === 'string')
    cursor.set('value', readSerialized(serializedValue));
}

/** A text that is JSON is parsed; for other media types it stays a text. */
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

/** Other names for the type of a security scheme, and the members that its type requires. */
function repairSecurityScheme(cursor: Cursor): void {
  const scheme = cursor.object;
  if (scheme['$ref'] !== undefined) return;
  moveFlow(cursor);
  for (const [name, value] of Object.entries(readScheme(scheme))) {
    if (scheme[name] === value) continue;
    // Version 2.0 has no such member: the type says it.
    if (name === 'scheme' && cursor.repair.isSwagger) {
      cursor.set(name, value);
      continue;
    }
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
  const written = wordOf(place).toLowerCase().replace(/s$/, '');
  const at = ['header', 'query', 'cookie'].find((one) => one === written);
  return {
    type: kind,
    in: at ?? 'header',
    name: typeof name === 'string' && name !== '' ? name : 'X-API-Key',
  };
}

/** Repairs the keywords of a schema, before the values of its members. */
function repairSchema(cursor: Cursor): void {
  if (cursor.repair.isSwagger) readOldKeywords(cursor);
  if (schemaDialect(cursor.repair.document) === '3.1') {
    repairNullable(cursor);
    repairExclusive(cursor, 'minimum', 'exclusiveMinimum');
    repairExclusive(cursor, 'maximum', 'exclusiveMaximum');
  } else if (cursor.object['nullable'] === true) wrapReference(cursor);
  const { items, prefixItems, $dynamicRef, $ref, required } = cursor.object;
  if (isJsonArray(items))
    // Schemas by position, as in older drafts.
    cursor.readAs(
      'other-version',
      'items',
      'items must be one schema',
      'Write prefixItems for schemas by position',
      {
        items: undefined,
        ...(items.length > 0 && prefixItems === undefined && { prefixItems: items }),
      },
    );
  if (typeof $dynamicRef === 'string' && $ref === undefined) {
    const fix = 'Write $ref where the meaning does not depend on the referring schema.';
    cursor.report('unusual-reference', '$dynamicRef', '$dynamicRef is read as $ref', fix);
    cursor.change({ $dynamicRef: undefined, $ref: $dynamicRef });
  }
  if (isNumeric(required) || fitScalar(required ?? null, 'boolean') !== undefined) {
    // Within a property, as in older drafts.
    const message = 'required must be an array of names';
    const fix = 'List the names of required members in the schema of the object that has them.';
    cursor.report('converted-value', 'required', message, fix);
    cursor.remove('required');
  }
  repairType(cursor);
}

/** Repairs that need members of the right types. */
export function repairSchemaMembers(cursor: Cursor): void {
  allowRequired(cursor);
  repairEnum(cursor);
  repairLimits(cursor);
  repairPatterns(cursor);
  repairFormat(cursor);
  for (const name of ['allOf', 'anyOf', 'oneOf', 'prefixItems'])
    if (listOf(cursor.object[name] ?? [null]).length === 0) {
      const fix = 'Remove it, or list its schemas; it is ignored.';
      cursor.leaveOut('empty-value', name, `${name} is empty`, fix);
    }
}

/** `nullable` of OpenAPI 3.0 in a 3.1 document. */
function repairNullable(cursor: Cursor): void {
  const { nullable } = cursor.object;
  if (nullable === undefined) return;
  const isNullable = nullable === true || nullable === 'true';
  const change = { nullable: undefined, ...(isNullable && allowNull(cursor)) };
  const message = 'nullable exists only in OpenAPI 3.0';
  cursor.readAs('other-version', 'nullable', message, 'Write "type": ["...", "null"]', change);
}

/** In OpenAPI 3.0, `nullable` beside a `$ref` would be ignored. */
function wrapReference(cursor: Cursor): void {
  const target = referenceAlone(cursor);
  if (target !== undefined)
    cursor.change({ $ref: undefined, allOf: [...listOf(cursor.object['allOf']), target] });
}

/** The reference of a schema without the keywords beside it; undefined for none. */
function referenceAlone(cursor: Cursor): JsonObject | undefined {
  const { $ref: reference } = cursor.object;
  if (typeof reference !== 'string') return undefined;
  const target = { $ref: reference };
  cursor.keepOrigin(target);
  return target;
}

function allowNull(cursor: Cursor): JsonObject {
  const { type, anyOf } = cursor.object;
  if (typeof type === 'string' || isJsonArray(type)) return { type: [...[type].flat(), 'null'] };
  const nothing = { type: 'null' };
  const target = referenceAlone(cursor);
  if (target !== undefined)
    return { $ref: undefined, [anyOf === undefined ? 'anyOf' : 'oneOf']: [target, nothing] };
  const unions = ['anyOf', 'oneOf'].map((name) => [name, listOf(cursor.object[name])] as const);
  const closed = unions.filter(([, of]) => of.length > 0 && !of.some(acceptsNull));
  return Object.fromEntries(closed.map(([name, of]) => [name, [...of, nothing]]));
}

function acceptsNull(branch: JsonValue): boolean {
  const { nullable, type } = objectOf(branch);
  return nullable === true || type === 'null' || listOf(type).includes('null');
}

/** Exclusive limits are flags in OpenAPI 3.0 and numbers in 3.1. */
function repairExclusive(cursor: Cursor, inclusive: string, exclusive: string): void {
  const { [exclusive]: isExclusive, [inclusive]: limit } = cursor.object;
  if (typeof isExclusive !== 'boolean') return;
  const message = `${exclusive} is a number in OpenAPI 3.1`;
  const isMeant = isExclusive && limit !== undefined;
  const fix = `Write the limit there instead of in ${inclusive}`;
  cursor.readAs('other-version', exclusive, message, fix, {
    [exclusive]: isMeant ? limit : undefined,
    ...(isMeant ? { [inclusive]: undefined } : {}),
  });
}

/** Type names of other languages, by the JSON type and format that they mean. */
const otherNames = {
  integer: 'int short bigint',
  'integer int32': 'int32',
  'integer int64': 'int64 long',
  number: 'decimal numeric',
  'number float': 'float',
  'number double': 'double',
  boolean: 'bool',
  string: 'str text char time timestamp url enum',
  'string date': 'date',
  'string date-time': 'datetime date-time',
  'string uuid': 'uuid guid',
  'string uri': 'uri',
  'string email': 'email',
  'string password': 'password',
  'string byte': 'byte',
  'string binary': 'binary file',
  array: 'list',
  object: 'map dict hash json',
  null: 'none nil',
};

const types = new Map(
  Object.entries(otherNames).flatMap(([meant, names]) => {
    const [type = '', format] = meant.split(' ');
    return names.split(' ').map((name) => [name, { type, format }] as const);
  }),
);

/** A `type` that is not a JSON type or a list of them, or that contradicts every value of `enum`. */
function repairType(cursor: Cursor): void {
  const { type, enum: values, properties, format } = cursor.object;
  if (type === undefined) return;
  if (valueIssue('types', type) === undefined) {
    // Some generators put the strings of an enumeration into a schema of type object.
    const isText =
      isJsonArray(values) &&
      values.length > 0 &&
      values.every((value) => typeof value === 'string');
    const isFile = format === 'file' || format === 'binary';
    if (type !== 'object' || !(isText || isFile) || properties !== undefined) return;
    const message = `type is object, but ${isFile ? `the format is ${format}` : 'all values of enum are strings'}`;
    return cursor.readAs('converted-value', 'type', message, 'Write string', { type: 'string' });
  }
  const items = [type].flat();
  // Unquoted `null`: the type null if the schema says nothing else, else nothing.
  const nothing = items.length > 1 || Object.keys(cursor.object).length === 1 ? 'null' : '';
  const texts = items.map((item) =>
    item === null ? nothing : typeof item === 'string' ? item : '',
  );
  const names = texts.flatMap((text) => text.toLowerCase().match(/[^\s,|?]+/g) ?? []);
  const found = names.map((name) => types.get(name) ?? { type: name, format: undefined });
  const known = [...new Set(found.map((one) => one.type))].filter(isJsonTypeName);
  const [only = '', ...others] = known;
  const message = `${renderJson(type)} is not a JSON type`;
  if (known.length === 0 || known.length < new Set(names).size - 1) {
    const fix = 'Write a JSON type; until then any type is accepted.';
    return cursor.leaveOut('invalid-keyword', 'type', message, fix);
  }
  const read = others.length === 0 ? only : known;
  const meant = format ?? found.find((one) => one.format !== undefined)?.format;
  cursor.readAs('converted-value', 'type', message, `Write ${renderJson(read)}`, {
    type: read,
    ...(meant === undefined ? {} : { format: meant }),
  });
}

/** No object is valid if `additionalProperties: false` forbids required members. */
function allowRequired(cursor: Cursor): void {
  const { required, properties, patternProperties, additionalProperties } = cursor.object;
  if (additionalProperties !== false || patternProperties !== undefined) return;
  const known = objectOf(properties);
  const forbidden = listOf(required)
    .map(wordOf)
    .filter((name) => !Object.hasOwn(known, name));
  if (forbidden.length === 0) return;
  const names = forbidden.join(', ');
  cursor.readAs(
    'impossible-value',
    'required',
    `${names} is required, and forbidden by additionalProperties`,
    `Describe ${names} in properties`,
    { properties: { ...known, ...Object.fromEntries(forbidden.map((name) => [name, {}])) } },
  );
}

/** An `enum` whose values have another type than the schema. */
function repairEnum(cursor: Cursor): void {
  const { enum: values } = cursor.object;
  if (!isJsonArray(values)) return;
  const wanted = typesOf(cursor.object);
  const noun = wanted.join(' or ');
  if (noun === 'array' && !values.some(isJsonArray)) return moveToItems(cursor, values);
  const fitting = values
    .map((value) => fitType(value, wanted))
    .filter((value) => value !== undefined);
  if (fitting.every((value) => value === null)) {
    // Null alone is a value of a schema that allows it.
    const { type, nullable } = cursor.object;
    const isNull = wanted.length === 0 || nullable === true || listOf(type).includes('null');
    if (values.length > 0 && values.every((value) => value === null) && isNull) return;
    const message = values.length === 0 ? 'enum is empty' : `no value of enum is of type ${noun}`;
    const fix = 'List the values; until then any value is accepted.';
    return cursor.leaveOut('invalid-keyword', 'enum', message, fix);
  }
  if (fitting.length === values.length && fitting.every((one, at) => one === values[at])) return;
  const message = `enum has values that are not of type ${noun}`;
  const fix = 'Write the values in their type; they are read as that.';
  cursor.report('converted-value', 'enum', message, fix);
  cursor.change({ enum: fitting });
}

/** The allowed values of a list's items, written next to `items`. */
function moveToItems(cursor: Cursor, values: readonly JsonValue[]): void {
  const { items } = cursor.object;
  const message = 'type is array, but no value of enum is an array';
  const fix = 'Write enum in items; until then any value is accepted.';
  if (!isJsonObject(items) || items['$ref'] !== undefined || items['enum'] !== undefined)
    return cursor.leaveOut('invalid-keyword', 'enum', message, fix);
  cursor.readAs('converted-value', 'enum', message, 'Write enum in items', { enum: undefined });
  setMember(items, 'enum', values);
  repairEnum(cursor.inside(items, 'items'));
}

/** The type names of a schema except `null`; empty if it has no type. */
function typesOf({ type }: JsonObject): readonly string[] {
  const names = isJsonArray(type) ? type : [type];
  return names.filter((name) => typeof name === 'string').filter((name) => name !== 'null');
}

/** Undefined if the value fits none of the types. Null is left to `nullable`. */
function fitType(value: JsonValue, wanted: readonly string[]): JsonValue | undefined {
  if (wanted.length === 0 || value === null) return value;
  if (wanted.some((type) => isOfType(value, type))) return value;
  for (const type of wanted) {
    const fitted = fitScalar(value, type);
    if (fitted !== undefined && isOfType(fitted, type)) return fitted;
  }
  return undefined;
}

/** A value converted to a scalar JSON type; undefined if that is impossible. */
export function fitScalar(
  value: JsonValue,
  type: string,
): string | boolean | number | bigint | undefined {
  if (type === 'string') return typeof value === 'object' ? undefined : String(value);
  if (type === 'boolean') {
    if (typeof value === 'boolean') return value;
    const word = wordOf(value).toLowerCase();
    const isTrue = ['true', 'yes', '1'].includes(word);
    return isTrue || ['false', 'no', '0'].includes(word) ? isTrue : undefined;
  }
  if (type !== 'number' && type !== 'integer') return undefined;
  if (isNumeric(value)) return value;
  const isNumber = /^\s*[-+]?\d+(\.\d+)?([eE][-+]?\d+)?\s*$/.test(wordOf(value));
  return isNumber && Number.isFinite(Number(value)) ? Number(value) : undefined;
}

const pairs = [
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
  ['minimum', 'maximum'],
] as const;

const limits = keywords.filter(({ takes }) => takes === 'count' || takes === 'positive number');

/** Impossible limits, and minimums above their maximums. */
function repairLimits(cursor: Cursor): void {
  for (const { name, takes } of limits) {
    const value = cursor.object[name];
    if (value === undefined) continue;
    const message = valueIssue(takes, value);
    // No text or array is that long, so any limit beyond the safe integers means the same.
    if (takes === 'count' && typeof value === 'bigint' && value > 0n)
      cursor.set(name, Number.MAX_SAFE_INTEGER);
    else if (message !== undefined) cursor.leaveOut('invalid-keyword', name, `${name} ${message}`);
  }
  for (const [least, most] of pairs) {
    const { [least]: low, [most]: high } = cursor.object;
    if (!isNumeric(low) || !isNumeric(high) || low <= high) continue;
    const fix = 'Correct one of them; until then both are ignored.';
    cursor.leaveOut('invalid-keyword', most, `${most} is less than ${least}`, fix);
    cursor.remove(least);
  }
}

/** The fewest and the most characters of the texts of a format. */
const formatLengths: ReadonlyMap<string, readonly [number, number]> = new Map([
  ['uuid', [36, 36]],
  ['date', [10, 10]],
  ['date-time', [20, Infinity]],
]);

/** A format is not meant where no text has it because of its length. */
function repairFormat(cursor: Cursor): void {
  const { format, pattern, minLength = 0, maxLength = Infinity } = cursor.object;
  const name = wordOf(format);
  const [shortest, longest] = formatLengths.get(name) ?? [0, Infinity];
  const [min, max] = lengthsOf(wordOf(pattern));
  const least = Math.max(shortest, min, Number(minLength));
  if (least <= Math.min(longest, max, Number(maxLength)) || !formatLengths.has(name)) return;
  const message = `no text of the format ${name} fits the pattern and the length limits`;
  const fix = 'Correct one of them; the format is ignored.';
  cursor.leaveOut('impossible-value', 'format', message, fix);
}

/** Most characters of a pattern whose lengths are compared with those of a format. */
const maxMeasured = 200;

/** The fewest and the most characters of the texts that match a pattern, if it is one of whole texts. */
function lengthsOf(pattern: string): readonly [number, number] {
  // A back-reference may be of any length.
  const isMeasured = /^\^.*\$$/.test(pattern) && !/\\[1-9k]/.test(pattern);
  const tree = isMeasured && pattern.length <= maxMeasured ? parsePattern(pattern) : undefined;
  // Otherwise the end is that of one choice, or an escaped character.
  const isWhole = tree?.kind === 'sequence' && tree.nodes.at(-1)?.kind === 'assertion';
  return isWhole ? [tree.min, tree.max] : [0, Infinity];
}

/** Regular expressions in other dialects than ECMA-262. */
function repairPatterns(cursor: Cursor): void {
  const { pattern, patternProperties } = cursor.object;
  if (typeof pattern === 'string') {
    const read = readPattern(cursor, 'pattern', pattern);
    if (read === undefined) cursor.remove('pattern');
    else if (read !== pattern) cursor.set('pattern', read);
  }
  if (!isJsonObject(patternProperties)) return;
  const inside = cursor.inside(patternProperties, 'patternProperties');
  const renamed = new Map<string, string>();
  for (const name of Object.keys(patternProperties)) {
    const read = readPattern(inside, name, name);
    if (read === undefined) inside.remove(name);
    else if (read !== name) renamed.set(read, name);
  }
  inside.rename(renamed);
}

/** The pattern, translated from another dialect if necessary; undefined if it cannot be read or matched. */
function readPattern(cursor: Cursor, name: string, text: string): string | undefined {
  const { patterns } = cursor.repair;
  const known = patterns.get(text) ?? judgePattern(text);
  patterns.set(text, known);
  const { read, issue } = known;
  const message = 'must be a regular expression of ECMA-262 with the u flag';
  const effect = 'until then it is ignored';
  if (issue !== undefined)
    cursor.report('too-large', name, issue, `Write it with fewer repetitions; ${effect}.`);
  else if (read === undefined)
    cursor.report('invalid-pattern', name, message, `Write it in that dialect; ${effect}.`);
  else if (read !== text)
    cursor.report('translated-pattern', name, message, `Write ${read}; it is read as that.`);
  return issue === undefined ? read : undefined;
}

function judgePattern(text: string): ReadPattern {
  const read = text.length <= maxPatternLength ? translatePattern(text) : text;
  return { read, issue: read === undefined ? undefined : patternIssue(read) };
}

/** What is known about an OpenAPI object in addition to its members, which are in `forms.ts`. */
export interface ObjectForm {
  /** The form of members with free names. */
  readonly others?: string;
  /** Required members, each with the default used if it is missing. */
  readonly missing?: JsonObject;
  /** Replaces a value of another type; without it, the value is omitted. */
  readonly empty?: JsonObject;
  /** The member to which a string in place of the object belongs. */
  readonly text?: string;
  /** OpenAPI allows a reference in its place. In a security requirement, `$ref` is a name. */
  readonly isReferable?: boolean;
  /** Repairs the object before its members. */
  readonly repair?: (cursor: Cursor) => void;
  /** Moves the contents of its members after their repair. @returns the operations that got a body */
  readonly move?: (cursor: Cursor) => readonly Cursor[];
}

const isReferable = true;

/** By object name, or by the form of a map. */
export const objects: Readonly<Record<string, ObjectForm>> = {
  Document: { missing: { info: { title: 'Untitled', version: '0' } } },
  Info: { missing: { title: 'Untitled', version: '0' }, empty: {} },
  License: { text: 'name' },
  Server: { missing: { url: '/' }, text: 'url' },
  ServerVariable: { missing: { default: '' } },
  Paths: { others: 'PathItem', empty: {}, repair: repairPaths },
  PathItem: { isReferable, repair: repairPathItem, move: moveSharedBodies },
  Operation: { missing: { responses: {} }, repair: repairOperation, move: moveOwnBody },
  Parameter: { isReferable, repair: repairParameter },
  RequestBody: { missing: { content: {} }, isReferable, repair: moveContent },
  '{MediaType}': { others: 'MediaType', repair: repairContent },
  MediaType: { empty: {}, repair: repairMediaType },
  Responses: { others: 'Response', empty: {}, repair: repairResponses },
  Response: {
    missing: { description: '' },
    empty: { description: '' },
    text: 'description',
    isReferable,
    repair: moveContent,
  },
  Callback: { others: 'PathItem', isReferable },
  '{Example}': { others: 'Example', repair: repairExamples },
  Example: { isReferable, repair: repairExample },
  Link: { isReferable },
  Header: { empty: {}, isReferable, repair: repairHeader },
  Tag: { missing: { name: '' }, text: 'name' },
  Schema: { isReferable, repair: repairSchema },
  SecurityScheme: { isReferable, repair: repairSecurityScheme },
  SecurityRequirement: { others: '[string]', isReferable },
  Discriminator: { text: 'propertyName' },
};
