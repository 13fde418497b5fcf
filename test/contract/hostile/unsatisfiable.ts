import {
  condition,
  documentOf,
  type HostileDocument,
  inJson,
  json,
  ok,
  schemaDocument,
} from './hostile-document.ts';

/** Schemas that no value fits, by what is wrong with them. */
const unsatisfiable: Readonly<Record<string, unknown>> = {
  false: false,
  'not-any': { not: {} },
  'enum-type': { type: 'integer', enum: ['a'] },
  'enum-empty': { enum: [] },
  'min-max': { type: 'integer', minimum: 2, maximum: 1 },
  length: { type: 'string', minLength: 3, maxLength: 2 },
  items: { type: 'array', minItems: 3, maxItems: 2 },
  'items-false': { type: 'array', minItems: 1, items: false },
  properties: { type: 'object', minProperties: 3, maxProperties: 2 },
  'allOf-types': { allOf: [{ type: 'string' }, { type: 'integer' }] },
  'allOf-const': { allOf: [{ const: 1 }, { const: 2 }] },
  'oneOf-same': { oneOf: [{ type: 'string' }, { type: 'string' }] },
  'anyOf-false': { anyOf: [false, { not: {} }] },
  'required-false': { type: 'object', required: ['a'], properties: { a: false } },
  'required-closed': { type: 'object', required: ['a'], additionalProperties: false },
  'type-none': { type: [] },
  'format-pattern': { type: 'string', pattern: '^(?!)$' },
  'not-itself': { type: 'string', not: { type: 'string' } },
  'if-false': condition(true, false),
};

export function listUnsatisfiable(): HostileDocument[] {
  return Object.entries(unsatisfiable).flatMap(([name, schema]) => [
    inJson(`unsatisfiable/${name}`, schemaDocument(schema), { told: '~1hostile' }),
    inJson(`unsatisfiable/everywhere-${name}`, everywhere(schema), { told: '~1hostile' }),
  ]);
}

function everywhere(schema: unknown): object {
  const parameters = ['query', 'header', 'cookie'].map((place) => ({
    name: `in-${place}`,
    in: place,
    required: true,
    schema,
  }));
  const response = {
    description: 'x',
    headers: { 'x-hostile': { required: true, schema } },
    content: {
      ...json(schema),
      'text/plain': { schema },
      'application/x-www-form-urlencoded': { schema },
    },
  };
  return documentOf(
    {
      '/hostile/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema }, ...parameters],
        get: { responses: { 200: response, default: response } },
        put: {
          requestBody: {
            required: true,
            content: { ...json(schema), 'multipart/form-data': { schema } },
          },
          responses: { 200: response },
        },
      },
    },
    {
      webhooks: {
        hook: { post: { requestBody: { content: json(schema) }, responses: ok(schema) } },
      },
    },
  );
}
