import { isRecord, type JsonRecord, listOf, recordOf, textOf } from './json.ts';
import { placeAt } from './place.ts';

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch']);

/**
 * Swagger 2.0 as OpenAPI 3.0, as far as requests and responses need it. Written here, and not taken
 * from the library that the project itself converts with, so that its faults are seen.
 */
export function convertSwagger(document: JsonRecord): JsonRecord {
  const converter = new SwaggerConverter(document);
  const root = {
    openapi: '3.0.3',
    info: document['info'],
    paths: mapValues(document['paths'], (item) => converter.pathItem(item)),
    components: {
      schemas: document['definitions'] ?? {},
      securitySchemes: mapValues(document['securityDefinitions'], securityScheme),
    },
    ...(document['security'] === undefined ? {} : { security: document['security'] }),
  };
  const moved: JsonRecord = JSON.parse(
    JSON.stringify(root).replaceAll('"#/definitions/', '"#/components/schemas/'),
  );
  return moved;
}

class SwaggerConverter {
  readonly #document: JsonRecord;

  constructor(document: JsonRecord) {
    this.#document = document;
  }

  pathItem(item: unknown): unknown {
    const members = recordOf(this.#resolve(item));
    const shared = listOf(members['parameters']);
    const operations = Object.entries(members).filter(([name]) => methods.has(name));
    return Object.fromEntries(
      operations.map(([method, operation]) => [
        method,
        this.#operation(recordOf(operation), shared),
      ]),
    );
  }

  #operation(operation: JsonRecord, shared: readonly unknown[]): JsonRecord {
    const own = this.#parameters(listOf(operation['parameters']));
    const names = new Set(own.map(parameterKey));
    const inherited = this.#parameters(shared).filter((one) => !names.has(parameterKey(one)));
    const all = [...inherited, ...own];
    const body = this.#requestBody(operation, all);
    const produces = this.#mediaTypes(operation, 'produces');
    return {
      ...operation,
      parameters: all.filter(({ in: at }) => at !== 'body' && at !== 'formData').map(parameter),
      ...(body === undefined ? {} : { requestBody: body }),
      responses: mapValues(operation['responses'], (one) => this.#response(one, produces)),
    };
  }

  #parameters(list: readonly unknown[]): readonly JsonRecord[] {
    return list.map((one) => recordOf(this.#resolve(one)));
  }

  #requestBody(operation: JsonRecord, all: readonly JsonRecord[]): JsonRecord | undefined {
    const consumes = this.#mediaTypes(operation, 'consumes');
    const body = all.find(({ in: at }) => at === 'body');
    if (body !== undefined) {
      const content = consumes.map((type) => [type, { schema: body['schema'] ?? {} }]);
      return { required: body['required'] === true, content: Object.fromEntries(content) };
    }
    const fields = all.filter(({ in: at }) => at === 'formData');
    if (fields.length === 0) return undefined;
    const hasFile = fields.some(({ type }) => type === 'file');
    const form = hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
    const type = consumes.find((one) => /form/.test(one) && (!hasFile || one === form)) ?? form;
    const schema = {
      type: 'object',
      properties: Object.fromEntries(fields.map((field) => [field['name'], valueSchema(field)])),
      required: fields.filter(({ required }) => required === true).map(({ name }) => name),
    };
    return { required: schema.required.length > 0, content: { [type]: { schema } } };
  }

  #response(response: unknown, produces: readonly string[]): JsonRecord {
    const members = recordOf(this.#resolve(response));
    const { schema } = members;
    if (schema === undefined) return { description: members['description'] };
    const content = Object.fromEntries(produces.map((type) => [type, { schema }]));
    return { description: members['description'], content };
  }

  #mediaTypes(operation: JsonRecord, member: 'consumes' | 'produces'): readonly string[] {
    const own = operation[member];
    const types = listOf(own ?? this.#document[member]).filter((type) => typeof type === 'string');
    return types.length === 0 ? ['application/json'] : types;
  }

  #resolve(node: unknown): unknown {
    const target = textOf(recordOf(node)['$ref']);
    return target === undefined ? node : placeAt(this.#document, target).node;
  }
}

const parameterKey = (one: JsonRecord): string => `${String(one['in'])} ${String(one['name'])}`;

const parameterMembers = new Set(['name', 'in', 'required', 'description', 'collectionFormat']);

function parameter(one: JsonRecord): JsonRecord {
  return {
    name: one['name'],
    in: one['in'],
    required: one['required'] === true,
    ...collectionStyle(one),
    schema: valueSchema(one),
  };
}

/** The schema of a parameter, whose members stand beside its name in Swagger 2.0. */
function valueSchema(one: JsonRecord): JsonRecord {
  const schema = Object.fromEntries(
    Object.entries(one).filter(([name]) => !parameterMembers.has(name)),
  );
  return one['type'] === 'file' ? { ...schema, type: 'string', format: 'binary' } : schema;
}

function collectionStyle(one: JsonRecord): JsonRecord {
  if (one['type'] !== 'array' || one['in'] !== 'query') return {};
  const format = one['collectionFormat'];
  if (format === 'multi') return { style: 'form', explode: true };
  if (format === 'ssv') return { style: 'spaceDelimited', explode: false };
  return { style: format === 'pipes' ? 'pipeDelimited' : 'form', explode: false };
}

function securityScheme(scheme: unknown): unknown {
  return recordOf(scheme)['type'] === 'basic' ? { type: 'http', scheme: 'basic' } : scheme;
}

function mapValues(value: unknown, change: (one: unknown) => unknown): JsonRecord {
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, change(one)]));
}
