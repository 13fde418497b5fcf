import { json, ok, referTo } from './compose-document.ts';

/** Names that objects have without being asked, and that others take for more than names. */
export const prototypeNames = [
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  'valueOf',
  '__defineGetter__',
  'isPrototypeOf',
  'then',
  'toJSON',
  'length',
] as const;

const named = <Value>(make: (name: string) => Value): Record<string, Value> =>
  Object.fromEntries(prototypeNames.map((name) => [name, make(name)]));

/** A valid document in which they name everything: collections, items, schemas, operations, tags. */
export function composePrototypeDocument(): string {
  const item = {
    type: 'object',
    required: ['id', ...prototypeNames],
    properties: {
      id: { type: 'integer', readOnly: true },
      ...named(() => ({ type: 'string', minLength: 2 })),
    },
    additionalProperties: false,
  };
  const collection = (name: string): object => ({
    get: {
      operationId: name,
      tags: [name],
      parameters: [{ name, in: 'query', schema: { type: 'string' } }],
      responses: {
        200: {
          description: name,
          headers: named(() => ({ schema: { type: 'integer' } })),
          content: json({ type: 'array', items: referTo(name) }),
        },
      },
    },
    post: {
      operationId: `add_${name}`,
      tags: [name],
      requestBody: { required: true, content: json(referTo(name)) },
      responses: { 201: ok(referTo(name))[200], 400: { description: 'Bad.' } },
    },
  });
  const single = {
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
    get: { responses: { ...ok(item), 404: { description: 'None.' } } },
    delete: { responses: { 204: { description: 'Gone.' }, 404: { description: 'None.' } } },
  };
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: '__proto__', version: 'constructor' },
    tags: prototypeNames.map((name) => ({ name })),
    paths: Object.fromEntries(
      prototypeNames.flatMap((name): [string, object][] => [
        [`/${name}`, collection(name)],
        [`/${name}/{id}`, single],
      ]),
    ),
    components: { schemas: named(() => item) },
  });
}
