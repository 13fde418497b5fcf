import { removeMember, setMember, takeMembers } from '../json/edit.ts';
import { appendPointer } from '../json/pointer.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  wordOf,
} from '../json/value.ts';
import type { DiagnosticLog } from './diagnostic-log.ts';
import { followReference, type Located } from './node.ts';
import { formBody, plainSchemaWords } from './swagger-words.ts';

/** What the components of version 3.0 are in 2.0. Parameters `in: body` are bodies of requests. */
const moved = [
  ['schemas', 'definitions'],
  ['parameters', 'parameters'],
  ['requestBodies', 'parameters'],
  ['responses', 'responses'],
  ['securitySchemes', 'securityDefinitions'],
] as const;

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
  new Conversion(document, log).run();
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

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
    this.#consumes = textsOf(document['consumes']) ?? ['application/json'];
    this.#produces = textsOf(document['produces']) ?? ['application/json'];
  }

  run(): void {
    const document = this.#document;
    // Before the components, because these still have to be what references in here lead to.
    forEachObject(document['paths'], '#/paths', (item, at) => {
      const body = this.#splitParameters(item, at, this.#consumes);
      for (const method of methods) {
        const operation = item[method];
        if (isJsonObject(operation))
          this.#convertOperation(operation, appendPointer(at, method), body);
      }
    });
    this.#convertComponents();
    convertReferences(document, new Set());
    const { host, basePath = '', schemes } = document;
    const origins =
      host === undefined
        ? ['']
        : (textsOf(schemes) ?? ['https']).map((scheme) => `${scheme}://${wordOf(host)}`);
    if (host !== undefined || basePath !== '')
      setMember(
        document,
        'servers',
        origins.map((origin) => ({ url: origin + wordOf(basePath) })),
      );
    remove(document, 'swagger', 'host', 'basePath', 'schemes', 'consumes', 'produces');
    setMember(document, 'openapi', '3.0.4');
  }

  #convertOperation(operation: JsonObject, at: string, sharedBody: JsonObject | undefined): void {
    const consumes = textsOf(operation['consumes']) ?? this.#consumes;
    const produces = textsOf(operation['produces']) ?? this.#produces;
    const body = this.#splitParameters(operation, at, consumes) ?? sharedBody;
    if (body !== undefined) setMember(operation, 'requestBody', body);
    forEachObject(operation['responses'], appendPointer(at, 'responses'), (response, pointer) =>
      this.#convertResponse(response, pointer, produces),
    );
    remove(operation, 'consumes', 'produces', 'schemes');
  }

  #convertComponents(): void {
    const document = this.#document;
    const { definitions, parameters, responses, securityDefinitions } = document;
    forEachObject(definitions, '#/definitions', convertSchema);
    const requestBodies: JsonObject = {};
    forEachObject(parameters, '#/parameters', (parameter, at, name) => {
      const { in: place } = parameter;
      if (place === 'body')
        setMember(requestBodies, name, this.#bodyOf(parameter, at, this.#consumes));
      if (place === 'body' || place === 'formData') removeMember(Object(parameters), name);
      else this.#convertParameter(parameter, at);
    });
    forEachObject(responses, '#/responses', (response, at) =>
      this.#convertResponse(response, at, this.#produces),
    );
    forEachObject(securityDefinitions, '#/securityDefinitions', convertSecurityScheme);
    const components: JsonObject = {};
    for (const [to, from] of moved) {
      const value = to === 'requestBodies' ? requestBodies : document[from];
      if (!isJsonObject(value) || (value === requestBodies && Object.keys(value).length === 0))
        continue;
      if (value !== requestBodies) this.#log.keepOrigin(value, `#/${from}`);
      setMember(components, to, value);
    }
    remove(document, ...moved.map(([, from]) => from));
    setMember(document, 'components', components);
  }

  /** Leaves the parameters that are not in a body, and returns the body of the others. */
  #splitParameters(
    holder: JsonObject,
    at: string,
    consumes: readonly string[],
  ): JsonObject | undefined {
    const { parameters } = holder;
    if (!isJsonArray(parameters)) return undefined;
    const others: JsonValue[] = [];
    const fields: Described[] = [];
    const bodies: Described[] = [];
    for (const [index, item] of parameters.entries()) {
      const pointer = appendPointer(at, 'parameters', index);
      const found = followReference(this.#document, { pointer, value: item });
      const place = isDescribed(found) ? found.value['in'] : undefined;
      if (isDescribed(found) && place === 'body') bodies.push(found);
      else if (isDescribed(found) && place === 'formData') fields.push(found);
      else {
        this.#log.keepOrigin(item, pointer);
        if (isJsonObject(item)) this.#convertParameter(item, pointer);
        others.push(item);
      }
    }
    setMember(holder, 'parameters', others);
    const [body] = bodies;
    if (body === undefined) return fields.length === 0 ? undefined : this.#formOf(fields, consumes);
    if (bodies.length > 1) return this.#joinBodies(bodies, body, consumes);
    // The shared body has the media types of the document.
    return body.pointer.startsWith('#/parameters/') && consumes === this.#consumes
      ? { $ref: body.pointer.replace('#/parameters/', '#/components/requestBodies/') }
      : this.#bodyOf(body.value, body.pointer, consumes);
  }

  /** A parameter that is not in a body, in place. */
  #convertParameter(parameter: JsonObject, pointer: string): void {
    if (parameter['$ref'] !== undefined) return;
    const { type, collectionFormat, in: place, example, 'x-example': shown } = parameter;
    if (type === 'array') Object.assign(parameter, styleOf(collectionFormat, place === 'query'));
    remove(parameter, 'collectionFormat');
    if (shown !== undefined && example === undefined && !isJsonObject(shown))
      setMember(parameter, 'example', shown);
    this.#moveSchema(parameter, pointer);
  }

  /** Puts the words of a schema in a parameter or header into `schema`. */
  #moveSchema(holder: JsonObject, pointer: string): void {
    if (holder['schema'] !== undefined) return;
    const schema = takeSchema(holder);
    this.#log.keepOrigin(schema, pointer);
    setMember(holder, 'schema', schema);
  }

  /** The schema of a parameter `in: body`, or of a response. */
  #convertSchemaOf({ schema = {} }: JsonObject, pointer: string): JsonValue {
    convertSchema(schema);
    this.#log.keepOrigin(schema, appendPointer(pointer, 'schema'));
    return schema;
  }

  /** A parameter `in: body` as a request body. */
  #bodyOf(parameter: JsonObject, pointer: string, consumes: readonly string[]): JsonObject {
    const { description, required = false, 'x-examples': examples, 'x-example': other } = parameter;
    const schema = this.#convertSchemaOf(parameter, pointer);
    const content = mediaOf(consumes, (name) => {
      const [example] = [examples, other]
        .map((some) => (isJsonObject(some) ? some[name] : undefined))
        .filter((some) => some !== undefined);
      return { schema, ...(example !== undefined && { example }) };
    });
    const body = { ...(description !== undefined && { description }), required, content };
    this.#log.keepOrigin(body, pointer);
    return body;
  }

  /**
   * Several parameters `in: body`, which version 2.0 does not allow, as the members of one object. None
   * is required, because some generators list alternatives like this.
   */
  #joinBodies(
    bodies: readonly Described[],
    first: Described,
    consumes: readonly string[],
  ): JsonObject {
    for (const { pointer } of bodies.slice(1))
      this.#log.warn(
        pointer,
        'an operation has only one parameter with in: body',
        'Describe one object; they are read as its members, none of them required.',
      );
    const properties = Object.fromEntries(
      bodies.map(({ value, pointer }) => [
        wordOf(value['name']),
        this.#convertSchemaOf(value, pointer),
      ]),
    );
    const body = {
      required: bodies.some(({ value }) => value['required'] === true),
      content: mediaOf(consumes, () => ({ schema: { type: 'object', properties } })),
    };
    this.#log.keepOrigin(body, first.pointer);
    return body;
  }

  /** Parameters `in: formData` as a request body. */
  #formOf(parameters: readonly Described[], consumes: readonly string[]): JsonObject {
    const encoding: JsonObject = {};
    const fields = parameters.map(({ value, pointer }) => {
      const { type, collectionFormat, description } = value;
      const name = wordOf(value['name']);
      if (type === 'array') setMember(encoding, name, styleOf(collectionFormat, true));
      const schema = takeSchema({ ...value });
      if (description !== undefined) setMember(schema, 'description', description);
      this.#log.keepOrigin(schema, pointer);
      const mayBeEmpty = value['allowEmptyValue'] === true;
      return {
        name,
        isRequired: value['required'] === true,
        schema: mayBeEmpty ? { anyOf: [schema, { type: 'string', maxLength: 0 }] } : schema,
      };
    });
    const forms = consumes.filter((name) => /^multipart\/|x-www-form-urlencoded/.test(name));
    const hasFile = parameters.some(({ value }) => value['type'] === 'file');
    const fallback = hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
    const body = formBody(fields, forms.length === 0 ? [fallback] : forms, encoding);
    this.#log.keepOrigin(body, parameters[0]?.pointer ?? '#');
    return body;
  }

  /** A response, in place. */
  #convertResponse(response: JsonObject, pointer: string, produces: readonly string[]): void {
    if (response['$ref'] !== undefined) return;
    forEachObject(response['headers'], appendPointer(pointer, 'headers'), (header, at) => {
      if (header['$ref'] !== undefined || header['schema'] !== undefined) return;
      remove(header, 'collectionFormat');
      this.#moveSchema(header, at);
    });
    if (response['content'] !== undefined) return;
    const content = contentOf(response, produces);
    if (response['schema'] !== undefined) this.#convertSchemaOf(response, pointer);
    remove(response, 'schema', 'examples');
    this.#log.keepOrigin(content, pointer);
    if (Object.keys(content).length > 0) setMember(response, 'content', content);
  }
}

