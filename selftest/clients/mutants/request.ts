import { careful } from '../base/careful.ts';
import type { Manner } from '../base/session.ts';
import { add, list, listAddList, newName } from '../base/work.ts';
import { type ClientMutant, mutant } from './mutant.ts';

const valid = ['request.valid'] as const;

/** Asks for one more list, with this query, and does its usual work. */
function asking(query: string): Partial<Manner> {
  return {
    work: async (session) => {
      await listAddList(session);
      await list(session, query).catch(() => []);
    },
  };
}

type Members = Readonly<Record<string, unknown>>;

/** Adds one more pet, with this body, and does its usual work. */
function adding(
  render: (pet: Members) => string | Uint8Array,
  contentType = 'application/json',
): Partial<Manner> {
  return {
    work: async (session) => {
      await listAddList(session);
      const body = render({ name: newName(session), categoryId: 1, status: 'available' });
      const headers = { 'content-type': contentType };
      await session.sendOnce('POST', '/pets', { headers, body }).catch(() => undefined);
    },
  };
}

/** Adds one more pet with these members. */
function member(change: (pet: Members) => unknown): Partial<Manner> {
  return adding((pet) => JSON.stringify(change(pet)));
}

/** Adds one more pet with another text of the usual JSON. */
function text(change: (json: string) => string, contentType?: string): Partial<Manner> {
  return adding((pet) => change(JSON.stringify(pet)), contentType);
}

/** Tries again what was answered 400. */
function again(times: number, wait: number): Partial<Manner> {
  return {
    retry: (attempt) =>
      attempt.response?.status === 400 && attempt.tries < times ? wait : careful.retry(attempt),
  };
}

/** Tries an addition again that got no response, so many times in all. */
function repeat(times: number, wait: number): Partial<Manner> {
  return {
    retry: (attempt) =>
      attempt.method === 'POST' && attempt.response === undefined
        ? attempt.tries < times
          ? wait
          : undefined
        : careful.retry(attempt),
  };
}

const own: Partial<Manner> = { shape: (request) => ({ ...request, connection: 'own' }) };
const hasty: Partial<Manner> = { shape: (request) => ({ ...request, timeout: 1000 }) };

