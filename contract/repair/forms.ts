import { isJsonArray, isJsonObject, type JsonValue } from '../json/value.ts';
import { isJsonTypeName } from '../schema/keyword/merged-schema.ts';
import { keywordOf } from '../schema/keywords.ts';
import { methods } from '../openapi/operation.ts';
import { fitScalar, type ObjectForm, objects } from './rules.ts';

/**
 * The expected form of a value in a document: `data` (any value, such as an example or an extension),
 * `string`, `boolean`, `number`, the name of an OpenAPI object, a list `[Server]` or a map `{Header}`.
 */
export type Form = string;

const valued = `description required=boolean deprecated=boolean allowEmptyValue=boolean style explode=boolean
  allowReserved=boolean schema=Schema example=data examples={Example} content={MediaType}`;

const encodings = 'encoding={Encoding} prefixEncoding=[Encoding] itemEncoding=Encoding';

/**
 * The members of the objects of OpenAPI 3.0, 3.1 and 3.2, each with its form unless it is a string. Those
 * of a Schema are in the table of keywords.
 */
const members = `
Document: openapi $self jsonSchemaDialect info=Info servers=[Server] paths=Paths webhooks={PathItem}
  components=Components security=[SecurityRequirement] tags=[Tag] externalDocs=ExternalDocs
Info: title summary description termsOfService contact=Contact license=License version
Contact: name url email
License: name identifier url
Server: url description name variables={ServerVariable}
ServerVariable: enum=[string] default description
Components: schemas={Schema} responses={Response} parameters={Parameter} examples={Example}
  requestBodies={RequestBody} headers={Header} securitySchemes={SecurityScheme} links={Link}
  callbacks={Callback} pathItems={PathItem} mediaTypes={MediaType}
PathItem: $ref summary description ${methods.map((method) => `${method}=Operation`).join(' ')}
  additionalOperations={Operation} servers=[Server] parameters=[Parameter]
Operation: tags=[string] summary description externalDocs=ExternalDocs operationId
  parameters=[Parameter] requestBody=RequestBody responses=Responses callbacks={Callback}
  deprecated=boolean security=[SecurityRequirement] servers=[Server]
ExternalDocs: description url
Parameter: name in ${valued}
RequestBody: description content={MediaType} required=boolean
MediaType: description schema=Schema itemSchema=Schema example=data examples={Example} ${encodings}
Encoding: contentType headers={Header} style explode=boolean allowReserved=boolean ${encodings}
Response: summary description headers={Header} content={MediaType} links={Link}
Example: summary description value=data dataValue=data externalValue serializedValue
Link: operationRef operationId description parameters={data} requestBody=data server=Server
Header: ${valued}
Tag: name summary description externalDocs=ExternalDocs parent kind
SecurityScheme: type description name in scheme bearerFormat openIdConnectUrl oauth2MetadataUrl
  flows=Flows deprecated=boolean
Flows: implicit=Flow password=Flow clientCredentials=Flow authorizationCode=Flow
  deviceAuthorization=Flow
Flow: authorizationUrl deviceAuthorizationUrl tokenUrl refreshUrl scopes={string}
Discriminator: propertyName defaultMapping mapping={string}`;

/** By object name and member name, joined by a dot. */
const formsOfMembers: ReadonlyMap<string, Form> = new Map(
  [...members.matchAll(/^(\w+):(.*(?:\n .*)*)/gm)].flatMap(([, object = '', names = '']) =>
    [...names.matchAll(/([^\s=]+)(?:=(\S+))?/g)].map(([, name = '', form = 'string']) => [
      `${object}.${name}`,
      form,
    ]),
  ),
);

/** A map is an object with free names. */
export function objectForm(form: Form): ObjectForm {
  return objects[form] ?? (isMap(form) ? { others: itemForm(form) } : {});
}

