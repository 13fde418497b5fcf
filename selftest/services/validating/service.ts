import {
  type Coercion,
  type Fields,
  type Schema,
  type Value,
  ValidationError,
  isFields,
  validate,
} from './schema.ts';

interface Request {
  readonly method: string;
  readonly target: string;
  readonly headers: { readonly authorization?: string | undefined };
  readonly body: Uint8Array;
}

/** What a handler gets: everything that its schemas let pass. */
interface Input {
  readonly params: Fields;
  readonly query: Fields;
  readonly body: Fields;
}

interface Route {
  readonly method: string;
  readonly path: RegExp;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema;
  readonly handle: (input: Input) => { readonly status: number; readonly body: Value };
}

/** An error that the framework answers as it is. */
class HttpError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

const int64 = { type: 'integer', minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n } as const;
const status = { type: 'string', enum: ['available', 'pending', 'sold'] } as const;
const newPet: Schema = {
  type: 'object',
  required: ['name', 'categoryId'],
  properties: { name: { type: 'string' }, categoryId: int64, status },
};
const page: Schema = {
  type: 'object',
  required: [],
  properties: { limit: { type: 'integer', minimum: 1n, maximum: 100n }, status },
};

/** The validator of a strict service. */
export const strict: Coercion = {
  types: false,
  lists: false,
  fractions: false,
  nulls: false,
  cases: false,
  trim: false,
  defaults: {},
  additional: false,
};

/** Parameters come as texts, which every validator turns into what their schema has. */
const ofText: Coercion = { ...strict, types: true };

/**
 * A small service in the idiom of a framework that validates: routes with schemas, handlers that
 * only see what keeps them, one error handler. `coercion`: how the validator treats bodies.
 */
export function createService(
  coercion: Partial<Coercion> = {},
  time: { readonly now: () => number } = { now: Date.now },
) {
  const routes = listRoutes();
  const limit = createLimiter(time.now);
  return {
    respond: (request: Request) => {
      const key = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
      const quota = limit(key === 'service-free' ? 60 : 600, key ?? '');
      const answer = answerSafely(() => {
        if (quota.wait > 0)
          throw new HttpError(429, 'Rate limit exceeded', { 'Retry-After': String(quota.wait) });
        if (key !== 'service-free') throw new HttpError(401, 'Unauthorized');
        return dispatch(routes, request, { ...strict, ...coercion });
      });
      const headers = { 'Content-Type': 'application/json; charset=utf-8', ...quota.headers };
      const date = { Date: new Date(time.now()).toUTCString() };
      return Promise.resolve({
        status: answer.status,
        headers: { ...headers, ...date, ...answer.headers },
        bytes: Buffer.from(render(answer.body)),
        delivery: 'whole' as const,
      });
    },
  };
}

function answerSafely(handle: () => { readonly status: number; readonly body: Value }) {
  try {
    return { headers: {}, ...handle() };
  } catch (error) {
    const { status: code, headers, message } = toHttpError(error);
    const words = message.split(' ').slice(0, 2).join('-').toLowerCase();
    return { status: code, headers, body: { code: words, message, status: BigInt(code) } };
  }
}

function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof ValidationError) return new HttpError(400, error.message);
  return new HttpError(500, 'Internal error');
}

function dispatch(routes: readonly Route[], { method, target, body }: Request, coercion: Coercion) {
  const { pathname, searchParams } = new URL(target, 'http://localhost');
  const matching = routes.filter(({ path }) => path.test(pathname));
  const route = matching.find((each) => each.method === method);
  if (!route) throw new HttpError(matching.length > 0 ? 405 : 404, 'Not found');
  return route.handle({
    params: read(route.params, route.path.exec(pathname)?.groups ?? {}, 404),
    query: read(route.query, Object.fromEntries(searchParams), 400),
    body: route.body ? fields(validate(route.body, parse(body), 'body', coercion)) : {},
  });
}

/** Reads parameters, whose texts the validator turns into numbers. */
function read(schema: Schema | undefined, values: Fields, code: number): Fields {
  try {
    return schema ? fields(validate(schema, values, 'parameters', ofText)) : {};
  } catch (error) {
    throw new HttpError(code, String(error));
  }
}

function parse(bytes: Uint8Array): Value {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value: Value = JSON.parse(text, (_name, each: Value, context?: { source?: string }) =>
      typeof each === 'number' && /^-?\d+$/.test(context?.source ?? '')
        ? BigInt(context?.source ?? 0)
        : each,
    );
    return value;
  } catch {
    throw new HttpError(400, 'Malformed body');
  }
}

function render(body: Value): string {
  return JSON.stringify(body, (_name, value: Value) =>
    typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value,
  );
}

function fields(value: Value): Fields {
  return isFields(value) ? value : {};
}

function listRoutes(): readonly Route[] {
  const pets: Fields[] = ['Ada', 'Bruno', 'Coco', 'Dora', 'Emil'].map((name, index) => ({
    id: BigInt(index + 1),
    name,
    categoryId: BigInt((index % 2) + 1),
    status: status.enum[index % 3] ?? 'sold',
  }));
  return [
    {
      method: 'GET',
      path: /^\/v1\/pets$/,
      query: page,
      handle: ({ query }) => {
        const kept = pets.filter((pet) => !query['status'] || pet['status'] === query['status']);
        return { status: 200, body: kept.slice(0, Number(query['limit'] ?? 20)) };
      },
    },
    {
      method: 'POST',
      path: /^\/v1\/pets$/,
      body: newPet,
      handle: ({ body }) => {
        const pet = { id: BigInt(pets.length + 1), ...body };
        pets.push(pet);
        return { status: 201, body: pet };
      },
    },
    {
      method: 'GET',
      path: /^\/v1\/pets\/(?<petId>[^/]+)$/,
      params: { type: 'object', required: ['petId'], properties: { petId: int64 } },
      handle: ({ params }) => {
        const pet = pets.find(({ id }) => id === params['petId']);
        if (!pet) throw new HttpError(404, 'No such pet');
        return { status: 200, body: pet };
      },
    },
  ];
}

/** A window of a minute for each key, which its first request begins. */
function createLimiter(now: () => number) {
  const windows = new Map<string, { readonly end: number; used: number }>();
  return (max: number, key: string) => {
    const current = windows.get(key);
    const window = current && now() < current.end ? current : { end: now() + 60_000, used: 0 };
    windows.set(key, window);
    const isOver = window.used >= max;
    if (!isOver) window.used += 1;
    const headers = {
      'X-RateLimit-Limit': String(max),
      'X-RateLimit-Remaining': String(max - window.used),
      'X-RateLimit-Reset': String(Math.ceil(window.end / 1000)),
    };
    return { headers, wait: isOver ? Math.ceil((window.end - now()) / 1000) : 0 };
  };
}
