/** JSON text; parts that are too large or odd for JSON.stringify are given as text. */
type Written = unknown;

export const json = (schema: Written): object => ({ 'application/json': { schema } });

export const ok = (schema: Written): { readonly 200: object } => ({
  200: { description: 'Fine.', content: json(schema) },
});

export const referTo = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

/** A list of values made from the numbers below a count. */
export function times<Value>(count: number, make: (index: number) => Value): Value[] {
  return Array.from({ length: count }, (_none, index) => make(index));
}

/** An object of members made from the numbers below a count. */
export function members<Value>(
  count: number,
  make: (index: number) => readonly [string, Value],
): Record<string, Value> {
  return Object.fromEntries(times(count, make));
}

/** A document that has a sound operation at `/good`, and more. */
export function documentOf(
  paths: Record<string, Written>,
  rest: Record<string, Written> = {},
): object {
  const schema = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
  const good = { get: { operationId: 'getGood', responses: ok(schema) } };
  const info = { title: 'Hostile', version: '1' };
  return { openapi: '3.1.0', info, paths: { '/good': good, ...paths }, ...rest };
}

/** A schema in the response of `GET /hostile`, and in the body of `POST /hostile`. */
export function schemaDocument(
  schema: Written,
  schemas: Record<string, Written> = {},
  version = '3.1.0',
): object {
  const operations = {
    get: { operationId: 'getHostile', responses: ok(schema) },
    post: {
      operationId: 'addHostile',
      requestBody: { required: true, content: json(schema) },
      responses: ok(schema),
    },
  };
  const document = documentOf({ '/hostile': operations }, { components: { schemas } });
  return { ...document, openapi: version };
}
