import { addAll } from '../list/list.ts';
import { appendPointer } from '../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { removeMember, setMember, takeMembers } from '../json/edit.ts';
import { wordOf } from '../json/word.ts';
import type { DiagnosticLog } from './diagnostic-log.ts';
import { followReference } from './follow-reference.ts';
import { plainSchemaWords } from './schema-words.ts';

/** Whether a document is of version 2.0. */
export function isSwagger({ swagger, openapi }: JsonObject): boolean {
  return openapi === undefined && /^2\b/.test(wordOf(swagger));
}

/** Turns a document of version 2.0 into one of 3.0, in place; origins stay those of the text. */
export function convertSwagger(document: JsonObject, log: DiagnosticLog): void {
  log.inTerms = inSwaggerTerms;
  new Conversion(document, log).run();
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

/** What the parameters of an operation or a path become. */
interface ConvertedParameters {
  readonly parameters: readonly JsonValue[];
  readonly requestBody: JsonObject | undefined;
}

/** A parameter with its reference followed. */
interface Described {
  readonly value: JsonObject;
  readonly pointer: string;
  readonly reference: string | undefined;
}

class Conversion {
  readonly #document: JsonObject;
  readonly #log: DiagnosticLog;
  /** The media types of bodies that requests carry where an operation does not say. */
  readonly #consumes: readonly string[];
  /** The same for responses. */
  readonly #produces: readonly string[];

  constructor(document: JsonObject, log: DiagnosticLog) {
    this.#document = document;
    this.#log = log;
    this.#consumes = mediaTypes(document['consumes']) ?? ['application/json'];
    this.#produces = mediaTypes(document['produces']) ?? ['application/json'];
  }

  run(): void {
    const document = this.#document;
    this.#convertPaths();
    this.#convertComponents();
    convertReferences(document);
    const { host, basePath = '', schemes } = document;
    if (host !== undefined || basePath !== '')
      setMember(document, 'servers', serversOf(host, basePath, mediaTypes(schemes)));
    for (const name of ['swagger', 'host', 'basePath', 'schemes', 'consumes', 'produces'])
      removeMember(document, name);
    setMember(document, 'openapi', '3.0.4');
  }

  /** Notes that a value will stand for a place of the document as it was. */
  #moveFrom(value: JsonValue | undefined, pointer: string): void {
    this.#log.origins.keep(this.#document, value, pointer);
  }

  #convertPaths(): void {
    forEachMember(this.#document['paths'], '#/paths', (item, at) => {
      if (!isJsonObject(item)) return;
      const list = appendPointer(at, 'parameters');
      const shared = this.#convertParameters(item['parameters'], list, this.#consumes);
      if (isJsonArray(item['parameters'])) setMember(item, 'parameters', shared.parameters);
      for (const method of methods) {
        const operation = item[method];
        if (isJsonObject(operation))
          this.#convertOperation(operation, appendPointer(at, method), shared.requestBody);
      }
    });
  }

  #convertOperation(
    operation: JsonObject,
    pointer: string,
    sharedBody: JsonObject | undefined,
  ): void {
    const consumes = mediaTypes(operation['consumes']) ?? this.#consumes;
    const produces = mediaTypes(operation['produces']) ?? this.#produces;
    const list = appendPointer(pointer, 'parameters');
    const own = this.#convertParameters(operation['parameters'], list, consumes);
    if (isJsonArray(operation['parameters'])) setMember(operation, 'parameters', own.parameters);
    const requestBody = own.requestBody ?? sharedBody;
    if (requestBody !== undefined) setMember(operation, 'requestBody', requestBody);
    forEachMember(operation['responses'], appendPointer(pointer, 'responses'), (response, at) =>
      this.#convertResponse(response, at, produces),
    );
    for (const name of ['consumes', 'produces', 'schemes']) removeMember(operation, name);
  }

  #convertComponents(): void {
    const document = this.#document;
    const { definitions, parameters, responses } = document;
    const components: JsonObject = {};
    const add = (name: string, value: JsonValue | undefined, pointer: string): void => {
      if (!isJsonObject(value)) return;
      this.#moveFrom(value, pointer);
      setMember(components, name, value);
    };
    forEachMember(definitions, '#/definitions', convertSchema);
    add('schemas', definitions, '#/definitions');
    const bodies: JsonObject = {};
    forEachMember(parameters, '#/parameters', (parameter, at, name) => {
      if (!isJsonObject(parameter) || !isJsonObject(parameters)) return;
      const { in: place } = parameter;
      if (place === 'body')
        setMember(bodies, name, this.#convertBody(parameter, at, this.#consumes));
      if (place === 'body' || place === 'formData') removeMember(parameters, name);
      else this.#convertParameter(parameter, at);
    });
    add('parameters', parameters, '#/parameters');
    if (Object.keys(bodies).length > 0) setMember(components, 'requestBodies', bodies);
    forEachMember(responses, '#/responses', (response, at) =>
      this.#convertResponse(response, at, this.#produces),
    );
    add('responses', responses, '#/responses');
    convertSecurity(document['securityDefinitions']);
    add('securitySchemes', document['securityDefinitions'], '#/securityDefinitions');
    for (const name of ['definitions', 'parameters', 'responses', 'securityDefinitions'])
      removeMember(document, name);
    setMember(document, 'components', components);
  }

  /** Splits a list of 2.0 into parameters and a body. */
  #convertParameters(
    list: JsonValue | undefined,
    pointer: string,
    consumes: readonly string[],
  ): ConvertedParameters {
    const parameters: JsonValue[] = [];
    const fields: Described[] = [];
    const bodies: Described[] = [];
    forEachMember(isJsonArray(list) ? list : undefined, pointer, (item, at) => {
      const described = this.#describe(item, at);
      const place = described?.value['in'];
      if (described === undefined || (place !== 'body' && place !== 'formData')) {
        this.#moveFrom(item, at);
        if (described?.reference === undefined && isJsonObject(item))
          this.#convertParameter(item, at);
        parameters.push(item);
      } else if (place === 'formData') fields.push(described);
      else bodies.push(described);
    });
    const [body] = bodies;
    const requestBody =
      body === undefined
        ? fields.length === 0
          ? undefined
          : this.#formFor(fields, consumes)
        : bodies.length === 1
          ? this.#bodyFor(body, consumes)
          : this.#joinBodies(bodies, consumes);
    return { parameters, requestBody };
  }

  #describe(item: JsonValue, pointer: string): Described | undefined {
    const reference = isJsonObject(item) ? item['$ref'] : undefined;
    const found = followReference(this.#document, { pointer, value: item });
    return isJsonObject(found.value)
      ? {
          value: found.value,
          pointer: found.pointer,
          reference: typeof reference === 'string' ? reference : undefined,
        }
      : undefined;
  }

  /** A parameter that is no body, in place. */
  #convertParameter(parameter: JsonObject, pointer: string): void {
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
    this.#moveFrom(schema, pointer);
    setMember(parameter, 'schema', schema);
  }

  #bodyFor({ value, pointer, reference }: Described, consumes: readonly string[]): JsonObject {
    // The shared body has the media types of the document.
    if (reference?.startsWith('#/parameters/') === true && consumes === this.#consumes)
      return { $ref: reference.replace('#/parameters/', '#/components/requestBodies/') };
    return this.#convertBody(value, pointer, consumes);
  }

  /**
   * Several parameters `in: body`, which version 2.0 does not allow, as the members of one object. None
   * is required, because some generators list alternatives like this.
   */
  #joinBodies(bodies: readonly Described[], consumes: readonly string[]): JsonObject {
    const [first, ...others] = bodies;
    for (const { pointer } of others)
      this.#log.warn(
        pointer,
        'an operation has only one parameter with in: body',
        'Describe one object; they are read as its members, none of them required.',
      );
    const properties = bodies.map(({ value: { name, schema = {} }, pointer }) => {
      convertSchema(schema);
      this.#moveFrom(schema, appendPointer(pointer, 'schema'));
      return [wordOf(name), schema] as const;
    });
    const schema = { type: 'object', properties: Object.fromEntries(properties) };
    const body = {
      required: bodies.some(({ value }) => value['required'] === true),
      content: Object.fromEntries(consumes.map((name) => [name, { schema }] as const)),
    };
    if (first !== undefined) this.#moveFrom(body, first.pointer);
    return body;
  }

  /** A parameter `in: body` as a request body. */
  #convertBody(parameter: JsonObject, pointer: string, consumes: readonly string[]): JsonObject {
    const {
      description,
      required = false,
      schema = {},
      'x-examples': examples,
      'x-example': example,
    } = parameter;
    convertSchema(schema);
    this.#moveFrom(schema, appendPointer(pointer, 'schema'));
    const exampleFor = (name: string): JsonObject => {
      const one = [examples, example].map((some) => (isJsonObject(some) ? some[name] : undefined));
      const [found] = one.filter((value) => value !== undefined);
      return found === undefined ? {} : { example: found };
    };
    const content = Object.fromEntries(
      consumes.map((name) => [name, { schema, ...exampleFor(name) }] as const),
    );
    const body = { ...(description === undefined ? {} : { description }), required, content };
    this.#moveFrom(body, pointer);
    return body;
  }

  /** Fields of a form as a request body. */
  #formFor(fields: readonly Described[], consumes: readonly string[]): JsonObject {
    const encoding: JsonObject = {};
    const converted = fields.map(({ value, pointer }) => {
      const { type, collectionFormat = 'csv', description } = value;
      const name = wordOf(value['name']);
      if (type === 'array') setMember(encoding, name, styleOf(wordOf(collectionFormat), true));
      const schema = takeSchema({ ...value });
      if (description !== undefined) setMember(schema, 'description', description);
      this.#moveFrom(schema, pointer);
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
    if (first !== undefined) this.#moveFrom(body, first.pointer);
    return body;
  }

  /** A response of 2.0, in place. */
  #convertResponse(response: JsonValue, pointer: string, produces: readonly string[]): void {
    if (!isJsonObject(response) || response['$ref'] !== undefined) return;
    forEachMember(response['headers'], appendPointer(pointer, 'headers'), (header, at) => {
      if (!isJsonObject(header) || header['$ref'] !== undefined || header['schema'] !== undefined)
        return;
      removeMember(header, 'collectionFormat');
      const schema = takeSchema(header);
      this.#moveFrom(schema, at);
      setMember(header, 'schema', schema);
    });
    const { schema, examples, content } = response;
    if (content !== undefined) return;
    const media = contentOf(schema, examples, produces);
    removeMember(response, 'schema');
    removeMember(response, 'examples');
    if (schema !== undefined) {
      convertSchema(schema);
      this.#moveFrom(schema, appendPointer(pointer, 'schema'));
    }
    this.#moveFrom(media, pointer);
    if (Object.keys(media).length > 0) setMember(response, 'content', media);
  }
}

