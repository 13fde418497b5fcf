import {
  type Attempt,
  type Manner,
  type Pet,
  type Session,
  type WireRequest,
  add,
  careful,
  list,
  listAddList,
  newName,
  readRetryAfter,
} from './client.ts';

/** Clients with one habit each: what they do otherwise than the careful one, by id. */
interface Habits {
  /** The rule that each of them has to fail, without `client/`. */
  readonly breaks: string;
  /** Rules that may be failed beside it, as the same habit shows there too. */
  readonly also?: readonly string[];
  readonly habits: Readonly<Record<string, Partial<Manner>>>;
}

/** Waits for a 429 so long before it tries again, at most so often, and for nothing else. */
function waiting(most: number, wait: (attempt: Attempt) => number | undefined): Partial<Manner> {
  return {
    retry: (attempt) => {
      if (attempt.response?.status !== 429) return careful.retry(attempt);
      return attempt.tries < most ? wait(attempt) : undefined;
    },
    pause: (attempt) => (attempt.response?.status === 429 ? 0 : careful.pause(attempt)),
  };
}

/** Waits as a 429 says with the careful one's patience, and lets everything else go on meanwhile. */
const alone = waiting(Infinity, careful.retry);

/** What a 429 says, without the allowance for timers. */
const told = (attempt: Attempt): number => readRetryAfter(attempt) - 20;

function isDate({ response }: Attempt): boolean {
  return !/^\d+$/.test(response?.headers['retry-after'] ?? '');
}

function isUsedUp({ response }: Attempt): boolean {
  return response?.headers['x-ratelimit-remaining'] === '0' && response.status !== 429;
}

/** Where nothing remains, waits for so long. */
function atNothing(wait: (attempt: Attempt) => number): Partial<Manner> {
  return { pause: (attempt) => (isUsedUp(attempt) ? wait(attempt) : careful.pause(attempt)) };
}

/** Tries again what got a status, so many times in all; undefined: what got no response. */
function again(status: number | undefined, times: number, wait: number): Partial<Manner> {
  return {
    retry: (attempt) => {
      const isMeant = attempt.response?.status === status && (status ?? attempt.method === 'POST');
      return isMeant ? (attempt.tries < times ? wait : undefined) : careful.retry(attempt);
    },
  };
}

function shape(more: Partial<WireRequest>): Partial<Manner> {
  return { shape: (request) => ({ ...request, ...more }) };
}

const own = shape({ connection: 'own' });

/** `KEY` becomes the key. */
function authorization(text: string): Partial<Manner> {
  return { authorize: (key) => ({ authorization: text.replace('KEY', key) }) };
}

/** A header beside the one that the key belongs in. */
function beside(name: string, text: (key: string) => string): Partial<Manner> {
  return { authorize: (key) => ({ ...careful.authorize(key, 1), [name]: text(key) }) };
}

function inTarget(change: (target: string, key: string) => string): Partial<Manner> {
  return { shape: (request, key) => ({ ...request, target: change(request.target, key) }) };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Does its usual work, and asks for one more list. */
function asking(query: string): Partial<Manner> {
  return {
    work: async (session) => {
      await listAddList(session);
      await list(session, query).catch(() => []);
    },
  };
}

/** Does its usual work, and sends one more body. */
function sending(
  body: string | Uint8Array | undefined,
  type = 'application/json',
): Partial<Manner> {
  return {
    work: async (session) => {
      await listAddList(session);
      const headers = { 'content-type': type };
      await session.sendOnce('POST', '/pets', body === undefined ? {} : { headers, body });
    },
  };
}

const pet = '{"name":"Rex","categoryId":1,"status":"sold"}';

/** Works, and sends something else every so often until that is done. */
function beating(every: number, method: string): Partial<Manner> {
  return {
    work: async (session) => {
      let isDone = false;
      const beat = async (): Promise<void> => {
        await session.wire.sleep(every);
        if (isDone) return;
        await session.sendOnce(method, '/pets?limit=1', { connection: 'own' });
        await beat();
      };
      const work = listAddList(session).finally(() => {
        isDone = true;
      });
      await Promise.all([work, beat()]);
    },
  };
}

/** Eight workers, each of which tries its own request again and again. */
async function hammer(session: Session): Promise<void> {
  const work = async (worker: number): Promise<void> => {
    for (let count = 0; count < 30; count += 1) {
      const target = `/pets?limit=${worker + 1}`;
      const response = await session.sendOnce('GET', target, { connection: 'own' });
      if (response?.status !== 429) break;
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, worker) => work(worker)));
  await list(session, 'limit=100');
}