/** The form of a member of an object; undefined for an unknown one. */
export function memberForm(form: Form, member: string): Form | undefined {
  if (form === 'Schema') return schemaMember(member);
  return formsOfMembers.get(`${form}.${member}`) ?? objectForm(form).others;
}

export function isList(form: Form): boolean {
  return form.startsWith('[');
}

export function isMap(form: Form): boolean {
  return form.startsWith('{');
}

/** The form of the items of a list or a map. */
export function itemForm(form: Form): Form {
  return form.slice(1, -1);
}

const byKind: Readonly<Record<Kind, Form>> = {
  schema: 'Schema',
  schemas: '[Schema]',
  'schema-map': '{Schema}',
  'pattern-map': '{Schema}',
  types: 'data',
  number: 'number',
  'positive number': 'number',
  count: 'number',
  flag: 'boolean',
  text: 'string',
  pattern: 'string',
  names: '[string]',
  'names-map': '{[string]}',
  values: '[data]',
  value: 'data',
  object: '{data}',
  unsupported: 'data',
};

type Kind = NonNullable<ReturnType<typeof keywordOf>>['takes'];

const byKeyword: ReadonlyMap<string, Form> = new Map([
  ['discriminator', 'Discriminator'],
  ['externalDocs', 'ExternalDocs'],
  ['nullable', 'boolean'],
  // Flags in OpenAPI 3.0.
  ['exclusiveMinimum', 'data'],
  ['exclusiveMaximum', 'data'],
  // No longer a keyword, but some documents keep schemas there.
  ['definitions', '{Schema}'],
]);

function schemaMember(name: string): Form | undefined {
  const kind = keywordOf(name)?.takes;
  return byKeyword.get(name) ?? (kind === undefined ? undefined : byKind[kind]);
}

const nouns: ReadonlyMap<Form, string> = new Map([
  ['data', 'a value'],
  ['string', 'a string'],
  ['boolean', 'true or false'],
  ['number', 'a number'],
]);

/** In words that follow "must be". */
export function describeForm(form: Form): string {
  return nouns.get(form) ?? (isList(form) ? 'an array' : 'an object');
}

/**
 * A value converted to its form; undefined if that is impossible. Examines only the value itself, not its
 * contents. An empty array is how some languages write an empty object.
 */
export function fitValue(value: JsonValue, form: Form): JsonValue | undefined {
  if (form === 'data') return value;
  if (['string', 'boolean', 'number'].includes(form)) return fitScalar(value, form);
  if (isList(form)) return isJsonArray(value) ? value : toList(value, itemForm(form));
  if (isJsonObject(value)) return value;
  if (form === 'Schema') return toSchema(value);
  if (form === '{Example}' && value !== null)
    return Object.fromEntries([value].flat().map((one, index) => [index + 1, one]));
  const { text, empty } = objectForm(form);
  if (typeof value === 'string' && text !== undefined) return { [text]: value };
  if (typeof value === 'string' && form === 'SecurityRequirement') return { [value]: [] };
  return isJsonArray(value) && value.length === 0 ? {} : empty && { ...empty };
}

/** A single value instead of a list; the examples of a schema may be named, as elsewhere. */
function toList(value: JsonValue, item: Form): readonly JsonValue[] | undefined {
  const ofObjects = /^[A-Z]/.test(item);
  if (!isJsonObject(value)) {
    const isFit = value !== null && !ofObjects && fitValue(value, item) !== undefined;
    return isFit ? [value] : undefined;
  }
  const members = Object.values(value).filter((member) => member !== undefined);
  if (item === 'data')
    return members.map((one) => (isJsonObject(one) ? one['value'] : undefined) ?? one);
  if (members.length === 0) return [];
  return ofObjects ? [value] : undefined;
}

/** A boolean is a schema; the name of a type means a schema of that type. */
function toSchema(value: JsonValue): JsonValue {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  return typeof value === 'string' && isJsonTypeName(value) ? { type: value } : {};
}