function serversOf(
  host: JsonValue | undefined,
  basePath: JsonValue,
  schemes: readonly string[] = ['https'],
): readonly JsonValue[] {
  if (host === undefined) return [{ url: wordOf(basePath) }];
  return schemes.map((scheme) => ({ url: `${scheme}://${wordOf(host)}${wordOf(basePath)}` }));
}

function styleOf(format: string, isQuery: boolean): JsonObject {
  if (format === 'multi') return isQuery ? { style: 'form', explode: true } : {};
  if (!isQuery) return { style: 'simple', explode: false };
  if (format === 'ssv') return { style: 'spaceDelimited', explode: false };
  if (format === 'pipes') return { style: 'pipeDelimited', explode: false };
  return { style: 'form', explode: false };
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

function contentOf(
  schema: JsonValue | undefined,
  examples: JsonValue | undefined,
  produces: readonly string[],
): JsonObject {
  const byType = isJsonObject(examples) ? examples : {};
  const described = Object.keys(byType).filter((name) => name.includes('/'));
  const hasRange = described.some(isRange);
  const names = new Set([
    ...(schema === undefined && !hasRange ? [] : produces),
    ...described.filter((name) => !isRange(name)),
  ]);
  return Object.fromEntries(
    [...names].map((name) => {
      const range = described.find((one) => isRange(one) && isWithin(name, one));
      const example = byType[name] ?? (range === undefined ? undefined : byType[range]);
      return [
        name,
        {
          ...(schema === undefined ? {} : { schema }),
          ...(example === undefined ? {} : { example }),
        },
      ] as const;
    }),
  );
}

/** `text/*` or any type, of which `produces` says which types there are. */
function isRange(name: string): boolean {
  return name.endsWith('/*');
}

function isWithin(name: string, range: string): boolean {
  return range === '*/*' || name.startsWith(range.slice(0, -1));
}

/** Takes the words of a schema out of a parameter, header or form field. */
function takeSchema(holder: JsonObject): JsonObject {
  const schema = takeMembers(holder, [...plainSchemaWords, 'x-nullable']);
  convertSchema(schema);
  return schema;
}

/** Words of version 2.0 in a schema and all that it holds. */
function convertSchema(root: JsonValue | undefined): void {
  const pending: (JsonValue | undefined)[] = [root];
  while (pending.length > 0) {
    const schema = pending.pop();
    if (!isJsonObject(schema)) continue;
    convertWords(schema);
    for (const name of ['items', 'additionalProperties', 'not']) pending.push(schema[name]);
    for (const name of ['allOf', 'anyOf', 'oneOf', 'items']) {
      const branches = schema[name];
      if (isJsonArray(branches)) addAll(pending, branches);
    }
    const { properties } = schema;
    if (isJsonObject(properties)) addAll(pending, Object.values(properties));
  }
}

function convertWords(schema: JsonObject): void {
  const { discriminator, type, format = 'binary', 'x-nullable': nullable } = schema;
  if (typeof discriminator === 'string')
    setMember(schema, 'discriminator', { propertyName: discriminator });
  if (type === 'file') {
    setMember(schema, 'type', 'string');
    setMember(schema, 'format', format);
  }
  if (typeof nullable !== 'boolean') return;
  removeMember(schema, 'x-nullable');
  setMember(schema, 'nullable', nullable);
}

const flows: ReadonlyMap<string, string> = new Map([
  ['implicit', 'implicit'],
  ['password', 'password'],
  ['application', 'clientCredentials'],
  ['accessCode', 'authorizationCode'],
]);

/** Security definitions of 2.0, in place. */
function convertSecurity(definitions: JsonValue | undefined): void {
  if (!isJsonObject(definitions)) return;
  for (const scheme of Object.values(definitions)) if (isJsonObject(scheme)) convertScheme(scheme);
}

function convertScheme(scheme: JsonObject): void {
  const { type, flow, scopes = {}, authorizationUrl, tokenUrl } = scheme;
  if (type === 'basic') {
    setMember(scheme, 'type', 'http');
    setMember(scheme, 'scheme', 'basic');
  }
  if (type !== 'oauth2') return;
  for (const name of ['flow', 'scopes', 'authorizationUrl', 'tokenUrl']) removeMember(scheme, name);
  const converted = {
    ...(authorizationUrl === undefined ? {} : { authorizationUrl }),
    ...(tokenUrl === undefined ? {} : { tokenUrl }),
    scopes,
  };
  setMember(scheme, 'flows', { [flows.get(wordOf(flow)) ?? 'implicit']: converted });
}

const moved = [
  ['#/definitions/', '#/components/schemas/'],
  ['#/parameters/', '#/components/parameters/'],
  ['#/responses/', '#/components/responses/'],
] as const;

const renamed = [
  ['#/components/schemas/', '#/definitions/'],
  ['#/components/parameters/', '#/parameters/'],
  ['#/components/requestBodies/', '#/parameters/'],
  ['#/components/responses/', '#/responses/'],
  ['components.securitySchemes', 'securityDefinitions'],
] as const;

/** A message about a converted document in the terms of version 2.0. */
function inSwaggerTerms(message: string): string {
  let text = message;
  for (const [from, to] of renamed) text = text.replaceAll(from, to);
  return text;
}

/** References to what has moved, anywhere in the document. */
function convertReferences(document: JsonObject): void {
  const pending: JsonValue[] = [document];
  const seen = new Set<JsonValue>();
  while (pending.length > 0) {
    const value = pending.pop() ?? null;
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    for (const member of Object.values(value))
      if (typeof member === 'object') pending.push(member ?? null);
    const reference = isJsonObject(value) ? value['$ref'] : undefined;
    if (typeof reference !== 'string') continue;
    const rule = moved.find(([from]) => reference.startsWith(from));
    if (rule !== undefined) setMember(value, '$ref', reference.replace(rule[0], rule[1]));
  }
}

/** Undefined for none. */
function mediaTypes(value: JsonValue | undefined): readonly string[] | undefined {
  const names = isJsonArray(value) ? value.filter((one) => typeof one === 'string') : [];
  return names.length === 0 ? undefined : names;
}

/** Runs over the items or members of a value, each with its pointer. */
function forEachMember(
  value: JsonValue | undefined,
  pointer: string,
  run: (member: JsonValue, pointer: string, name: string) => void,
): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value))
    if (member !== undefined) run(member, appendPointer(pointer, name), name);
}