/** Goes on with the next step whatever came of the one before. */
async function goOn(session: Session): Promise<void> {
  const body = session.manner.render({ name: newName(session), categoryId: 1 });
  for (const target of ['/pets?limit=100', '/pets?limit=50', '/pets?status=sold'])
    await session.sendOnce('GET', target);
  await session.sendOnce('POST', '/pets', { body });
  await list(session, 'limit=20');
}

async function poll(session: Session): Promise<void> {
  for (let index = 0; index < 80; index += 1) await session.sendOnce('GET', '/pets?limit=1');
  await list(session, 'limit=1').catch(() => undefined);
}

/** Integers of a double's loss as they come out of another type. */
function through(change: (integer: bigint) => unknown): Partial<Manner> {
  const lose = (value: unknown): unknown => (typeof value === 'bigint' ? change(value) : value);
  return {
    render: ({ categoryId, ...rest }) => careful.render({ ...rest, categoryId: lose(categoryId) }),
  };
}

/** Looks at every pet of a list before it works. */
function reading(isGood: (pets: readonly Pet[]) => boolean): Partial<Manner> {
  return {
    work: async (session) => {
      if (!isGood(await list(session, 'limit=100'))) throw new Error('The list is strange.');
      await listAddList(session);
    },
  };
}

const known = ['id', 'name', 'categoryId', 'status'];
const isKnown = (each: Pet): boolean => Object.keys(each).every((name) => known.includes(name));
const statuses: readonly unknown[] = ['available', 'pending', 'sold', undefined];

/** Works, and then gets a pet by its id. */
function getting(
  id: (first: Pet | undefined) => string | number | bigint,
  when = (_now: number): boolean => true,
): Partial<Manner> {
  return {
    work: async (session) => {
      const [first] = await list(session, 'limit=100');
      await listAddList(session);
      const { headers } = await session.call('GET', '/pets?limit=1');
      if (when(Date.parse(headers['date'] ?? ''))) await session.call('GET', `/pets/${id(first)}`);
    },
  };
}

function idOf(first: Pet | undefined): number | bigint {
  const id = first?.['id'];
  return typeof id === 'number' || typeof id === 'bigint' ? id : 1;
}

const doubleOf = (first: Pet | undefined): number => Number(idOf(first));
const sunset = Date.parse('2030-12-05');
const isBeforeSunset = (now: number): boolean => now < sunset;
const isAfterSunset = (now: number): boolean => now >= sunset;

const seconds = 'rate-limit.retry-after-seconds';
const date = 'rate-limit.retry-after-date';
const [backOff, ban] = ['rate-limit.back-off', 'rate-limit.ban'];
const remaining = 'rate-limit.remaining';
const refusedKey = 'auth.refused-key';
const elsewhere = 'auth.key-elsewhere';
const gone = ['getPet.deprecated', 'getPet.removed'];
/** What a client fails beside it that looks at no response before it goes on. */
const careless = [date, backOff, ban, remaining, refusedKey];

