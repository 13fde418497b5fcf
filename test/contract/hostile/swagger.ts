import {
  around,
  type HostileDocument,
  inJson,
  members,
  type Random,
  times,
} from './hostile-document.ts';

function swagger(
  name: string,
  schema: object,
  definitions: object,
  more: object = {},
): HostileDocument {
  return inJson(`swagger/${name}`, {
    swagger: '2.0',
    info: { title: 'a', version: '1' },
    consumes: ['application/json'],
    produces: ['application/json'],
    definitions,
    paths: {
      '/good': { get: { responses: { 200: { description: 'a' } } } },
      '/hostile': {
        get: { responses: { 200: { description: 'a', schema } } },
        post: {
          parameters: [{ name: 'b', in: 'body', required: true, schema }],
          responses: { 200: { description: 'a', schema } },
        },
      },
    },
    ...more,
  });
}

function one(name: string): object {
  return { $ref: `#/definitions/${name}` };
}

/** The same in version 2.0. */
export function listSwagger(random: Random): HostileDocument[] {
  const depth = around(random, 30);
  return [
    swagger(
      'doubling',
      one(`S${depth}`),
      members(depth + 1, (at) => [
        `S${at}`,
        at === 0
          ? { type: 'object' }
          : {
              type: 'object',
              required: ['a', 'b'],
              properties: { a: one(`S${at - 1}`), b: one(`S${at - 1}`) },
            },
      ]),
    ),
    swagger(
      'allOf',
      one(`S${depth}`),
      members(depth + 1, (at) => [
        `S${at}`,
        at === 0 ? { type: 'object' } : { allOf: [one(`S${at - 1}`), one(`S${at - 1}`)] },
      ]),
    ),
    swagger('endless', one('A'), {
      A: { type: 'object', required: ['a'], properties: { a: one('A') } },
    }),
    swagger('minItems', { type: 'array', minItems: 1e9, items: { type: 'string' } }, {}),
    swagger(
      'media-types',
      one('A'),
      { A: { type: 'object', properties: members(200, (at) => [`p${at}`, {}]) } },
      {
        consumes: times(2_000, (at) => `application/x${at}`),
        produces: times(2_000, (at) => `application/x${at}`),
      },
    ),
    swagger(
      'parameters',
      one('A'),
      { A: {} },
      {
        parameters: members(5_000, (at) => [
          `P${at}`,
          { name: `p${at}`, in: 'formData', type: 'string' },
        ]),
      },
    ),
    swagger('circle', one('A'), { A: one('B'), B: one('A') }),
  ];
}
