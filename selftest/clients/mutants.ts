import {
  type Attempt,
  type ClientBehaviour,
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

/** A client with one fault that breaks a rule. */
export interface ClientMutant {
  /** Kebab-case: the fault in a few words. */
  readonly id: string;
  /** The rule that it must fail, without the prefix `client/`. */
  readonly breaks: string;
  /** Further rules that it may fail, because the same fault breaks them. */
  readonly also: readonly string[];
  /** How it differs from the careful client. */
  readonly habit: Partial<ClientBehaviour>;
}

type Habits = Readonly<Record<string, Partial<ClientBehaviour>>>;

function createMutants(
  breaks: string,
  habits: Habits,
  also: readonly string[] = [],
): readonly ClientMutant[] {
  return Object.entries(habits).map(([id, habit]) => ({ id, breaks, also, habit }));
}

/** Waits this long after a 429 before it repeats the request, at most this often, and never otherwise. */
function waiting(
  most: number,
  wait: (attempt: Attempt) => number | undefined,
): Partial<ClientBehaviour> {
  return {
    retry: (attempt) => {
      if (attempt.response?.status !== 429) return careful.retry(attempt);
      return attempt.tries < most ? wait(attempt) : undefined;
    },
    pause: (attempt) => (attempt.response?.status === 429 ? 0 : careful.pause(attempt)),
  };
}

/** Waits like the careful client after a 429, but continues to send other requests meanwhile. */
const alone = waiting(Infinity, careful.retry);

/** The wait that a 429 asks for, without the margin for timers. */
const saidWait = (attempt: Attempt): number => readRetryAfter(attempt) - 20;

function isDate({ response }: Attempt): boolean {
  return !/^\d+$/.test(response?.headers['retry-after'] ?? '');
}

/** If nothing remains, waits this long. */
function atNothing(wait: number): Partial<ClientBehaviour> {
  return {
    pause: (attempt) => {
      const { status, headers } = attempt.response ?? {};
      const isUsedUp = headers?.['x-ratelimit-remaining'] === '0' && status !== 429;
      return isUsedUp ? wait : careful.pause(attempt);
    },
  };
}

/** Repeats requests that got a status, up to a total number of attempts; undefined: those without a response. */
function again(status: number | undefined, times: number, wait: number): Partial<ClientBehaviour> {
  return {
    retry: (attempt) => {
      const isMeant = attempt.response?.status === status && (status ?? attempt.method === 'POST');
      return isMeant ? (attempt.tries < times ? wait : undefined) : careful.retry(attempt);
    },
  };
}

/** `KEY` becomes the key. */
function authorization(text: string): Partial<ClientBehaviour> {
  return { authorize: (key) => ({ authorization: text.replace('KEY', key) }) };
}

/** A header in addition to the one for the key. */
function beside(name: string, text: (key: string) => string): Partial<ClientBehaviour> {
  return { authorize: (key) => ({ ...careful.authorize(key, 1), [name]: text(key) }) };
}

/** Does the usual task, and then something else. */
function afterWork(more: (session: Session) => Promise<unknown>): Partial<ClientBehaviour> {
  return { work: async (session) => void (await listAddList(session).then(() => more(session))) };
}

const asking = (query: string): Partial<ClientBehaviour> =>
  afterWork((session) => list(session, query).catch(() => []));

/** Sends one more body. */
function sending(body: WireRequest['body'], type = 'application/json'): Partial<ClientBehaviour> {
  const sent = body === undefined ? {} : { headers: { 'content-type': type }, body };
  return afterWork((session) => session.sendOnce('POST', '/pets', sent));
}

const pet = '{"name":"Rex","categoryId":1,"status":"sold"}';

/** Continues with the next step, whatever the result of the previous one. */
async function goOn(session: Session): Promise<void> {
  const body = session.behaviour.render({ name: newName(session), categoryId: 1 });
  for (const target of ['/pets?limit=100', '/pets?limit=50', '/pets?status=sold'])
    await session.sendOnce('GET', target);
  await session.sendOnce('POST', '/pets', { body });
  await list(session, 'limit=20');
}

/** Checks every pet of a list first. */
function reading(isGood: (pets: readonly Pet[]) => boolean): Partial<ClientBehaviour> {
  return {
    work: async (session) => {
      if (!isGood(await list(session, 'limit=100'))) throw new Error('The list is unexpected.');
      await listAddList(session);
    },
  };
}

const known = ['id', 'name', 'categoryId', 'status'];
const isKnown = (each: Pet): boolean => Object.keys(each).every((name) => known.includes(name));
const statuses: readonly unknown[] = ['available', 'pending', 'sold', undefined];

/** Does the usual task, and then gets a pet by its id. */
function getting(
  id: (first: Pet | undefined) => string | number | bigint,
  when = (_now: number): boolean => true,
): Partial<ClientBehaviour> {
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

const seconds = 'rate-limit.retry-after-seconds';
const date = 'rate-limit.retry-after-date';
const [backOff, ban] = ['rate-limit.back-off', 'rate-limit.ban'];
const remaining = 'rate-limit.remaining';
const refusedKey = 'auth.refused-key';

export const clientMutants: readonly ClientMutant[] = [
  ...createMutants(
    seconds,
    {
      'retry-at-once': waiting(6, () => 0),
      'retry-once-at-once-and-wait-then': waiting(Infinity, (attempt) =>
        attempt.tries === 1 ? 0 : careful.retry(attempt),
      ),
      'retry-exponentially-from-100-ms': waiting(8, ({ tries }) => 50 * 2 ** tries),
      'retry-with-full-jitter': waiting(6, (attempt) => attempt.random() * saidWait(attempt) * 0.8),
      'retry-300-ms-early': waiting(6, (attempt) => saidWait(attempt) - 300),
      'retry-after-seconds-not-read': waiting(6, (attempt) =>
        isDate(attempt) ? careful.retry(attempt) : 200,
      ),
    },
    [date, backOff, ban],
  ),
  ...createMutants(
    seconds,
    {
      'a-429-treated-as-a-success': { ...waiting(0, () => undefined), work: goOn },
      'other-operations-go-on': {
        ...alone,
        work: async (session) => {
          const later = session.wire.sleep(400).then(() => list(session, 'limit=10'));
          await Promise.all([list(session, 'limit=100'), later]);
          await listAddList(session);
        },
      },
    },
    [date, backOff, ban, remaining, refusedKey],
  ),
  ...createMutants(date, {
    'retry-after-date-not-read': waiting(6, (attempt) =>
      isDate(attempt) ? 200 : careful.retry(attempt),
    ),
    'retry-after-date-in-another-time-zone': waiting(6, (attempt) =>
      isDate(attempt) ? Math.max(0, saidWait(attempt) - 3_600_000) : careful.retry(attempt),
    ),
  }),
  ...createMutants(
    ban,
    {
      'retry-until-banned': waiting(20, () => 0),
      'retry-until-banned-every-100-ms': waiting(20, () => 100),
    },
    [seconds, date, backOff],
  ),
  ...createMutants(backOff, {
    'waits-all-alike': { retry: waiting(Infinity, readRetryAfter).retry ?? careful.retry },
    'waits-that-shrink': waiting(8, (attempt) => readRetryAfter(attempt) + 1000 / attempt.tries),
  }),
  ...createMutants(
    remaining,
    {
      'remaining-not-read': atNothing(0),
      'half-a-second-where-nothing-remains': atNothing(500),
    },
    [seconds],
  ),
  ...createMutants(
    'auth.key',
    {
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
      'key-in-quotes': authorization('Bearer "KEY"'),
      'key-empty': authorization('Bearer '),
      'key-in-another-header-only': { authorize: (key) => ({ 'x-api-key': key }) },
    },
    ['auth.key-elsewhere', refusedKey],
  ),
  ...createMutants('auth.key-elsewhere', {
    'key-in-the-query-too': {
      shape: ({ target, ...request }, key) => ({
        ...request,
        target: `${target}${target.includes('?') ? '&' : '?'}key=${key}`,
      }),
    },
    'key-in-x-api-key-too': beside('x-api-key', (key) => key),
    'key-in-the-user-agent': beside('user-agent', (key) => `shop/1.0 (${key})`),
    'key-in-base64-in-a-header': beside('x-auth', (key) => Buffer.from(key).toString('base64')),
    'key-in-the-body': {
      render: (given) => careful.render({ ...given, apiKey: 'KEY' }),
      shape: ({ body, ...request }, key) => ({
        ...request,
        body: typeof body === 'string' ? body.replace('KEY', key) : body,
      }),
    },
  }),
  ...createMutants(refusedKey, {
    'refused-key-tried-for-ever': again(401, 8, 200),
    'refused-key-polled-with': {
      work: async (session) => {
        for (let index = 0; index < 6; index += 1) await list(session, 'limit=5').catch(() => []);
        await list(session, 'limit=100');
      },
    },
  }),
  ...createMutants('request.valid', {
    'limit-0': asking('limit=0'),
    'limit-101': asking('limit=101'),
    'limit-all': asking('limit=all'),
    'limit-10.5': asking('limit=10.5'),
    'limit-twice': asking('limit=10&limit=20'),
    'status-AVAILABLE': asking('status=AVAILABLE'),
    'status-available,sold': asking('status=available,sold'),
    'name-missing': sending('{"categoryId":1}'),
    'category-a-text': sending('{"name":"Rex","categoryId":"1"}'),
    'category-a-fraction': sending('{"name":"Rex","categoryId":1.5}'),
    'category-beyond-64-bits': sending('{"name":"Rex","categoryId":18446744073709551615}'),
    'pet-status-null': sending('{"name":"Rex","categoryId":1,"status":null}'),
    'body-an-array': sending(`[${pet}]`),
    'body-with-a-byte-order-mark': sending(`\uFEFF${pet}`),
    'body-with-a-trailing-comma': sending(pet.replace('}', ',}')),
    'body-missing': sending(undefined),
    'body-in-latin-1': sending(Buffer.from(pet.replace('Rex', 'Zoë'), 'latin1')),
    'body-a-form': sending('name=Rex&categoryId=1', 'application/x-www-form-urlencoded'),
    'body-said-to-be-text': sending(pet, 'text/plain;charset=UTF-8'),
  }),
  ...createMutants('request.refused-again', {
    'refused-body-again': again(400, 4, 300),
    'refused-body-again-after-a-look': {
      work: async (session) => {
        const refused = { name: newName(session), categoryId: 1 };
        await add(session, refused).catch(async () => {
          await list(session, 'limit=100');
          await add(session, refused);
        });
      },
    },
  }),
  ...createMutants('request.repeated', {
    'lost-addition-repeated': again(undefined, 4, 300),
    'slow-addition-repeated': {
      ...again(undefined, 4, 100),
      shape: (request) => ({ ...request, timeout: 1000 }),
    },
  }),
  ...createMutants(
    'integer.exact',
    {
      'category-through-a-double': {
        render: ({ categoryId, ...rest }) =>
          careful.render({
            ...rest,
            categoryId: typeof categoryId === 'bigint' ? Number(categoryId) : categoryId,
          }),
      },
      'category-read-as-a-double': { parse: (text): unknown => JSON.parse(text) },
      'id-through-a-double': getting(doubleOf),
    },
    ['getPet.deprecated', 'getPet.removed', 'request.valid'],
  ),
  ...createMutants('response.unknown-fields', {
    'unknown-members-refused': reading((pets) => pets.every(isKnown)),
    'unknown-members-of-an-added-pet-refused': {
      work: async (session) => {
        const body = session.behaviour.render({ name: newName(session), categoryId: 1 });
        const { status, text } = await session.call('POST', '/pets', body);
        if (status === 201 && !isKnown(JSON.parse(text))) throw new Error('It is unexpected.');
        await listAddList(session);
      },
    },
  }),
  ...createMutants('response.unknown-value', {
    'unknown-status-refused': reading((pets) =>
      pets.every(({ status }) => statuses.includes(status)),
    ),
    'pets-by-status-do-not-add-up': reading(
      (pets) =>
        statuses
          .map((each) => pets.filter(({ status }) => status === each).length)
          .reduce((one, other) => one + other) === pets.length,
    ),
  }),
  ...createMutants('response.empty-page', {
    'first-pet-expected': reading(([first]) => first !== undefined),
    'greatest-id-of-no-pets': reading(
      (pets) => pets.map(doubleOf).reduce((one, other) => Math.max(one, other)) >= 0,
    ),
  }),
  ...createMutants(
    'response.full-page',
    {
      'full-page-refused': reading((pets) => pets.length < 100),
      'pages-guessed-until-one-is-short': {
        work: async (session) => {
          for (let page = 1; ; page += 1)
            if ((await list(session, `limit=100&page=${page}`)).length < 100) break;
          await add(session, { name: newName(session), categoryId: 1 });
        },
      },
    },
    ['response.empty-page'],
  ),
  ...createMutants(
    'getPet.deprecated',
    {
      'deprecated-operation-used': getting(idOf),
      'deprecated-operation-used-before-it-goes': getting(idOf, (now) => now < sunset),
    },
    ['getPet.removed'],
  ),
  ...createMutants('getPet.removed', {
    'removed-operation-used': getting(idOf, (now) => now >= sunset),
    'removed-operation-used-with-a-guessed-id': getting(
      () => 1,
      (now) => now >= sunset,
    ),
  }),
];
