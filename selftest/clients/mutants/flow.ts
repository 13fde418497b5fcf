import { careful, readRetryAfter } from '../base/careful.ts';
import type { Attempt, Manner, Session } from '../base/session.ts';
import { add, list, listAddList, newName } from '../base/work.ts';
import { type ClientMutant, mutant } from './mutant.ts';

const seconds = 'rate-limit.retry-after-seconds';
/** What a client fails beside it that looks at no response before it goes on. */
const careless = ['rate-limit.remaining', 'auth.refused-key'] as const;

const both = [
  seconds,
  'rate-limit.retry-after-date',
  'rate-limit.back-off',
  'rate-limit.ban',
  ...careless,
] as const;

/** Tries again after the wait, and lets everything else go on meanwhile. */
const alone: Partial<Manner> = {
  pause: (attempt) => (attempt.response?.status === 429 ? 0 : careful.pause(attempt)),
};

const nothingAfter429: Partial<Manner> = {
  ...alone,
  retry: (attempt) => (attempt.response?.status === 429 ? undefined : careful.retry(attempt)),
};

/** Goes on with the next step whatever came of the one before. */
async function goOn(session: Session, connection: 'kept' | 'own'): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const body = session.manner.render({ name: newName(session), categoryId: 1 });
  for (const target of ['/pets?limit=100', '/pets?limit=50', '/pets?status=sold'])
    await session.sendOnce('GET', target, { connection }).catch(() => undefined);
  await session.sendOnce('POST', '/pets', { body, headers, connection }).catch(() => undefined);
  await list(session, 'limit=20');
}

/** Works, and sends something else every so often until that is done. */
async function workBeside(session: Session, every: number, method = 'GET'): Promise<void> {
  let isDone = false;
  const work = listAddList(session).finally(() => {
    isDone = true;
  });
  const beat = async (): Promise<void> => {
    await session.wire.sleep(every);
    if (isDone) return;
    await session.sendOnce(method, '/pets?limit=1', { connection: 'own' }).catch(() => undefined);
    await beat();
  };
  await Promise.all([work, beat()]);
}

async function listTwice(session: Session): Promise<void> {
  await Promise.all([
    list(session, 'limit=100'),
    session.wire.sleep(400).then(() => list(session, 'limit=10')),
  ]);
  await listAddList(session);
}

/** Sends the refused request to five connections at once: one of them may get through. */
async function fanOut(session: Session): Promise<void> {
  const first = await session
    .sendOnce('GET', '/pets?limit=100', { connection: 'own' })
    .catch(() => undefined);
  if (first?.status === 429)
    await Promise.allSettled(
      Array.from({ length: 5 }, () =>
        session.sendOnce('GET', '/pets?limit=100', { connection: 'own' }),
      ),
    );
  await listAddList(session);
}

async function poll(session: Session, times: number, connection: 'kept' | 'own'): Promise<void> {
  for (let index = 0; index < times; index += 1)
    await session.sendOnce('GET', '/pets?limit=1', { connection }).catch(() => undefined);
  await list(session, 'limit=1').catch(() => undefined);
}

/** Adds ten pets at a time, and those that were refused again at once. */
async function importPets(session: Session): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const send = (index: number) => {
    const body = session.manner.render({ name: `Pet ${index}`, categoryId: 1 });
    return session
      .sendOnce('POST', '/pets', { headers, body, connection: 'own' })
      .catch(() => undefined);
  };
  let waiting = [1, 2, 3, 4, 5];
  for (let round = 0; round < 3 && waiting.length > 0; round += 1) {
    const responses = await Promise.all(waiting.map(send));
    waiting = waiting.filter((_, at) => responses[at]?.status === 429);
  }
  await list(session, 'limit=100');
}

/** Eight workers, each of which tries its own request again and again. */
async function hammerTogether(session: Session): Promise<void> {
  const work = async (worker: number): Promise<void> => {
    for (let tries = 0; tries < 30; tries += 1) {
      const target = `/pets?limit=${worker + 1}`;
      const response = await session
        .sendOnce('GET', target, { connection: 'own' })
        .catch(() => undefined);
      if (response?.status !== 429) break;
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, worker) => work(worker)));
  await list(session, 'limit=100');
}

function isSpent({ response }: Attempt): boolean {
  return response?.headers['x-ratelimit-remaining'] === '0' && response.status !== 429;
}

/** Where nothing remains, waits for so long. */
function atNothing(wait: (attempt: Attempt) => number): Partial<Manner> {
  return { pause: (attempt) => (isSpent(attempt) ? wait(attempt) : careful.pause(attempt)) };
}

const remaining = ['rate-limit.remaining', seconds] as const;
const backOff = 'rate-limit.back-off';

/** Clients that go on elsewhere while they have to wait, or do not look at the limit at all. */
export const flowMutants: readonly ClientMutant[] = [
  mutant('a-429-taken-for-a-success', both, {
    ...nothingAfter429,
    work: (session) => goOn(session, 'kept'),
  }),
  mutant('a-429-taken-for-a-success-on-own-connections', both, {
    ...nothingAfter429,
    work: (session) => goOn(session, 'own'),
  }),
  mutant('list-skipped-and-pet-added-at-once', both, {
    ...nothingAfter429,
    work: async (session) => {
      await list(session, 'limit=100').catch(() => []);
      await add(session, { name: newName(session), categoryId: 1 });
      await list(session, 'limit=100');
    },
  }),
  mutant('other-operations-go-on', both, { ...alone, work: listTwice }),
  mutant('another-worker-goes-on', both, { ...alone, work: (session) => workBeside(session, 300) }),
  mutant('health-checks-go-on', both, { work: (session) => workBeside(session, 500) }),
  mutant('heads-go-on', both, { work: (session) => workBeside(session, 400, 'HEAD') }),
  mutant('refused-request-fanned-out', both, { work: fanOut }),
  mutant('eight-workers-try-again-at-once', both, { ...alone, work: hammerTogether }),
  mutant('polls-in-a-tight-loop', both, { ...alone, work: (session) => poll(session, 80, 'kept') }),
  mutant('polls-in-a-tight-loop-on-own-connections', both, {
    ...alone,
    work: (session) => poll(session, 80, 'own'),
  }),
  mutant(
    'imports-refused-rows-again-at-once',
    [seconds, ...both, 'request.repeated', 'request.refused-again'],
    { work: importPets },
  ),
  mutant('waits-all-alike', [backOff], {
    retry: (attempt) =>
      attempt.response?.status === 429 ? readRetryAfter(attempt) : careful.retry(attempt),
  }),
  mutant('waits-that-shrink', [backOff], {
    retry: (attempt) =>
      attempt.response?.status === 429
        ? readRetryAfter(attempt) + 1000 / attempt.tries
        : careful.retry(attempt),
  }),
  mutant('waits-with-a-little-jitter', [backOff], {
    retry: (attempt) =>
      attempt.response?.status === 429
        ? readRetryAfter(attempt) + attempt.random() * 30
        : careful.retry(attempt),
  }),
  mutant(
    'remaining-not-read',
    remaining,
    atNothing(() => 0),
  ),
  mutant(
    'reset-read-as-milliseconds',
    remaining,
    atNothing(({ response, now }) =>
      Math.max(0, Number(response?.headers['x-ratelimit-reset']) - now),
    ),
  ),
  mutant(
    'half-a-second-where-nothing-remains',
    remaining,
    atNothing(() => 500),
  ),
  mutant(
    'remaining-read-from-another-header',
    remaining,
    atNothing(({ response }) => (response?.headers['ratelimit-remaining'] === '0' ? 3000 : 0)),
  ),
];
