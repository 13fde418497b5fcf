import {
  around,
  documentOf,
  type HostileDocument,
  inJson,
  json,
  members,
  ok,
  type Random,
  referTo,
  times,
} from './hostile-document.ts';

const text = { type: 'string' };

function fields(count: number): Record<string, object> {
  return members(count, (at) => [`p${at}`, text]);
}

/** Operations, parameters and responses, more of them than anybody writes. */
export function listWideOperations(random: Random): HostileDocument[] {
  const size = (count: number): number => around(random, count);
  return [
    inJson(
      'wide/enum-parameter',
      documentOf({
        '/hostile': {
          get: {
            parameters: [
              {
                name: 'q',
                in: 'query',
                schema: { type: 'string', enum: times(size(300_000), (at) => `v${at}`) },
              },
            ],
            responses: ok({}),
          },
        },
      }),
    ),
    inJson(
      'wide/media-type-examples',
      documentOf({
        '/hostile': {
          get: {
            responses: {
              200: {
                description: 'x',
                content: {
                  'application/json': {
                    schema: { type: 'integer' },
                    examples: members(size(20_000), (at) => [`e${at}`, { value: 'x' }]),
                  },
                },
              },
            },
          },
        },
      }),
    ),
    inJson(
      'wide/tags',
      documentOf({}, { tags: times(size(50_000), (at) => ({ name: `t${at}` })) }),
    ),
    inJson(
      'wide/operations',
      documentOf(
        members(size(10_000), (at) => [
          `/p${at}`,
          { get: { responses: ok(text) }, post: { responses: ok(text) } },
        ]),
      ),
    ),
    inJson(
      'wide/resources',
      documentOf(
        Object.fromEntries(
          times(size(3_000), (at) => [
            [
              `/p${at}`,
              {
                get: { responses: ok({ type: 'array', items: referTo('T') }) },
                post: { requestBody: { content: json(referTo('T')) }, responses: ok(referTo('T')) },
              },
            ],
            [
              `/p${at}/{id}`,
              {
                get: {
                  parameters: [
                    { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
                  ],
                  responses: ok(referTo('T')),
                },
              },
            ],
          ]).flat(),
        ),
        {
          components: {
            schemas: { T: { type: 'object', properties: { id: { type: 'integer' } } } },
          },
        },
      ),
    ),
    inJson(
      'wide/same-operation-ids',
      documentOf(
        members(size(5_000), (at) => [
          `/p${at}`,
          { get: { operationId: 'same', responses: ok(text) } },
        ]),
      ),
      { told: '/paths/' },
    ),
    inJson(
      'wide/ambiguous-paths',
      documentOf(members(size(3_000), (at) => [`/a/{p${at}}`, { get: { responses: ok(text) } }])),
      { told: '/paths/' },
    ),
    inJson(
      'wide/nested-paths',
      documentOf(
        members(size(600), (at) => [`/${'a/'.repeat(at)}{id}`, { get: { responses: ok(text) } }]),
      ),
    ),
    inJson(
      'wide/path-parameters',
      documentOf({
        [`/${times(size(1_000), (at) => `{p${at}}`).join('/')}`]: { get: { responses: ok(text) } },
        [`/${times(size(1_000), (at) => `{p${at}}`).join('-')}`]: { get: { responses: ok(text) } },
        [`/${times(size(1_000), (at) => `{p${at}}`).join('')}`]: { get: { responses: ok(text) } },
      }),
    ),
    inJson(
      'wide/parameters',
      documentOf({
        '/hostile': {
          get: {
            parameters: times(size(5_000), (at) => ({
              name: `q${at}`,
              in: at % 2 === 0 ? 'query' : 'header',
              required: at % 3 === 0,
              schema: { type: 'integer', minimum: 3 },
            })),
            responses: ok(text),
          },
        },
      }),
    ),
    inJson(
      'wide/responses',
      documentOf({
        '/hostile': {
          get: {
            responses: members(600, (at) => [
              `${at + 100}`,
              { description: 'x', content: json({ type: 'object', properties: fields(20) }) },
            ]),
          },
        },
      }),
    ),
    inJson(
      'wide/response-headers',
      documentOf({
        '/hostile': {
          get: {
            responses: {
              200: {
                description: 'x',
                headers: members(size(5_000), (at) => [
                  `x-${at}`,
                  { required: true, schema: text },
                ]),
              },
            },
          },
        },
      }),
    ),
    inJson(
      'wide/media-types',
      documentOf({
        '/hostile': {
          post: {
            requestBody: {
              content: members(size(1_000), (at) => [`application/x${at}+json`, { schema: text }]),
            },
            responses: {
              200: {
                description: 'x',
                content: members(size(1_000), (at) => [
                  `application/x${at}+json`,
                  { schema: text },
                ]),
              },
            },
          },
        },
      }),
    ),
    inJson(
      'wide/security',
      documentOf(
        { '/hostile': { get: { responses: ok(text) } } },
        {
          security: times(size(5_000), (at) => ({ [`k${at}`]: [] })),
          components: {
            securitySchemes: members(5_000, (at) => [
              `k${at}`,
              { type: 'apiKey', in: 'header', name: `x-${at}` },
            ]),
          },
        },
      ),
    ),
    inJson(
      'wide/servers',
      documentOf(
        {},
        { servers: times(size(20_000), (at) => ({ url: `https://s${at}.example/{v}` })) },
      ),
    ),
    inJson(
      'wide/callbacks-links',
      documentOf({
        '/hostile': {
          post: {
            callbacks: members(size(1_000), (at) => [
              `c${at}`,
              { '{$request.body#/url}': { post: { responses: ok(text) } } },
            ]),
            responses: {
              200: {
                description: 'x',
                links: members(size(5_000), (at) => [`l${at}`, { operationId: 'getGood' }]),
              },
            },
          },
        },
      }),
    ),
  ];
}
