import type * as codec from '../../../contract/json/codec.ts';
import type { Contract } from '../../../contract/contract.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
  renderJson,
} from '../../../contract/json/value.ts';
import { loadContract } from '../../../contract/load.ts';
import { declarationOf, pathParameters } from './operations.ts';
import { type OperationId, routes } from './routes.ts';
import * as schemas from './schemas.ts';

/** The codecs with a name: others refer to their schemas. */
const names = new Map<unknown, string>(
  Object.entries(schemas).map(([name, one]) => [one, name.charAt(0).toUpperCase() + name.slice(1)]),
);

const info = {
  title: 'Control interface of the mock',
  version: '1.0.0',
  summary: 'Items, time, choices, faults, stubs, counts and journal of every sandbox; webhooks.',
  description:
    'Requests here are not requests to the service: they need no API key, are not counted, and appear in no journal. Without a token they are accepted from this machine only. Every refusal is an Error.',
  license: { name: 'MIT', identifier: 'MIT' },
};

/** The OpenAPI document of the control interface. */
export function composeControlDocument(): JsonObject {
  const components: Record<string, JsonObject> = {};
  const refer = (one: codec.Codec<unknown>): JsonObject => {
    const name = names.get(one);
    if (name === undefined) return one.schema?.(refer) ?? {};
    components[name] ??= one.schema?.(refer) ?? {};
    return { $ref: `#/components/schemas/${name}` };
  };
  const paths: Record<string, JsonObject> = {};
  for (const [id, route] of entriesOf(routes)) {
    const [method = '', path = ''] = route.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(id, path, refer) };
  }
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/_mock' }],
    security: [{}, { token: [] }],
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token that the mock was started with.',
        },
      },
      schemas: components,
    },
  };
}

function describe(id: OperationId, path: string, refer: codec.SchemaReference): JsonObject {
  const { summary, description, query, body, response, otherType, ...rest } = declarationOf(id);
  const { status = response === undefined && otherType === undefined ? 204 : 200 } = rest;
  const inPath = entriesOf(pathParameters)
    .filter(([name]) => path.includes(`{${name}}`))
    .map(([name, one]) => describeParameter('path', name, true, refer(one)));
  const { properties, required } = query?.schema?.(refer) ?? {};
  const inQuery = Object.entries(isJsonObject(properties) ? properties : {}).map(
    ([name, schema = {}]) =>
      describeParameter('query', name, Array.isArray(required) && required.includes(name), schema),
  );
  const parameters = [...inPath, ...inQuery];
  const content = {
    ...(response !== undefined && { 'application/json': { schema: refer(response) } }),
    ...(otherType !== undefined && { [otherType]: { schema: { type: 'string' } } }),
  };
  const error = { 'application/json': { schema: refer(schemas.controlError) } };
  return {
    operationId: id,
    summary,
    description,
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: {
        required: !('isOptional' in body),
        content: {
          'application/json': {
            schema: refer(body),
          },
        },
      },
    }),
    responses: {
      [status]: { description: 'Success.', ...(status !== 204 && { content }) },
      default: { description: 'Refused, with the reason.', content: error },
    },
  };
}

function describeParameter(
  place: 'path' | 'query',
  name: string,
  required: boolean,
  schema: JsonValue,
): JsonObject {
  const { description, ...rest } = isJsonObject(schema) ? schema : {};
  return { name, in: place, required, description, schema: rest };
}

function entriesOf<Name extends string, Value>(of: Readonly<Record<Name, Value>>): [Name, Value][];
function entriesOf(of: object): [string, unknown][] {
  return Object.entries(of);
}

/** The document, compiled: it routes and validates requests. */
export async function loadControlContract(): Promise<Contract> {
  const text = renderJson(composeControlDocument());
  return await loadContract({ text, name: 'control/openapi.json' }, { validate: false });
}
