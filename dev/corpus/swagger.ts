import { PublicDocument } from './document.ts';
import { type JsonRecord, listOf, mapValues, recordOf } from './json.ts';

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch']);

/**
 * Swagger 2.0 as OpenAPI 3.0, as far as requests and responses need it. Written here, and not taken
 * from the project, so that errors of the project's own conversion are seen.
 */
export function convertSwagger(swagger: JsonRecord): PublicDocument {
  const document = new PublicDocument(swagger, '3.0');
  const resolve = (node: unknown): JsonRecord => recordOf(document.dereference(node));
  const root = {
    info: swagger['info'],
    paths: mapValues(recordOf(swagger['paths']), (node) => {
      const item = resolve(node);
      const shared = listOf(item['parameters']).map(resolve);
      const operations = Object.entries(item).filter(([name]) => methods.has(name));
      return mapValues(Object.fromEntries(operations), (operation) =>
        convertOperation(swagger, recordOf(operation), shared, resolve),
      );
    }),
    components: {
      schemas: swagger['definitions'] ?? {},
      securitySchemes: mapValues(recordOf(swagger['securityDefinitions']), (scheme) =>
        recordOf(scheme)['type'] === 'basic' ? { type: 'http', scheme: 'basic' } : scheme,
      ),
    },
    security: swagger['security'],
  };
  const moved: JsonRecord = JSON.parse(
    JSON.stringify(root).replaceAll('"#/definitions/', '"#/components/schemas/'),
  );
  return new PublicDocument(moved, '3.0');
}

function convertOperation(
  swagger: JsonRecord,
  operation: JsonRecord,
  shared: readonly JsonRecord[],
  resolve: (node: unknown) => JsonRecord,
): JsonRecord {
  const own = listOf(operation['parameters']).map(resolve);
  const inherited = shared.filter(
    (one) => !own.some((other) => other['name'] === one['name'] && other['in'] === one['in']),
  );
  const all = [...inherited, ...own];
  const typesOf = (member: string): readonly string[] => {
    const types = listOf(operation[member] ?? swagger[member]).filter(
      (one) => typeof one === 'string',
    );
    return types.length === 0 ? ['application/json'] : types;
  };
  return {
    ...operation,
    parameters: all
      .filter(({ in: at }) => at !== 'body' && at !== 'formData')
      .map((one) => ({
        name: one['name'],
        in: one['in'],
        required: one['required'] === true,
        ...collectionStyle(one),
        schema: valueSchema(one),
      })),
    requestBody: requestBody(all, typesOf('consumes')),
    responses: mapValues(recordOf(operation['responses']), (node) => {
      const { description, schema } = resolve(node);
      if (schema === undefined) return { description };
      return { description, content: contentOf(typesOf('produces'), schema) };
    }),
  };
}

function requestBody(
  parameters: readonly JsonRecord[],
  consumes: readonly string[],
): JsonRecord | undefined {
  const body = parameters.find(({ in: at }) => at === 'body');
  if (body !== undefined)
    return {
      required: body['required'] === true,
      content: contentOf(consumes, body['schema'] ?? {}),
    };
  const fields = parameters.filter(({ in: at }) => at === 'formData');
  if (fields.length === 0) return undefined;
  const hasFile = fields.some(({ type }) => type === 'file');
  const form = hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
  const type = consumes.find((one) => /form/.test(one) && (!hasFile || one === form)) ?? form;
  const required = fields.filter((field) => field['required'] === true).map(({ name }) => name);
  const properties = Object.fromEntries(fields.map((field) => [field['name'], valueSchema(field)]));
  return {
    required: required.length > 0,
    content: contentOf([type], { type: 'object', properties, required }),
  };
}

function contentOf(types: readonly string[], schema: unknown): JsonRecord {
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

const parameterMembers = new Set(['name', 'in', 'required', 'description', 'collectionFormat']);

/** The schema of a parameter, whose members stand beside its name in Swagger 2.0. */
function valueSchema(parameter: JsonRecord): JsonRecord {
  const members = Object.entries(parameter).filter(([name]) => !parameterMembers.has(name));
  const schema = Object.fromEntries(members);
  return schema['type'] === 'file' ? { ...schema, type: 'string', format: 'binary' } : schema;
}

function collectionStyle({ type, in: at, collectionFormat: format }: JsonRecord): JsonRecord {
  if (type !== 'array' || at !== 'query') return {};
  if (format === 'multi') return { style: 'form', explode: true };
  if (format === 'ssv') return { style: 'spaceDelimited', explode: false };
  return { style: format === 'pipes' ? 'pipeDelimited' : 'form', explode: false };
}
