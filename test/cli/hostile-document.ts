/**
 * A document with a hostile text in every place for text; if it is to be served, except in paths and
 * request fields, where HTTP does not allow every text.
 */
export function composeHostileDocument(text: string, isServed = false): object {
  const name = `n${text}`;
  const key = name.replaceAll('~', '~0').replaceAll('/', '~1');
  const item = {
    type: 'object',
    title: text,
    description: text,
    required: ['id', name],
    properties: {
      id: { type: 'integer', description: text },
      [name]: { type: 'string', enum: [text, 'b'], examples: [text] },
      code: { type: 'string', pattern: `^x{1,3}$|${text.replace(/[^\w ]/gu, '')}` },
    },
    example: { id: 1, [name]: text, code: 'x' },
  };
  const reference = { $ref: `#/components/schemas/${encodeURIComponent(key.toWellFormed())}` };
  const listed = {
    description: text,
    headers: {
      'X-Valid': { description: text, schema: { type: 'string', enum: [text] } },
      [name]: { schema: { type: 'string' } },
    },
    content: {
      'application/json': { schema: { type: 'array', items: reference }, examples: { [name]: {} } },
      [`text/${text}`]: { schema: { type: 'string' } },
    },
  };
  const one = {
    description: text,
    content: { 'application/json': { schema: reference } },
  };
  const path = isServed ? 'items' : name.replaceAll(/[{}/?#]/g, '');
  return {
    openapi: '3.1.0',
    info: { title: text, version: text, description: text, summary: text },
    servers: [{ url: `http://127.0.0.1/v1`, description: text }, { url: text }],
    tags: [{ name: text, description: text }],
    security: [{ [name]: [] }, { bearer: [] }],
    'x-rate-limit': {
      status: 429,
      headers: { limit: 'X-L', remaining: 'X-R', reset: 'X-S', retryAfter: 'Retry-After' },
      windows: [{ name: 'minute', seconds: 60 }],
      plans: [{ name, limits: { minute: 60 } }],
    },
    'x-foreign': { [name]: text },
    paths: {
      [`/${path}`]: {
        summary: text,
        get: {
          operationId: `list${text}`,
          summary: text,
          tags: [text],
          parameters: [
            { name, in: 'query', description: text, schema: { type: 'string', enum: [text] } },
            { name: isServed ? "X-Also-'`$&" : name, in: 'header', schema: { type: 'string' } },
            { name: 'X-Given', in: 'header', schema: { type: 'string', default: text } },
          ],
          responses: { 200: listed, 404: { description: text }, [text]: { description: text } },
        },
        post: {
          operationId: `add${text}`,
          requestBody: { content: { 'application/json': { schema: reference } } },
          responses: { 201: one, 422: { description: text } },
        },
      },
      [`/${path}/{id}`]: {
        get: {
          operationId: text,
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          responses: { 200: one, 404: { description: text } },
        },
      },
    },
    webhooks: { [name]: { post: { operationId: `hook${text}`, responses: { 200: one } } } },
    components: {
      schemas: { [name]: item },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: text },
        [name]: { type: 'apiKey', in: 'header', name: isServed ? "X-'!`$&|~" : `X-${text}` },
      },
    },
  };
}