const table: readonly Habits[] = [
  {
    breaks: seconds,
    also: [date, backOff, ban],
    habits: {
      'retry-at-once': waiting(6, () => 0),
      'retry-at-once-each-on-its-own-connection': { ...waiting(6, () => 0), ...own },
      'retry-once-at-once': waiting(2, () => 0),
      'retry-once-at-once-and-wait-then': waiting(Infinity, (attempt) =>
        attempt.tries === 1 ? 0 : careful.retry(attempt),
      ),
      'retry-after-one-second': waiting(8, () => 1000),
      'retry-exponentially-from-100-ms': waiting(8, ({ tries }) => 50 * 2 ** tries),
      'retry-with-full-jitter': waiting(6, (attempt) => attempt.random() * told(attempt) * 0.8),
      'retry-after-half-the-wait': waiting(6, (attempt) => told(attempt) / 2),
      'retry-300-ms-early': waiting(6, (attempt) => told(attempt) - 300),
      'retry-after-read-as-milliseconds': waiting(6, (attempt) =>
        isDate(attempt) ? told(attempt) : told(attempt) / 1000,
      ),
      'retry-after-seconds-not-read': waiting(6, (attempt) =>
        isDate(attempt) ? told(attempt) : 200,
      ),
    },
  },
  {
    breaks: seconds,
    also: careless,
    habits: {
      'a-429-taken-for-a-success': { ...waiting(0, () => undefined), work: goOn },
      'a-429-taken-for-a-success-on-own-connections': {
        ...waiting(0, () => undefined),
        ...own,
        work: goOn,
      },
      'other-operations-go-on': {
        ...alone,
        work: async (session) => {
          const later = session.wire.sleep(400).then(() => list(session, 'limit=10'));
          await Promise.all([list(session, 'limit=100'), later]);
          await listAddList(session);
        },
      },
      'another-worker-goes-on': { ...alone, ...beating(300, 'GET') },
      'health-checks-go-on': beating(500, 'GET'),
      'heads-go-on': beating(400, 'HEAD'),
      'eight-workers-try-again-at-once': { ...alone, work: hammer },
      'polls-in-a-tight-loop': { ...alone, work: poll },
    },
  },
  {
    breaks: date,
    habits: {
      'retry-after-date-not-read': waiting(6, (attempt) =>
        isDate(attempt) ? 200 : careful.retry(attempt),
      ),
      'retry-after-date-in-another-time-zone': waiting(6, (attempt) =>
        isDate(attempt) ? Math.max(0, told(attempt) - 3_600_000) : careful.retry(attempt),
      ),
    },
  },
  {
    breaks: ban,
    also: [seconds, date, backOff],
    habits: {
      'retry-until-banned': waiting(20, () => 0),
      'retry-until-banned-on-own-connections': { ...waiting(20, () => 0), ...own },
      'retry-until-banned-every-100-ms': waiting(20, () => 100),
    },
  },
  {
    breaks: backOff,
    habits: {
      'waits-all-alike': { retry: waiting(Infinity, readRetryAfter).retry ?? careful.retry },
      'waits-that-shrink': waiting(8, (attempt) => readRetryAfter(attempt) + 1000 / attempt.tries),
      'waits-with-a-little-jitter': waiting(
        8,
        (attempt) => readRetryAfter(attempt) + attempt.random() * 30,
      ),
    },
  },
  {
    breaks: remaining,
    also: [seconds],
    habits: {
      'remaining-not-read': atNothing(() => 0),
      'reset-read-as-milliseconds': atNothing(({ response, now }) =>
        Math.max(0, Number(response?.headers['x-ratelimit-reset']) - now),
      ),
      'half-a-second-where-nothing-remains': atNothing(() => 500),
    },
  },
  {
    breaks: 'auth.key',
    also: [refusedKey],
    habits: {
      'no-key': { authorize: () => ({}) },
      'no-key-at-first': {
        work: async (session) => {
          const target = '/pets?limit=1';
          await session.wire.send({ method: 'GET', target, headers: {}, body: undefined });
          await listAddList(session);
        },
      },
      'no-key-on-a-retry': {
        authorize: (key, tries) => (tries > 1 ? {} : careful.authorize(key, tries)),
      },
      'scheme-token': authorization('Token KEY'),
      'scheme-missing': authorization('KEY'),
      'scheme-with-a-colon': authorization('Bearer: KEY'),
      'key-in-quotes': authorization('Bearer "KEY"'),
      'key-undefined': authorization('Bearer undefined'),
      'key-empty': authorization('Bearer '),
      'key-of-another': authorization('Bearer free_somebody'),
      'key-cut': { authorize: (key) => ({ authorization: `Bearer ${key.slice(0, -1)}` }) },
      'key-in-base64': { authorize: (key) => ({ authorization: `Bearer ${base64(key)}` }) },
    },
  },
  {
    breaks: 'auth.key',
    also: [elsewhere, refusedKey],
    habits: { 'key-in-another-header-only': { authorize: (key) => ({ 'x-api-key': key }) } },
  },
  {
    breaks: elsewhere,
    habits: {
      'key-in-the-query-too': inTarget(
        (target, key) => `${target}${target.includes('?') ? '&' : '?'}key=${key}`,
      ),
      'key-in-the-path': inTarget((target, key) => target.replace('/pets', `/${key}/../pets`)),
      'key-in-x-api-key-too': beside('x-api-key', (key) => key),
      'key-in-a-cookie-too': beside('cookie', (key) => `session=${key}`),
      'key-in-the-user-agent': beside('user-agent', (key) => `shop/1.0 (${key})`),
      'key-in-a-trace-header': beside('baggage', (key) => `auth=Bearer%20${key}`),
      'key-in-base64-in-a-header': beside('x-auth', base64),
      'key-in-the-body': {
        render: (given) => careful.render({ ...given, apiKey: 'KEY' }),
        shape: ({ body, ...request }, key) => ({
          ...request,
          body: typeof body === 'string' ? body.replace('KEY', key) : body,
        }),
      },
    },
  },
  {
    breaks: refusedKey,
    habits: {
      'refused-key-tried-for-ever': again(401, 8, 200),
      'refused-key-tried-on-own-connections': { ...again(401, 8, 0), ...own },
      'refused-key-polled-with': {
        work: async (session) => {
          for (let index = 0; index < 6; index += 1) await list(session, 'limit=5').catch(() => []);
          await list(session, 'limit=100');
        },
      },
    },
  },
  {
    breaks: 'request.valid',
    habits: {
      'limit-0': asking('limit=0'),
      'limit-101': asking('limit=101'),
      'limit-all': asking('limit=all'),
      'limit-10.5': asking('limit=10.5'),
      'limit-empty': asking('limit='),
      'limit-9223372036854775808': asking('limit=9223372036854775808'),
      'limit-twice': asking('limit=10&limit=20'),
      'status-AVAILABLE': asking('status=AVAILABLE'),
      'status-empty': asking('status='),
      'status-available,sold': asking('status=available,sold'),
      'status-twice': asking('status=available&status=sold'),
      'name-missing': sending('{"categoryId":1}'),
      'name-null': sending('{"name":null,"categoryId":1}'),
      'name-a-number': sending('{"name":7,"categoryId":1}'),
      'category-missing': sending('{"name":"Rex"}'),
      'category-a-text': sending('{"name":"Rex","categoryId":"1"}'),
      'category-a-fraction': sending('{"name":"Rex","categoryId":1.5}'),
      'category-beyond-64-bits': sending('{"name":"Rex","categoryId":18446744073709551615}'),
      'pet-status-null': sending('{"name":"Rex","categoryId":1,"status":null}'),
      'pet-status-in-upper-case': sending('{"name":"Rex","categoryId":1,"status":"SOLD"}'),
      'body-an-array': sending(`[${pet}]`),
      'body-encoded-twice': sending(JSON.stringify(pet)),
      'body-with-a-byte-order-mark': sending(`\uFEFF${pet}`),
      'body-with-a-trailing-comma': sending(pet.replace('}', ',}')),
      'body-with-nan': sending('{"name":"Rex","categoryId":NaN}'),
      'body-null': sending('null'),
      'body-missing': sending(undefined),
      'body-in-latin-1': sending(Buffer.from(pet.replace('Rex', 'Zoë'), 'latin1')),
      'body-in-utf-16': sending(Buffer.from(pet, 'utf16le')),
      'body-a-form': sending('name=Rex&categoryId=1', 'application/x-www-form-urlencoded'),
      'body-said-to-be-text': sending(pet, 'text/plain;charset=UTF-8'),
    },
  },
  {
    breaks: 'request.refused-again',
    habits: {
      'refused-body-again': again(400, 4, 300),
      'refused-body-again-on-its-own-connection': { ...again(400, 4, 0), ...own },
      'refused-body-again-after-a-look': {
        work: async (session) => {
          const refused = { name: newName(session), categoryId: 1 };
          await add(session, refused).catch(async () => {
            await list(session, 'limit=100');
            await add(session, refused);
          });
        },
      },
    },
  },
  {
    breaks: 'request.repeated',
    habits: {
      'lost-addition-repeated': again(undefined, 4, 300),
      'lost-addition-repeated-on-its-own-connection': { ...again(undefined, 4, 0), ...own },
      'slow-addition-repeated': { ...again(undefined, 4, 100), ...shape({ timeout: 1000 }) },
    },
  },
  {
    breaks: 'integer.exact',
    habits: {
      'category-through-a-double': through(Number),
      'category-through-a-single': through((integer) => BigInt(Math.fround(Number(integer)))),
      'category-with-15-digits': through((integer) =>
        BigInt(Number(Number(integer).toPrecision(15))),
      ),
      'category-read-as-a-double': { parse: (text): unknown => JSON.parse(text) },
    },
  },
  {
    breaks: 'integer.exact',
    also: [...gone, 'request.valid'],
    habits: {
      'id-through-a-double': getting(doubleOf),
      'id-through-a-double-as-an-exponent': getting((first) => doubleOf(first).toExponential()),
    },
  },
  {
    breaks: 'response.unknown-fields',
    habits: {
      'unknown-members-refused': reading((pets) => pets.every(isKnown)),
      'unknown-members-of-an-added-pet-refused': {
        work: async (session) => {
          const body = session.manner.render({ name: newName(session), categoryId: 1 });
          const { status, text } = await session.call('POST', '/pets', body);
          if (status === 201 && !isKnown(JSON.parse(text))) throw new Error('It is strange.');
          await listAddList(session);
        },
      },
    },
  },
  {
    breaks: 'response.unknown-value',
    habits: {
      'unknown-status-refused': reading((pets) =>
        pets.every(({ status }) => statuses.includes(status)),
      ),
      'pets-by-status-do-not-add-up': reading(
        (pets) =>
          statuses
            .map((each) => pets.filter(({ status }) => status === each).length)
            .reduce((one, other) => one + other) === pets.length,
      ),
    },
  },
  {
    breaks: 'response.empty-page',
    habits: {
      'first-pet-taken-for-granted': reading(([first]) => first !== undefined),
      'greatest-id-of-no-pets': reading(
        (pets) => pets.map(doubleOf).reduce((one, other) => Math.max(one, other)) >= 0,
      ),
    },
  },
  {
    breaks: 'response.full-page',
    also: ['response.empty-page'],
    habits: {
      'full-page-refused': reading((pets) => pets.length < 100),
      'pages-guessed-until-one-is-short': {
        work: async (session) => {
          for (let page = 1; ; page += 1)
            if ((await list(session, `limit=100&page=${page}`)).length < 100) break;
          await add(session, { name: newName(session), categoryId: 1 });
        },
      },
    },
  },
  {
    breaks: 'getPet.deprecated',
    also: ['getPet.removed'],
    habits: {
      'deprecated-operation-used': getting(idOf),
      'deprecated-operation-used-before-it-goes': getting(idOf, isBeforeSunset),
    },
  },
  {
    breaks: 'getPet.removed',
    habits: {
      'removed-operation-used': getting(idOf, isAfterSunset),
      'removed-operation-used-with-a-guessed-id': getting(() => 1, isAfterSunset),
    },
  },
];

/** A client with one habit that breaks a rule. */
export interface ClientMutant {
  /** Kebab-case, the habit in few words. */
  readonly id: string;
  readonly breaks: string;
  readonly also: readonly string[];
  readonly habit: Partial<Manner>;
}

export const clientMutants: readonly ClientMutant[] = table.flatMap(
  ({ breaks, also = [], habits }) =>
    Object.entries(habits).map(([id, habit]) => ({ id, breaks, also, habit })),
);
