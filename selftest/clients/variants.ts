import {
  type Attempt,
  type ClientBehaviour,
  type Session,
  type WireRequest,
  add,
  careful,
  find,
  list,
  listAddList,
  newName,
  readRetryAfter,
} from './client.ts';

function after429(wait: (attempt: Attempt) => number | undefined): ClientBehaviour['retry'] {
  return (attempt) => (attempt.response?.status === 429 ? wait(attempt) : careful.retry(attempt));
}

function headers(more: Readonly<Record<string, string>>): Partial<ClientBehaviour> {
  return { authorize: (key, tries) => ({ ...careful.authorize(key, tries), ...more }) };
}

function shape(more: Partial<WireRequest>): Partial<ClientBehaviour> {
  return { shape: (request) => ({ ...request, ...more }) };
}

/** Sends one more list request before the usual task. */
function asking(query: string): Partial<ClientBehaviour> {
  return {
    work: async (session) => {
      await list(session, query);
      await listAddList(session);
    },
  };
}

/** Sends five list requests at once, each on its own connection, until none of them is refused. */
async function listAtOnce(session: Session): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    const sent = Array.from({ length: 5 }, (_, at) =>
      session.sendOnce('GET', `/pets?limit=${at + 1}`, { hasOwnConnection: true }),
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

/** Behaviour of clients that follow every rule. */
export const clientVariants: Readonly<Record<string, Partial<ClientBehaviour>>> = {
  careful: {},
  'list-add-list-and-no-second-try': {
    retry: () => undefined,
    pause: (attempt) => (attempt.response?.status === 429 ? 0 : careful.pause(attempt)),
    work: async (session) => {
      await list(session, 'limit=20');
      await add(session, { name: newName(session), categoryId: 1 });
      await list(session, 'limit=20');
    },
  },
  'lists-only': { work: async (session) => void (await list(session, 'limit=100')) },
  'adds-only': { work: (session) => add(session, { name: newName(session), categoryId: 3 }) },
  'connection-per-request': shape({ hasOwnConnection: true }),
  'waits-with-jitter': {
    retry: after429(
      (attempt) => readRetryAfter(attempt) * 1.5 ** attempt.tries + attempt.random() * 400,
    ),
  },
  'waits-to-the-millisecond': {
    retry: after429(
      (attempt) => readRetryAfter(attempt) - 20 + (attempt.tries === 1 ? 0 : 600 * attempt.tries),
    ),
    pause: (attempt) => Math.max(0, careful.pause(attempt) - 20),
  },
  'waits-by-the-date-of-the-response': {
    retry: after429((attempt) => {
      const now = Date.parse(attempt.response?.headers['date'] ?? '');
      return Math.max(readRetryAfter({ ...attempt, now }), 700 * 2 ** attempt.tries);
    }),
    pause: (attempt) => (attempt.response?.status === 429 ? 0 : careful.pause(attempt)),
  },
  'five-lists-at-once': { work: listAtOnce },
  preflights: {
    work: async ({ wire, ...session }) => {
      for (const method of ['GET', 'POST']) {
        const asked = { origin: 'https://shop.example', 'access-control-request-method': method };
        await wire.send({ method: 'OPTIONS', target: '/pets', headers: asked, body: undefined });
        await listAddList({ wire, ...session });
      }
    },
  },
  'scheme-in-lower-case': { authorize: (key) => ({ authorization: `bearer ${key}` }) },
  'headers-of-a-tracer': headers({
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    'x-request-id': '7',
    'user-agent': 'shop/1.0',
    'accept-language': 'de',
  }),
  'content-type-with-a-charset': headers({ 'content-type': 'application/json; charset=utf-8' }),
  chunked: headers({ 'transfer-encoding': 'chunked' }),
  'unknown-parameters': asking('limit=10&page=2&sort=name'),
  'parameters-percent-encoded': asking('limit=%31%30&st%61tus=sold'),
  'unknown-members': {
    render: (pet) => careful.render({ ...pet, id: 7, tags: ['new'], photo: null }),
  },
  'no-status': {
    render: (pet) => careful.render({ ...pet, status: undefined }),
    work: async (session) => {
      await add(session, { name: newName(session), categoryId: 2 });
      await list(session, 'limit=100');
    },
  },
  'category-with-a-point': {
    render: (pet) => careful.render({ ...pet, categoryId: 1 }).replace('Id":1', 'Id":1.0'),
  },
  'json-with-spaces-and-escapes': {
    render: (pet) =>
      JSON.stringify({ ...pet, categoryId: 1, name: 'Zoë' }, undefined, 2).replace('ë', '\\u00eb'),
    work: async (session) => {
      await add(session, { name: 'Zoë' });
      await find(session, 'Zoë');
    },
  },
  'looks-before-it-repeats': {
    work: async (session) => {
      const name = newName(session);
      const body = session.behaviour.render({ name, categoryId: 1, status: 'available' });
      for (let tries = 0; tries < 4; tries += 1) {
        const response = await session.call('POST', '/pets', body).catch(() => undefined);
        if (response !== undefined && response.status !== 201) throw new Error('It was refused.');
        const pets = response === undefined ? await list(session, 'limit=100') : [];
        if (response !== undefined || pets.some((pet) => pet['name'] === name)) break;
      }
      await list(session, 'limit=100');
    },
  },
  'repeats-a-lost-addition-once': {
    retry: (attempt) =>
      attempt.method === 'POST' && attempt.response === undefined && attempt.tries === 1
        ? 300
        : careful.retry(attempt),
  },
  'gives-up-on-slow-responses': shape({ timeout: 1000 }),
  'tries-a-refused-key-once-more': {
    retry: (attempt) =>
      attempt.response?.status === 401 && attempt.tries === 1 ? 500 : careful.retry(attempt),
  },
  'polls-every-two-seconds': {
    work: async (session) => {
      for (let times = 0; times < 8; times += 1) {
        await list(session, 'limit=100');
        await session.wire.sleep(2000);
      }
    },
  },
  'asks-for-the-head-first': {
    work: async (session) => {
      await session.call('HEAD', '/pets?limit=1');
      await listAddList(session);
    },
  },
};
