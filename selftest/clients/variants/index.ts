import { careful, readRetryAfter } from '../base/careful.ts';
import type { Attempt, Manner, Session } from '../base/session.ts';
import type { WireRequest } from '../base/wire.ts';
import { add, find, list, listAddList, newName } from '../base/work.ts';
import { type ClientVariant, variant } from './variant.ts';

export type { ClientVariant };

function after429(wait: (attempt: Attempt) => number | undefined): Manner['retry'] {
  return (attempt) => (attempt.response?.status === 429 ? wait(attempt) : careful.retry(attempt));
}

function header(text: (key: string) => string): Partial<Manner> {
  return { authorize: (key) => ({ authorization: text(key) }) };
}

function headers(more: Readonly<Record<string, string>>): Partial<Manner> {
  return { authorize: (key, tries) => ({ ...careful.authorize(key, tries), ...more }) };
}

function shape(more: Partial<WireRequest>): Partial<Manner> {
  return { shape: (request) => ({ ...request, ...more }) };
}

/** Sends so many lists at once, each on a connection of its own, until none of them is refused. */
async function listAtOnce(session: Session, many: number): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    const sent = Array.from({ length: many }, (_, at) =>
      session
        .sendOnce('GET', `/pets?limit=${at + 1}`, { connection: 'own' })
        .catch(() => undefined),
    );
    const responses = await Promise.all(sent);
    const now = session.wire.now();
    const waits = responses.map((response) =>
      careful.pause({ method: 'GET', response, tries: 1, now, random: session.random }),
    );
    const wait = Math.max(...waits) * 1.3 ** round;
    if (wait === 0) return;
    await session.wire.sleep(wait);
  }
}

async function preflight({ wire }: Session, method: string): Promise<void> {
  const asked = { origin: 'https://shop.example', 'access-control-request-method': method };
  await wire.send({ method: 'OPTIONS', target: '/pets', headers: asked, body: undefined });
}

const givesUp: Partial<Manner> = { retry: () => undefined, pause: () => 0 };

