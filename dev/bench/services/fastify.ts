import { Ajv, type AnySchema } from 'ajv';
import { type FastifyReply, fastify } from 'fastify';
import { type NewPet, openPetStore } from './pet-store.ts';
import { createLimiter } from './rate-limit.ts';

/** Petstore by hand with fastify: its validation, its serializers, a hook for the key. */
const [port = '', seed = ''] = process.argv.slice(2);
const store = openPetStore(seed);
const limiter = createLimiter();
/** Query parameters come as text and are converted; members of a body are not. */
const strict = new Ajv({ coerceTypes: false });
const lenient = new Ajv({ coerceTypes: true, useDefaults: true });
const keys = new Set(['demo-enterprise', 'demo-free']);
const app = fastify();

const status = { type: 'string', enum: ['available', 'pending', 'sold'] };
const text = { type: 'string' };
const fields = { name: text, categoryId: { type: 'integer' }, status };
const pet = { type: 'object', properties: { id: { type: 'integer' }, ...fields } };
const error = {
  type: 'object',
  properties: { code: text, message: text, status: { type: 'integer' } },
};

app.setValidatorCompiler<AnySchema>(({ schema, httpPart }) =>
  (httpPart === 'body' ? strict : lenient).compile(schema),
);
app.setErrorHandler((fault, _, reply) => {
  const message = fault instanceof Error ? fault.message : 'The request is invalid.';
  refuse(reply, 400, 'invalid_body', message);
});
app.addHook('onRequest', (request, reply, next) => {
  const key = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const [limit, remaining, reset] = limiter.count(key);
  void reply.headers({
    'X-RateLimit-Limit': limit,
    'X-RateLimit-Remaining': remaining,
    'X-RateLimit-Reset': reset,
  });
  if (keys.has(key)) next();
  else refuse(reply, 401, 'unauthorized', 'The API key is unknown.');
});

app.get<{ Querystring: { limit: number; status?: string } }>(
  '/v1/pets',
  {
    schema: {
      querystring: {
        type: 'object',
        properties: { limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 }, status },
      },
      response: { 200: { type: 'array', items: pet }, 400: error, 401: error },
    },
  },
  (request, reply) => void reply.send(store.list(request.query.limit, request.query.status)),
);

app.get<{ Params: { petId: string } }>(
  '/v1/pets/:petId',
  { schema: { response: { 200: pet, 401: error, 404: error } } },
  (request, reply) => {
    const found = store.get(Number(request.params.petId));
    if (found === undefined) refuse(reply, 404, 'not_found', 'No pet has that identifier.');
    else
      void reply
        .headers({ Deprecation: '@1767225600', Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' })
        .send(found);
  },
);

app.post<{ Body: NewPet }>(
  '/v1/pets',
  {
    schema: {
      body: { type: 'object', required: ['name', 'categoryId'], properties: fields },
      response: { 201: pet, 400: error, 401: error },
    },
  },
  (request, reply) => {
    const added = store.add(request.body);
    void reply.code(201).header('Location', `/v1/pets/${added.id}`).send(added);
  },
);

function refuse(reply: FastifyReply, status: number, code: string, message: string): void {
  void reply.code(status).send({ code, message, status });
}

await app.listen({ port: Number(port), host: '127.0.0.1' });
