import {
  isJsonArray,
  isJsonObject,
  isNumeric,
  type JsonObject,
  type JsonValue,
  wordOf,
} from '../json/value.ts';
import { isJsonTypeName } from '../schema/keyword/keyword.ts';
import { keywordOf } from '../schema/keywords.ts';
import type { Cursor } from './cursor.ts';
import {
  methods,
  repairBody,
  repairExample,
  repairHeader,
  repairMediaType,
  repairOperation,
  repairParameter,
  repairPathItem,
  repairPaths,
  repairResponses,
  repairSecurityScheme,
} from './operation.ts';
import { repairSchema } from './schema.ts';

/** What a value in a document is to be. */
export type Form =
  /** `data`: any value, such as an example, a default or an extension. */
  | { readonly kind: 'data' | 'text' | 'flag' | 'number' }
  | { readonly kind: 'list' | 'map'; readonly of: Form }
  | { readonly kind: 'object'; readonly name: string };

export interface ObjectForm {
  readonly members?: Readonly<Record<string, Form>>;
  /** The form of all other members, where names are free. */
  readonly others?: Form;
  /** Required members, each with the value that is assumed where it is missing. */
  readonly missing?: JsonObject;
  /** Replaces a value that is not such an object; without it the value is left out. */
  readonly empty?: JsonObject;
  /** The member that a string in place of the object is read as. */
  readonly text?: string;
  /** OpenAPI allows a reference in its place. In a security requirement `$ref` is a name. */
  readonly isReferable?: boolean;
  /** Repairs the object before its members are looked at. */
  readonly repair?: (cursor: Cursor) => void;
}

const data: Form = { kind: 'data' };
const text: Form = { kind: 'text' };
const flag: Form = { kind: 'flag' };
const number: Form = { kind: 'number' };
const listOf = (of: Form): Form => ({ kind: 'list', of });
const mapOf = (of: Form): Form => ({ kind: 'map', of });
const an = (name: string): Form => ({ kind: 'object', name });
const each = (of: Form, names: readonly string[]): Readonly<Record<string, Form>> =>
  Object.fromEntries(names.map((name) => [name, of]));
const texts = (...names: readonly string[]) => each(text, names);

const schema = an('Schema');
const isReferable = true;
const described = texts('summary', 'description');
const documented = { ...described, externalDocs: an('ExternalDocs') };
const styled = { style: text, ...each(flag, ['explode', 'allowReserved']) };
const exemplified = { schema, example: data, examples: mapOf(an('Example')) };
const valued = {
  description: text,
  ...each(flag, ['required', 'deprecated', 'allowEmptyValue']),
  ...styled,
  ...exemplified,
  content: mapOf(an('MediaType')),
};
const encoded = {
  encoding: mapOf(an('Encoding')),
  prefixEncoding: listOf(an('Encoding')),
  itemEncoding: an('Encoding'),
};