/** Clients that send what the document does not allow, or send too often what they sent. */
export const requestMutants: readonly ClientMutant[] = [
  ...[
    '0',
    '-1',
    '101',
    '1000',
    'all',
    '10.5',
    '',
    '10,20',
    'null',
    '0x10',
    '9223372036854775808',
  ].map((limit) =>
    mutant(`limit-${limit === '' ? 'empty' : limit}`, valid, asking(`limit=${limit}`)),
  ),
  mutant('limit-twice', valid, asking('limit=10&limit=20')),
  ...['AVAILABLE', 'Available', 'all', '', 'available,sold', 'null', '0'].map((status) =>
    mutant(`status-${status === '' ? 'empty' : status}`, valid, asking(`status=${status}`)),
  ),
  mutant('status-twice', valid, asking('status=available&status=sold')),
  mutant(
    'name-missing',
    valid,
    member((pet) => ({ ...pet, name: undefined })),
  ),
  mutant(
    'name-null',
    valid,
    member((pet) => ({ ...pet, name: null })),
  ),
  mutant(
    'name-a-number',
    valid,
    member((pet) => ({ ...pet, name: 7 })),
  ),
  mutant(
    'category-missing',
    valid,
    member((pet) => ({ ...pet, categoryId: undefined })),
  ),
  mutant(
    'category-a-text',
    valid,
    member((pet) => ({ ...pet, categoryId: '1' })),
  ),
  mutant(
    'category-a-fraction',
    valid,
    member((pet) => ({ ...pet, categoryId: 1.5 })),
  ),
  mutant(
    'category-an-object',
    valid,
    member((pet) => ({ ...pet, categoryId: { id: 1 } })),
  ),
  mutant(
    'category-null',
    valid,
    member((pet) => ({ ...pet, categoryId: null })),
  ),
  mutant(
    'category-beyond-64-bits',
    valid,
    text((json) => json.replace('"categoryId":1', '"categoryId":18446744073709551615')),
  ),
  mutant(
    'category-in-snake-case',
    valid,
    member(({ categoryId, ...pet }) => ({ ...pet, category_id: categoryId })),
  ),
  mutant(
    'pet-status-null',
    valid,
    member((pet) => ({ ...pet, status: null })),
  ),
  mutant(
    'pet-status-empty',
    valid,
    member((pet) => ({ ...pet, status: '' })),
  ),
  mutant(
    'pet-status-in-upper-case',
    valid,
    member((pet) => ({ ...pet, status: 'AVAILABLE' })),
  ),
  mutant(
    'pet-status-an-index',
    valid,
    member((pet) => ({ ...pet, status: 0 })),
  ),
  mutant(
    'body-an-array',
    valid,
    member((pet) => [pet]),
  ),
  mutant(
    'body-in-an-envelope',
    valid,
    member((pet) => ({ data: pet })),
  ),
  mutant(
    'body-encoded-twice',
    valid,
    text((json) => JSON.stringify(json)),
  ),
  mutant(
    'body-with-a-byte-order-mark',
    valid,
    text((json) => `\uFEFF${json}`),
  ),
  mutant(
    'body-with-a-trailing-comma',
    valid,
    text((json) => json.replace('}', ',}')),
  ),
  mutant(
    'body-in-single-quotes',
    valid,
    text((json) => json.replaceAll('"', "'")),
  ),
  mutant(
    'body-with-nan',
    valid,
    text((json) => json.replace('"categoryId":1', '"categoryId":NaN')),
  ),
  mutant(
    'body-an-object-as-text',
    valid,
    text(() => '[object Object]'),
  ),
  mutant(
    'body-null',
    valid,
    text(() => 'null'),
  ),
  mutant('body-missing', valid, {
    work: async (session) => {
      await listAddList(session);
      await session.sendOnce('POST', '/pets').catch(() => undefined);
    },
  }),
  mutant(
    'body-in-latin-1',
    valid,
    adding((pet) => Buffer.from(JSON.stringify({ ...pet, name: 'Zoë' }), 'latin1')),
  ),
  mutant(
    'body-in-utf-16',
    valid,
    adding((pet) => Buffer.from(JSON.stringify(pet), 'utf16le')),
  ),
  mutant(
    'body-a-form',
    valid,
    adding(() => 'name=Rex&categoryId=1', 'application/x-www-form-urlencoded'),
  ),
  mutant(
    'body-said-to-be-a-form',
    valid,
    text((json) => json, 'application/x-www-form-urlencoded'),
  ),
  mutant(
    'body-said-to-be-text',
    valid,
    text((json) => json, 'text/plain;charset=UTF-8'),
  ),
  mutant(
    'body-in-xml',
    valid,
    adding(() => '<pet><name>Rex</name></pet>', 'application/xml'),
  ),
  mutant('refused-body-again', ['request.refused-again'], again(4, 300)),
  mutant('refused-body-again-at-once', ['request.refused-again'], again(4, 0)),
  mutant('refused-body-again-on-its-own-connection', ['request.refused-again'], {
    ...again(4, 0),
    ...own,
  }),
  mutant('refused-body-again-after-a-look', ['request.refused-again'], {
    work: async (session) => {
      const pet = { name: newName(session), categoryId: 1 };
      await add(session, pet).catch(async () => {
        await list(session, 'limit=100');
        await add(session, pet);
      });
    },
  }),
  mutant('lost-addition-repeated', ['request.repeated'], repeat(4, 300)),
  mutant('lost-addition-repeated-at-once', ['request.repeated'], repeat(4, 0)),
  mutant('lost-addition-repeated-on-its-own-connection', ['request.repeated'], {
    ...repeat(4, 0),
    ...own,
  }),
  mutant('slow-addition-repeated', ['request.repeated'], { ...repeat(4, 100), ...hasty }),
];
