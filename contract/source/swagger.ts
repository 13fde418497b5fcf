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
import { followReference, isBodyParameter, type BodyParameter } from './node.ts';
import {
  convertSchema,
  convertSchemaOf,
  mediaOf,
  requestBodyOf,
  styleOf,
  takeSchema,
} from './swagger-body.ts';

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

/** Media types of one list: each operation may have all those of the document. */
export const mostMediaTypes = 20;

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
    this.#consumes = this.#listTypes(document, '#', 'consumes') ?? ['application/json'];
    this.#produces = this.#listTypes(document, '#', 'produces') ?? ['application/json'];
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
    const consumes = this.#listTypes(operation, at, 'consumes') ?? this.#consumes;
    const produces = this.#listTypes(operation, at, 'produces') ?? this.#produces;
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
    forEachObject(parameters, '#/parameters', (value, pointer, name) => {
      if (!isBodyParameter({ value, pointer })) return this.#convertParameter(value, pointer);
      removeMember(Object(parameters), name);
      if (value['in'] === 'body')
        setMember(
          requestBodies,
          name,
          requestBodyOf([{ value, pointer }], this.#consumes, this.#log),
        );
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
    const inBody: BodyParameter[] = [];
    for (const [index, value] of parameters.entries()) {
      const pointer = appendPointer(at, 'parameters', index);
      const found = followReference(this.#document, { pointer, value });
      if (isBodyParameter(found)) {
        inBody.push(found);
        continue;
      }
      this.#log.keepOrigin(value, pointer);
      if (isJsonObject(value)) this.#convertParameter(value, pointer);
      others.push(value);
    }
    setMember(holder, 'parameters', others);
    const [body, ...further] = inBody.filter(({ value }) => value['in'] === 'body');
    // The shared body has the media types of the document.
    const isShared = body?.pointer.startsWith('#/parameters/') === true && further.length === 0;
    if (isShared && consumes === this.#consumes)
      return { $ref: body.pointer.replace('#/parameters/', '#/components/requestBodies/') };
    if (inBody.length === 0) return undefined;
    return requestBodyOf(inBody, consumes, this.#log);
  }

  #listTypes(
    holder: JsonObject,
    at: string,
    name: 'consumes' | 'produces',
  ): readonly string[] | undefined {
    const types = textsOf(holder[name]);
    if (types === undefined || types.length <= mostMediaTypes) return types;
    const message = `lists ${types.length} media types, and only the first ${mostMediaTypes} are read`;
    this.#log.report('too-large', appendPointer(at, name), message, 'List fewer.');
    return types.slice(0, mostMediaTypes);
  }

  /** A parameter that is not in a body, in place. */
  #convertParameter(parameter: JsonObject, pointer: string): void {
    if (parameter['$ref'] !== undefined) return;
    const { type, collectionFormat, in: place, example, 'x-example': shown } = parameter;
    if (type === 'array') Object.assign(parameter, styleOf(collectionFormat, place === 'query'));
    if (shown !== undefined && example === undefined && !isJsonObject(shown))
      setMember(parameter, 'example', shown);
    this.#moveSchema(parameter, pointer);
  }

  /** Puts the keywords of a schema in a parameter or header into `schema`. */
  #moveSchema(holder: JsonObject, pointer: string): void {
    remove(holder, 'collectionFormat');
    if (holder['schema'] !== undefined) return;
    const schema = takeSchema(holder);
    this.#log.keepOrigin(schema, pointer);
    setMember(holder, 'schema', schema);
  }

  /** A response, in place. */
  #convertResponse(response: JsonObject, pointer: string, produces: readonly string[]): void {
    if (response['$ref'] !== undefined) return;
    forEachObject(response['headers'], appendPointer(pointer, 'headers'), (header, at) => {
      if (header['$ref'] === undefined) this.#moveSchema(header, at);
    });
    if (response['content'] !== undefined) return;
    const content = contentOf(response, produces);
    if (response['schema'] !== undefined) convertSchemaOf(response, pointer, this.#log);
    remove(response, 'schema', 'examples');
    this.#log.keepOrigin(content, pointer);
    if (Object.keys(content).length > 0) setMember(response, 'content', content);
  }
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
