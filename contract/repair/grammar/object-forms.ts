import type { JsonObject } from '../../json/value.ts';
import { parseForm, type Form } from './form.ts';

/** What an object of OpenAPI is made of. Names that start with `x-` are free in all of them. */
export interface ObjectForm {
  readonly members: ReadonlyMap<string, Form>;
  /** The form of all other members, where their names are free. */
  readonly others: Form | undefined;
  /** Members that must be there, each with what it is taken to be without. */
  readonly missing: JsonObject;
  /** What stands in the place of one that is none; undefined: it is left out. */
  readonly empty: JsonObject | undefined;
}

interface FormRow {
  /** `name: form`, one after another. */
  readonly members?: string;
  readonly others?: string;
  readonly missing?: JsonObject;
  readonly empty?: JsonObject;
}

/** OpenAPI 3.0, 3.1 and 3.2 in one: what one of them knows is known. Schemas have a table of their own. */
const rows: Readonly<Record<string, FormRow>> = {
  Document: {
    members:
      'openapi: text, $self: text, info: Info, jsonSchemaDialect: text, servers: [Server], paths: Paths, webhooks: {PathItem}, components: Components, security: [SecurityRequirement], tags: [Tag], externalDocs: ExternalDocs',
    missing: { info: {} },
  },
  Info: {
    members:
      'title: text, summary: text, description: text, termsOfService: text, contact: Contact, license: License, version: text',
    missing: { title: 'Untitled', version: '0' },
    empty: {},
  },
  Contact: { members: 'name: text, url: text, email: text' },
  License: { members: 'name: text, identifier: text, url: text' },
  Server: {
    members: 'url: text, description: text, name: text, variables: {ServerVariable}',
    missing: { url: '/' },
  },
  ServerVariable: {
    members: 'enum: [text], default: text, description: text',
    missing: { default: '' },
  },
  Components: {
    members:
      'schemas: {Schema}, responses: {Response}, parameters: {Parameter}, examples: {Example}, requestBodies: {RequestBody}, headers: {Header}, securitySchemes: {SecurityScheme}, links: {Link}, callbacks: {Callback}, pathItems: {PathItem}, mediaTypes: {MediaType}',
  },
  Paths: { others: 'PathItem', empty: {} },
  PathItem: {
    members:
      '$ref: text, summary: text, description: text, get: Operation, put: Operation, post: Operation, delete: Operation, options: Operation, head: Operation, patch: Operation, trace: Operation, query: Operation, additionalOperations: {Operation}, servers: [Server], parameters: [Parameter]',
  },
  Operation: {
    members:
      'tags: [text], summary: text, description: text, externalDocs: ExternalDocs, operationId: text, parameters: [Parameter], requestBody: RequestBody, responses: Responses, callbacks: {Callback}, deprecated: flag, security: [SecurityRequirement], servers: [Server]',
    missing: { responses: {} },
  },
  ExternalDocs: { members: 'description: text, url: text' },
  Parameter: {
    members:
      'name: text, in: text, description: text, required: flag, deprecated: flag, allowEmptyValue: flag, style: text, explode: flag, allowReserved: flag, schema: Schema, example: data, examples: {Example}, content: {MediaType}',
  },
  RequestBody: {
    members: 'description: text, content: {MediaType}, required: flag',
    missing: { content: {} },
  },
  MediaType: {
    members:
      'schema: Schema, itemSchema: Schema, example: data, examples: {Example}, encoding: {Encoding}, prefixEncoding: [Encoding], itemEncoding: Encoding, description: text',
    empty: {},
  },
  Encoding: {
    members:
      'contentType: text, headers: {Header}, style: text, explode: flag, allowReserved: flag, encoding: {Encoding}, prefixEncoding: [Encoding], itemEncoding: Encoding',
  },
  Responses: { others: 'Response', empty: {} },
  Response: {
    members:
      'summary: text, description: text, headers: {Header}, content: {MediaType}, links: {Link}',
    missing: { description: '' },
    empty: { description: '' },
  },
  Callback: { others: 'PathItem' },
  Example: {
    members:
      'summary: text, description: text, value: data, externalValue: text, dataValue: data, serializedValue: text',
  },
  Link: {
    members:
      'operationRef: text, operationId: text, parameters: {data}, requestBody: data, description: text, server: Server',
  },
  Header: {
    members:
      'description: text, required: flag, deprecated: flag, allowEmptyValue: flag, style: text, explode: flag, allowReserved: flag, schema: Schema, example: data, examples: {Example}, content: {MediaType}',
    empty: {},
  },
  Tag: {
    members:
      'name: text, summary: text, description: text, externalDocs: ExternalDocs, parent: text, kind: text',
    missing: { name: '' },
  },
  SecurityScheme: {
    members:
      'type: text, description: text, name: text, in: text, scheme: text, bearerFormat: text, flows: Flows, openIdConnectUrl: text, oauth2MetadataUrl: text, deprecated: flag',
  },
  Flows: {
    members:
      'implicit: Flow, password: Flow, clientCredentials: Flow, authorizationCode: Flow, deviceAuthorization: Flow',
  },
  Flow: {
    members:
      'authorizationUrl: text, deviceAuthorizationUrl: text, tokenUrl: text, refreshUrl: text, scopes: {text}',
  },
  SecurityRequirement: { others: '[text]' },
  Discriminator: {
    members: 'propertyName: text, mapping: {text}, defaultMapping: text',
  },
};

export const objectForms: ReadonlyMap<string, ObjectForm> = new Map(
  Object.entries(rows).map(([name, row]) => [name, readRow(row)]),
);

function readRow({ members = '', others, missing = {}, empty }: FormRow): ObjectForm {
  const entries = members.split(', ').filter((entry) => entry !== '');
  return {
    members: new Map(
      entries.map((entry) => {
        const [name = '', form = ''] = entry.split(': ');
        return [name, parseForm(form)] as const;
      }),
    ),
    others: others === undefined ? undefined : parseForm(others),
    missing,
    empty,
  };
}
