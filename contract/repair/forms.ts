import type { JsonObject } from '../json/value.ts';
import { keywordOf } from '../schema/keywords.ts';

/** What a value in a document is to be. */
export type Form =
  /** `data`: any value, such as an example, a default or an extension. */
  | { readonly kind: 'data' | 'text' | 'flag' | 'number' }
  | { readonly kind: 'list' | 'map'; readonly of: Form }
  | { readonly kind: 'object'; readonly name: ObjectName };

/** The objects of OpenAPI by their names there. */
export type ObjectName =
  | 'Callback'
  | 'Components'
  | 'Contact'
  | 'Discriminator'
  | 'Document'
  | 'Encoding'
  | 'Example'
  | 'ExternalDocs'
  | 'Flow'
  | 'Flows'
  | 'Header'
  | 'Info'
  | 'License'
  | 'Link'
  | 'MediaType'
  | 'Operation'
  | 'Parameter'
  | 'PathItem'
  | 'Paths'
  | 'RequestBody'
  | 'Response'
  | 'Responses'
  | 'Schema'
  | 'SecurityRequirement'
  | 'SecurityScheme'
  | 'Server'
  | 'ServerVariable'
  | 'Tag';

export interface ObjectForm {
  readonly members?: Readonly<Record<string, Form>>;
  /** The form of all other members, where names are free. */
  readonly others?: Form;
  /** Required members, each with the value that is assumed where it is missing. */
  readonly missing?: JsonObject;
  /** Replaces a value that is not such an object; without it the value is left out. */
  readonly empty?: JsonObject;
}

const data: Form = { kind: 'data' };
const text: Form = { kind: 'text' };
const flag: Form = { kind: 'flag' };
const number: Form = { kind: 'number' };
const listOf = (of: Form): Form => ({ kind: 'list', of });
const mapOf = (of: Form): Form => ({ kind: 'map', of });
const an = (name: ObjectName): Form => ({ kind: 'object', name });

const operation = an('Operation');
const schema = an('Schema');
const described = { summary: text, description: text };
const styled = { style: text, explode: flag, allowReserved: flag };
const valued = {
  description: text,
  required: flag,
  deprecated: flag,
  allowEmptyValue: flag,
  ...styled,
  schema,
  example: data,
  examples: mapOf(an('Example')),
  content: mapOf(an('MediaType')),
};
const encoded = {
  encoding: mapOf(an('Encoding')),
  prefixEncoding: listOf(an('Encoding')),
  itemEncoding: an('Encoding'),
};

/** OpenAPI 3.0, 3.1 and 3.2 in one. `Schema` is not here: see `schemaMember`. */
const forms: Partial<Readonly<Record<ObjectName, ObjectForm>>> = {
  Document: {
    members: {
      openapi: text,
      $self: text,
      info: an('Info'),
      jsonSchemaDialect: text,
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
      title: text,
      ...described,
      termsOfService: text,
      contact: an('Contact'),
      license: an('License'),
      version: text,
    },
    missing: { title: 'Untitled', version: '0' },
    empty: {},
  },
  Contact: { members: { name: text, url: text, email: text } },
  License: { members: { name: text, identifier: text, url: text } },
  Server: {
    members: { url: text, description: text, name: text, variables: mapOf(an('ServerVariable')) },
    missing: { url: '/' },
  },
  ServerVariable: {
    members: { enum: listOf(text), default: text, description: text },
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
  Paths: { others: an('PathItem'), empty: {} },
  PathItem: {
    members: {
      $ref: text,
      ...described,
      get: operation,
      put: operation,
      post: operation,
      delete: operation,
      options: operation,
      head: operation,
      patch: operation,
      trace: operation,
      query: operation,
      additionalOperations: mapOf(operation),
      servers: listOf(an('Server')),
      parameters: listOf(an('Parameter')),
    },
  },
  Operation: {
    members: {
      tags: listOf(text),
      ...described,
      externalDocs: an('ExternalDocs'),
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
  },
  ExternalDocs: { members: { description: text, url: text } },
  Parameter: { members: { name: text, in: text, ...valued } },
  RequestBody: {
    members: { description: text, content: mapOf(an('MediaType')), required: flag },
    missing: { content: {} },
  },
  MediaType: {
    members: {
      schema,
      itemSchema: schema,
      example: data,
      examples: mapOf(an('Example')),
      ...encoded,
      description: text,
    },
    empty: {},
  },
  Encoding: {
    members: { contentType: text, headers: mapOf(an('Header')), ...styled, ...encoded },
  },
  Responses: { others: an('Response'), empty: {} },
  Response: {
    members: {
      ...described,
      headers: mapOf(an('Header')),
      content: mapOf(an('MediaType')),
      links: mapOf(an('Link')),
    },
    missing: { description: '' },
    empty: { description: '' },
  },
  Callback: { others: an('PathItem') },
  Example: {
    members: {
      ...described,
      value: data,
      externalValue: text,
      dataValue: data,
      serializedValue: text,
    },
  },
  Link: {
    members: {
      operationRef: text,
      operationId: text,
      parameters: mapOf(data),
      requestBody: data,
      description: text,
      server: an('Server'),
    },
  },
  Header: { members: valued, empty: {} },
  Tag: {
    members: {
      name: text,
      ...described,
      externalDocs: an('ExternalDocs'),
      parent: text,
      kind: text,
    },
    missing: { name: '' },
  },
  SecurityScheme: {
    members: {
      type: text,
      description: text,
      name: text,
      in: text,
      scheme: text,
      bearerFormat: text,
      flows: an('Flows'),
      openIdConnectUrl: text,
      oauth2MetadataUrl: text,
      deprecated: flag,
    },
  },
  Flows: {
    members: {
      implicit: an('Flow'),
      password: an('Flow'),
      clientCredentials: an('Flow'),
      authorizationCode: an('Flow'),
      deviceAuthorization: an('Flow'),
    },
  },
  Flow: {
    members: {
      authorizationUrl: text,
      deviceAuthorizationUrl: text,
      tokenUrl: text,
      refreshUrl: text,
      scopes: mapOf(text),
    },
  },
  SecurityRequirement: { others: listOf(text) },
  Discriminator: {
    members: { propertyName: text, mapping: mapOf(text), defaultMapping: text },
  },
};

export function objectForm(name: ObjectName): ObjectForm {
  return forms[name] ?? {};
}

/** The form of a member of an object; undefined for an unknown one. */
export function memberForm(name: ObjectName, member: string): Form | undefined {
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
