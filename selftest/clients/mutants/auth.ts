import { careful } from '../base/careful.ts';
import type { Manner } from '../base/session.ts';
import { list, listAddList } from '../base/work.ts';
import { type ClientMutant, mutant } from './mutant.ts';

const key = ['auth.key', 'auth.refused-key'] as const;
const elsewhere = 'auth.key-elsewhere';

function header(text: (key: string) => string): Partial<Manner> {
  return { authorize: (given) => ({ authorization: text(given) }) };
}

/** A header beside the one that the key belongs in. */
function beside(name: string, text: (key: string) => string): Partial<Manner> {
  return { authorize: (given) => ({ ...careful.authorize(given, 1), [name]: text(given) }) };
}

function inTarget(change: (target: string, key: string) => string): Partial<Manner> {
  return { shape: (request, given) => ({ ...request, target: change(request.target, given) }) };
}

function extend(target: string, member: string): string {
  return `${target}${target.includes('?') ? '&' : '?'}${member}`;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** Tries again so many times after a 401, so many milliseconds later. */
function again(times: number, wait: number): Partial<Manner> {
  return {
    retry: (attempt) =>
      attempt.response?.status === 401 && attempt.tries < times ? wait : careful.retry(attempt),
  };
}

/** Clients that do not send their key as the interface says, or send it elsewhere too. */
export const authMutants: readonly ClientMutant[] = [
  mutant('no-key', key, { authorize: () => ({}) }),
  mutant('no-key-at-first', key, {
    work: async (session) => {
      await session.wire
        .send({ method: 'GET', target: '/pets?limit=1', headers: {}, body: undefined })
        .catch(() => undefined);
      await listAddList(session);
    },
  }),
  mutant('no-key-on-a-retry', key, {
    authorize: (given, tries) => (tries > 1 ? {} : careful.authorize(given, tries)),
  }),
  mutant('no-key-on-additions', key, {
    shape: (request) => {
      const headers = Object.entries(request.headers).filter(([name]) => name !== 'authorization');
      return request.method === 'POST'
        ? { ...request, headers: Object.fromEntries(headers) }
        : request;
    },
  }),
  mutant(
    'scheme-token',
    key,
    header((given) => `Token ${given}`),
  ),
  mutant(
    'scheme-api-key',
    key,
    header((given) => `ApiKey ${given}`),
  ),
  mutant(
    'scheme-basic',
    key,
    header((given) => `Basic ${base64(`${given}:`)}`),
  ),
  mutant(
    'scheme-missing',
    key,
    header((given) => given),
  ),
  mutant(
    'scheme-with-a-colon',
    key,
    header((given) => `Bearer: ${given}`),
  ),
  mutant(
    'key-in-quotes',
    key,
    header((given) => `Bearer "${given}"`),
  ),
  mutant(
    'key-in-angle-brackets',
    key,
    header((given) => `Bearer <${given}>`),
  ),
  mutant(
    'key-twice',
    key,
    header((given) => `Bearer ${given}, Bearer ${given}`),
  ),
  mutant(
    'key-undefined',
    key,
    header(() => 'Bearer undefined'),
  ),
  mutant(
    'key-empty',
    key,
    header(() => 'Bearer '),
  ),
  mutant(
    'key-a-placeholder',
    key,
    header(() => 'Bearer $API_KEY'),
  ),
  mutant(
    'key-cut',
    key,
    header((given) => `Bearer ${given.slice(0, -1)}`),
  ),
  mutant(
    'key-in-upper-case',
    key,
    header((given) => `Bearer ${given.toUpperCase()}`),
  ),
  mutant(
    'key-in-base64',
    key,
    header((given) => `Bearer ${base64(given)}`),
  ),
  mutant(
    'key-of-another',
    key,
    header(() => 'Bearer free_somebody'),
  ),
  mutant('key-in-another-header-only', ['auth.key', elsewhere, 'auth.refused-key'], {
    authorize: (given) => ({ 'x-api-key': given }),
  }),
  mutant('key-in-the-query-only', ['auth.key', elsewhere, 'auth.refused-key'], {
    authorize: () => ({}),
    ...inTarget((target, given) => extend(target, `api_key=${given}`)),
  }),
  mutant(
    'key-in-the-query-too',
    [elsewhere],
    inTarget((target, given) => extend(target, `key=${given}`)),
  ),
  mutant(
    'key-in-the-query-as-access-token',
    [elsewhere],
    inTarget((target, given) => extend(target, `access_token=${encodeURIComponent(given)}`)),
  ),
  mutant(
    'key-in-the-path',
    [elsewhere],
    inTarget((target, given) => target.replace('/pets', `/${given}/../pets`)),
  ),
  mutant(
    'key-in-x-api-key-too',
    [elsewhere],
    beside('x-api-key', (given) => given),
  ),
  mutant(
    'key-in-a-cookie-too',
    [elsewhere],
    beside('cookie', (given) => `session=${given}`),
  ),
  mutant(
    'key-in-the-user-agent',
    [elsewhere],
    beside('user-agent', (given) => `shop/1.0 (${given})`),
  ),
  mutant(
    'key-in-a-trace-header',
    [elsewhere],
    beside('baggage', (given) => `auth=Bearer%20${given}`),
  ),
  mutant('key-in-base64-in-a-header', [elsewhere], beside('x-auth', base64)),
  mutant('key-in-the-body', [elsewhere], {
    render: (pet) => careful.render({ ...pet, apiKey: 'KEY' }),
    shape: (request, given) =>
      typeof request.body === 'string'
        ? { ...request, body: request.body.replace('KEY', given) }
        : request,
  }),
  mutant('refused-key-tried-for-ever', ['auth.refused-key'], again(8, 200)),
  mutant('refused-key-tried-at-once', ['auth.refused-key'], again(8, 0)),
  mutant('refused-key-tried-on-own-connections', ['auth.refused-key'], {
    ...again(8, 0),
    shape: (request) => ({ ...request, connection: 'own' }),
  }),
  mutant('refused-key-polled-with', ['auth.refused-key'], {
    work: async (session) => {
      for (let index = 0; index < 6; index += 1) await list(session, 'limit=5').catch(() => []);
      await list(session, 'limit=100');
    },
  }),
];