/** Ways of clients that keep every rule. */
export const clientVariants: readonly ClientVariant[] = [
  variant('careful', {}),
  variant('list-add-list-and-no-second-try', {
    ...givesUp,
    work: async (session) => {
      await list(session, 'limit=20');
      await add(session, { name: newName(session), categoryId: 1 });
      await list(session, 'limit=20');
    },
    pause: (attempt) => (attempt.response?.status === 429 ? 0 : careful.pause(attempt)),
  }),
  variant('lists-only', { work: async (session) => void (await list(session, 'limit=100')) }),
  variant('lists-only-and-gives-up', {
    ...givesUp,
    work: async (session) => void (await list(session, 'status=sold')),
  }),
  variant('adds-only', {
    work: (session) => add(session, { name: newName(session), categoryId: 3 }),
  }),
  variant('connection-per-request', shape({ connection: 'own' })),
  variant('new-connection-per-request', shape({ connection: 'new' })),
  variant('waits-five-seconds-longer', {
    retry: after429((attempt) => readRetryAfter(attempt) + 5000 * attempt.tries),
  }),
  variant('waits-with-jitter', {
    retry: after429(
      (attempt) => readRetryAfter(attempt) * 1.5 ** attempt.tries + attempt.random() * 400,
    ),
  }),
  variant('waits-to-the-millisecond', {
    retry: after429(
      (attempt) => readRetryAfter(attempt) - 20 + (attempt.tries === 1 ? 0 : 600 * attempt.tries),
    ),
    pause: (attempt) => Math.max(0, careful.pause(attempt) - 20),
  }),
  variant('waits-by-the-date-of-the-response', {
    retry: after429((attempt) => {
      const now = Date.parse(attempt.response?.headers['date'] ?? '');
      return Math.max(readRetryAfter({ ...attempt, now }), 700 * 2 ** attempt.tries);
    }),
    pause: (attempt) => (attempt.response?.status === 429 ? 0 : careful.pause(attempt)),
  }),
  variant('waits-a-whole-minute', {
    retry: after429(({ tries }) => (tries < 3 ? 60_000 : undefined)),
  }),
  variant('five-lists-at-once', { work: (session) => listAtOnce(session, 5) }),
  variant('twenty-lists-at-once', { work: (session) => listAtOnce(session, 20) }),
  variant('preflights', {
    work: async (session) => {
      await preflight(session, 'GET');
      const pets = await list(session, 'limit=100');
      await preflight(session, 'POST');
      const name = newName(session);
      await add(session, { name, categoryId: pets[0]?.['categoryId'] ?? 1 });
      await preflight(session, 'GET');
      await list(session, 'limit=100');
    },
  }),
  variant(
    'scheme-in-lower-case',
    header((key) => `bearer ${key}`),
  ),
  variant(
    'scheme-in-upper-case',
    header((key) => `BEARER ${key}`),
  ),
  variant(
    'two-spaces-after-the-scheme',
    header((key) => `Bearer  ${key}`),
  ),
  variant(
    'headers-of-a-tracer',
    headers({
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      'x-request-id': '7',
      'user-agent': 'shop/1.0',
      'accept-language': 'de',
    }),
  ),
  variant('accepts-anything', headers({ accept: '*/*', 'accept-encoding': 'gzip, br' })),
  variant(
    'content-type-with-a-charset',
    headers({ 'content-type': 'application/json; charset=utf-8' }),
  ),
  variant('chunked', headers({ 'transfer-encoding': 'chunked' })),
  variant('idempotency-keys', headers({ 'idempotency-key': '5f2b' })),
  variant('unknown-parameters', {
    work: async (session) => {
      await list(session, 'limit=10&page=2&sort=name');
      await listAddList(session);
    },
  }),
  variant('no-parameters', {
    work: async (session) => {
      await list(session, '');
      await listAddList(session);
    },
  }),
  variant('parameters-percent-encoded', {
    work: async (session) => {
      await list(session, 'limit=%31%30&st%61tus=sold');
      await listAddList(session);
    },
  }),
  variant('unknown-members', {
    render: (pet) => careful.render({ ...pet, id: 7, tags: ['new'], photo: null }),
  }),
  variant('no-status', {
    render: (pet) => careful.render({ ...pet, status: undefined }),
    work: async (session) => {
      await add(session, { name: newName(session), categoryId: 2 });
      await list(session, 'limit=100');
    },
  }),
  variant('category-with-a-point', {
    render: (pet) =>
      careful
        .render({ ...pet, categoryId: 1 })
        .toString()
        .replace('"categoryId":1', '"categoryId":1.0'),
  }),
  variant('category-below-zero', { render: (pet) => careful.render({ ...pet, categoryId: -1 }) }),
  variant('json-with-spaces-and-escapes', {
    render: (pet) =>
      JSON.stringify({ ...pet, categoryId: 1, name: 'Zoë' }, undefined, 2).replace('ë', '\\u00eb'),
    work: async (session) => {
      await add(session, { name: 'Zoë' });
      await find(session, 'Zoë');
    },
  }),
  variant('looks-before-it-repeats', {
    work: async (session) => {
      const name = newName(session);
      const body = session.manner.render({ name, categoryId: 1, status: 'available' });
      for (let tries = 0; tries < 4; tries += 1) {
        const response = await session.call('POST', '/pets', body).catch(() => undefined);
        if (response !== undefined && response.status !== 201) throw new Error('It was refused.');
        if (
          response !== undefined ||
          (await list(session, 'limit=100')).some((pet) => pet['name'] === name)
        )
          break;
      }
      await list(session, 'limit=100');
    },
  }),
  variant('repeats-a-lost-addition-once', {
    retry: (attempt) =>
      attempt.method === 'POST' && attempt.response === undefined && attempt.tries === 1
        ? 300
        : careful.retry(attempt),
  }),
  variant('gives-up-on-slow-responses', {
    shape: (request) => ({ ...request, timeout: 1000 }),
  }),
  variant('tries-a-refused-key-once-more', {
    retry: (attempt) =>
      attempt.response?.status === 401 && attempt.tries === 1 ? 500 : careful.retry(attempt),
  }),
  variant('polls-every-two-seconds', {
    work: async (session) => {
      for (let times = 0; times < 8; times += 1) {
        await list(session, 'limit=100');
        await session.wire.sleep(2000);
      }
    },
  }),
  variant('asks-for-the-head-first', {
    work: async (session) => {
      await session.call('HEAD', '/pets?limit=1');
      await listAddList(session);
    },
  }),
  variant('asks-for-what-is-not-there', {
    work: async (session) => {
      await session.call('GET', '/categories');
      await listAddList(session);
    },
  }),
];