/** OpenAPI 3.0, 3.1 and 3.2 in one. The members of a Schema are in `schemaMember`. */
const forms: Readonly<Record<string, ObjectForm>> = {
  Document: {
    members: {
      ...texts('openapi', '$self', 'jsonSchemaDialect'),
      info: an('Info'),
      servers: listOf(an('Server')),
      paths: an('Paths'),
      webhooks: mapOf(an('PathItem')),
      components: an('Components'),
      security: listOf(an('SecurityRequirement')),
      tags: listOf(an('Tag')),
      externalDocs: an('ExternalDocs'),
    },
    missing: { info: {} },
  },
  Info: {
    members: {
      ...texts('title', 'summary', 'description', 'termsOfService', 'version'),
      contact: an('Contact'),
      license: an('License'),
    },
    missing: { title: 'Untitled', version: '0' },
    empty: {},
  },
  Contact: { members: texts('name', 'url', 'email') },
  License: { members: texts('name', 'identifier', 'url'), text: 'name' },
  Server: {
    members: { ...texts('url', 'description', 'name'), variables: mapOf(an('ServerVariable')) },
    missing: { url: '/' },
    text: 'url',
  },
  ServerVariable: {
    members: { enum: listOf(text), ...texts('default', 'description') },
    missing: { default: '' },
  },
  Components: {
    members: {
      schemas: mapOf(schema),
      responses: mapOf(an('Response')),
      parameters: mapOf(an('Parameter')),
      examples: mapOf(an('Example')),
      requestBodies: mapOf(an('RequestBody')),
      headers: mapOf(an('Header')),
      securitySchemes: mapOf(an('SecurityScheme')),
      links: mapOf(an('Link')),
      callbacks: mapOf(an('Callback')),
      pathItems: mapOf(an('PathItem')),
      mediaTypes: mapOf(an('MediaType')),
    },
  },
  Paths: { others: an('PathItem'), empty: {}, repair: repairPaths },
  PathItem: {
    members: {
      $ref: text,
      ...described,
      ...each(an('Operation'), methods),
      additionalOperations: mapOf(an('Operation')),
      servers: listOf(an('Server')),
      parameters: listOf(an('Parameter')),
    },
    isReferable,
    repair: repairPathItem,
  },
  Operation: {
    members: {
      ...documented,
      tags: listOf(text),
      operationId: text,
      parameters: listOf(an('Parameter')),
      requestBody: an('RequestBody'),
      responses: an('Responses'),
      callbacks: mapOf(an('Callback')),
      deprecated: flag,
      security: listOf(an('SecurityRequirement')),
      servers: listOf(an('Server')),
    },
    missing: { responses: {} },
    repair: repairOperation,
  },
  ExternalDocs: { members: texts('description', 'url') },
  Parameter: {
    members: { ...texts('name', 'in'), ...valued },
    isReferable,
    repair: repairParameter,
  },
  RequestBody: {
    members: { description: text, content: mapOf(an('MediaType')), required: flag },
    missing: { content: {} },
    isReferable,
    repair: repairBody,
  },
  MediaType: {
    members: { description: text, itemSchema: schema, ...exemplified, ...encoded },
    empty: {},
    repair: repairMediaType,
  },
  Encoding: {
    members: { contentType: text, headers: mapOf(an('Header')), ...styled, ...encoded },
  },
  Responses: { others: an('Response'), empty: {}, repair: repairResponses },
  Response: {
    members: {
      ...described,
      headers: mapOf(an('Header')),
      content: mapOf(an('MediaType')),
      links: mapOf(an('Link')),
    },
    missing: { description: '' },
    empty: { description: '' },
    text: 'description',
    isReferable,
    repair: repairBody,
  },
  Callback: { others: an('PathItem'), isReferable },
  Example: {
    members: {
      ...described,
      ...each(data, ['value', 'dataValue']),
      ...texts('externalValue', 'serializedValue'),
    },
    isReferable,
    repair: repairExample,
  },
  Link: {
    members: {
      ...texts('operationRef', 'operationId', 'description'),
      parameters: mapOf(data),
      requestBody: data,
      server: an('Server'),
    },
    isReferable,
  },
  Header: { members: valued, empty: {}, isReferable, repair: repairHeader },
  Tag: {
    members: { ...documented, ...texts('name', 'parent', 'kind') },
    missing: { name: '' },
    text: 'name',
  },
  Schema: { isReferable, repair: repairSchema },
  SecurityScheme: {
    members: {
      ...texts('type', 'description', 'name', 'in', 'scheme', 'bearerFormat'),
      ...texts('openIdConnectUrl', 'oauth2MetadataUrl'),
      flows: an('Flows'),
      deprecated: flag,
    },
    isReferable,
    repair: repairSecurityScheme,
  },
  Flows: {
    members: each(an('Flow'), [
      'implicit',
      'password',
      'clientCredentials',
      'authorizationCode',
      'deviceAuthorization',
    ]),
  },
  Flow: {
    members: {
      ...texts('authorizationUrl', 'deviceAuthorizationUrl', 'tokenUrl', 'refreshUrl'),
      scopes: mapOf(text),
    },
  },
  SecurityRequirement: { others: listOf(text), isReferable },
  Discriminator: {
    members: { ...texts('propertyName', 'defaultMapping'), mapping: mapOf(text) },
    text: 'propertyName',
  },
};

export function objectForm(name: string): ObjectForm {
  return forms[name] ?? {};
}

/** The form of a member of an object; undefined for an unknown one. */
export function memberForm(name: string, member: string): Form | undefined {
  if (name === 'Schema') return schemaMember(member);
  const { members = {}, others } = objectForm(name);
  return Object.hasOwn(members, member) ? members[member] : others;
}