/** A parameter, its reference followed. */
interface Described extends Located {
  readonly value: JsonObject;
}

function isDescribed(found: Located): found is Described {
  return isJsonObject(found.value);
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

/** Takes the words of a schema out of a parameter, header or form field. */
function takeSchema(holder: JsonObject): JsonObject {
  const schema = takeMembers(holder, [...plainSchemaWords, 'x-nullable']);
  convertSchema(schema);
  return schema;
}

/** Words of version 2.0 in a schema and all that it holds. */
function convertSchema(schema: JsonValue | undefined): void {
  if (!isJsonObject(schema)) return;
  const { discriminator, type, format = 'binary', properties, 'x-nullable': nullable } = schema;
  if (typeof discriminator === 'string')
    setMember(schema, 'discriminator', { propertyName: discriminator });
  if (type === 'file') {
    setMember(schema, 'type', 'string');
    setMember(schema, 'format', format);
  }
  if (typeof nullable === 'boolean') {
    remove(schema, 'x-nullable');
    setMember(schema, 'nullable', nullable);
  }
  for (const name of ['items', 'additionalProperties', 'not', 'allOf', 'anyOf', 'oneOf']) {
    const inner = schema[name];
    for (const one of isJsonArray(inner) ? inner : [inner]) convertSchema(one);
  }
  forEachObject(properties, '', convertSchema);
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

/** References to what has moved, anywhere in the document. Media types share their schemas. */
function convertReferences(value: JsonValue | undefined, seen: Set<object>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  const reference = isJsonObject(value) ? value['$ref'] : undefined;
  const row = moved.find(([, from]) => wordOf(reference).startsWith(`#/${from}/`));
  if (typeof reference === 'string' && row !== undefined)
    setMember(value, '$ref', reference.replace(`#/${row[1]}/`, `#/components/${row[0]}/`));
  for (const member of Object.values(value)) convertReferences(member, seen);
}

/** The texts in a list; undefined for none. */
function textsOf(value: JsonValue | undefined): readonly string[] | undefined {
  const texts = isJsonArray(value) ? value.filter((one) => typeof one === 'string') : [];
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
