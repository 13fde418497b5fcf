import { serve } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { type NewPet, openPetStore } from './pet-store.ts';
import { createLimiter } from './rate-limit.ts';

/** Petstore by hand with hono: a middleware for the key, the checks in plain code. */
const [port = '', seed = ''] = process.argv.slice(2);
const store = openPetStore(seed);
const limiter = createLimiter();
const app = new Hono();
const keys = new Set(['demo-enterprise', 'demo-free']);
const statuses = new Set<unknown>(['available', 'pending', 'sold']);

app.use(async (context, next) => {
  const key = /^Bearer (\S+)$/.exec(context.req.header('Authorization') ?? '')?.[1] ?? '';
  const [limit, remaining, reset] = limiter.count(key);
  context.header('X-RateLimit-Limit', limit);
  context.header('X-RateLimit-Remaining', remaining);
  context.header('X-RateLimit-Reset', reset);
  if (keys.has(key)) return await next();
  return refuse(context, 401, 'unauthorized', 'The API key is unknown.');
});

app.get('/v1/pets', (context) => {
  const limit = Number(context.req.query('limit') ?? 20);
  const status = context.req.query('status');
  const isValid =
    Number.isInteger(limit) &&
    limit >= 1 &&
    limit <= 100 &&
    (status === undefined || statuses.has(status));
  if (!isValid) return refuse(context, 400, 'invalid_parameter', 'limit or status is invalid.');
  return context.json(store.list(limit, status));
});

app.get('/v1/pets/:petId', (context) => {
  const found = store.get(Number(context.req.param('petId')));
  if (found === undefined) return refuse(context, 404, 'not_found', 'No pet has that identifier.');
  context.header('Deprecation', '@1767225600');
  context.header('Sunset', 'Thu, 05 Dec 2030 00:00:00 GMT');
  return context.json(found);
});

app.post('/v1/pets', async (context) => {
  const body: unknown = await context.req.json().catch(() => undefined);
  if (!isNewPet(body)) return refuse(context, 400, 'invalid_body', 'The body is not a new pet.');
  const added = store.add(body);
  context.header('Location', `/v1/pets/${added.id}`);
  return context.json(added, 201);
});

function refuse(context: Context, status: 400 | 401 | 404, code: string, message: string) {
  return context.json({ code, message, status }, status);
}

function isNewPet(body: unknown): body is NewPet {
  if (typeof body !== 'object' || body === null || !('name' in body) || !('categoryId' in body))
    return false;
  const hasStatus = !('status' in body) || statuses.has(body.status);
  return typeof body.name === 'string' && Number.isSafeInteger(body.categoryId) && hasStatus;
}

serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' });