type ValueKind = NonNullable<ReturnType<typeof keywordOf>>['takes'];

const byKind: Readonly<Record<ValueKind, Form>> = {
  schema,
  schemas: listOf(schema),
  'schema-map': mapOf(schema),
  'pattern-map': mapOf(schema),
  types: data,
  number,
  'positive number': number,
  count: number,
  flag,
  text,
  pattern: text,
  names: listOf(text),
  'names-map': mapOf(listOf(text)),
  values: listOf(data),
  value: data,
  object: mapOf(data),
  unsupported: data,
};

const byKeyword: ReadonlyMap<string, Form> = new Map([
  ['discriminator', an('Discriminator')],
  ['externalDocs', an('ExternalDocs')],
  ['nullable', flag],
  // Flags in OpenAPI 3.0.
  ['exclusiveMinimum', data],
  ['exclusiveMaximum', data],
  // Not a keyword any more, but some documents keep schemas there.
  ['definitions', mapOf(schema)],
]);

function schemaMember(name: string): Form | undefined {
  const kind = keywordOf(name)?.takes;
  return byKeyword.get(name) ?? (kind === undefined ? undefined : byKind[kind]);
}

/** In words that follow "must be". */
export function describeForm({ kind }: Form): string {
  if (kind === 'data') return 'a value';
  if (kind === 'text') return 'a string';
  if (kind === 'flag') return 'true or false';
  if (kind === 'number') return 'a number';
  return kind === 'list' ? 'an array' : 'an object';
}

/**
 * A value as its form has it; undefined where nothing can be made of it. Only the value itself is
 * looked at, not what it holds.
 */
export function fitValue(value: JsonValue, form: Form): JsonValue | undefined {
  switch (form.kind) {
    case 'data':
      return value;
    case 'text':
      return typeof value === 'object' ? undefined : String(value);
    case 'flag':
      return typeof value === 'boolean' ? value : flags.get(wordOf(value).toLowerCase());
    case 'number':
      return isNumeric(value) ? value : toNumber(value);
    case 'list':
      return isJsonArray(value) ? value : toList(value, form.of);
    case 'map':
      return isJsonObject(value) ? value : toMap(value);
    case 'object':
      return isJsonObject(value) ? value : toObject(value, form.name);
  }
}

const flags = new Map([
  ['true', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['0', false],
]);

function toNumber(value: JsonValue): number | undefined {
  const isNumber =
    typeof value === 'string' && /^\s*[-+]?\d+(\.\d+)?([eE][-+]?\d+)?\s*$/.test(value);
  const number = isNumber ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** One thing for a list of one; an object of things by number or name for a list of them. */
function toList(value: JsonValue, item: Form): readonly JsonValue[] | undefined {
  if (value === null) return undefined;
  if (!isJsonObject(value))
    return fitValue(value, item) === undefined || item.kind === 'object' ? undefined : [value];
  const members = Object.values(value).filter((member) => member !== undefined);
  if (members.length === 0) return [];
  const isOne = typeof value['$ref'] === 'string' || !members.every(isJsonObject);
  if (item.kind !== 'object') return undefined;
  return isOne || objectForm(item.name).others !== undefined ? [value] : members;
}

/** An empty array is how some languages write an empty object; others write a list of members. */
function toMap(value: JsonValue): JsonObject | undefined {
  if (!isJsonArray(value) || !value.every(isJsonObject)) return undefined;
  return Object.fromEntries(value.flatMap((item) => Object.entries(item)));
}

function toObject(value: JsonValue, name: string): JsonValue | undefined {
  if (name === 'Schema') return toSchema(value);
  const { text, empty } = objectForm(name);
  if (typeof value === 'string' && text !== undefined) return { [text]: value };
  if (typeof value === 'string' && name === 'SecurityRequirement') return { [value]: [] };
  const [only, ...others] = isJsonArray(value) ? value : [];
  if (isJsonArray(value) && only === undefined) return {};
  return others.length === 0 && isJsonObject(only) ? only : empty && { ...empty };
}

/** A boolean is a schema; the name of a type is meant for one. */
function toSchema(value: JsonValue): JsonValue {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  return typeof value === 'string' && isJsonTypeName(value) ? { type: value } : {};
}
