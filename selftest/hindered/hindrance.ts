import * as fc from 'fast-check';
import type { Parts, WireResponse } from '../service/behaviour.ts';
import { count } from '../service/limiter.ts';
import type { Respond } from '../service/listener.ts';
import type { ServiceTime } from '../service/service.ts';
import { scatter } from '../subject/alter.ts';

/** What keeps a run from doing what it planned. */
interface Hindrance {
  /** The parts of the service that it replaces. */
  readonly parts?: Parts;
  readonly wrap?: (respond: Respond, time: ServiceTime) => Respond;
}

const numbers = fc.record({
  /** A request, from 0. */
  at: fc.nat(69),
  /** What is left of the quota of a day. */
  share: fc.constantFrom(0, 1, 5, 30, 51, 54, 55, 59),
  seconds: fc.constantFrom(0, 1, 2, 30, 89, 90, 91, 3600, 86_400),
  /** Requests in a row. */
  length: fc.integer({ min: 1, max: 30 }),
  redirect: fc.constantFrom(301, 302, 307, 308),
});

type Numbers = typeof numbers extends fc.Arbitrary<infer Value> ? Value : never;

type Hindrances = Readonly<Record<string, (numbers: Numbers) => Hindrance>>;

/** The name of a hindrance, and the numbers that it uses. */
function drawFrom(table: Hindrances) {
  return fc
    .tuple(fc.constantFrom(...Object.entries(table)), numbers)
    .map(([[name, create], drawn]) => ({ name, drawn, ...create(drawn) }));
}

/** Others with the same key use so much of the quota before the request. */
function sharing(howMany: (ordinal: number) => number): Hindrance {
  return {
    parts: {
      count: (call, all) => {
        const others = call.key === undefined ? 0 : howMany(call.ordinal);
        for (let index = 0; index < others && count(call, all).allowed; index += 1);
        return count(call, all);
      },
    },
  };
}

/** Replaces the responses to some requests, by their number from 1. */
function replacing(
  isMeant: (ordinal: number) => boolean,
  replacement: (now: number) => WireResponse,
): Hindrance {
  return {
    wrap: (respond, { now }) => {
      let ordinal = 0;
      return async (request) => {
        ordinal += 1;
        return isMeant(ordinal) ? replacement(now()) : await respond(request);
      };
    },
  };
}

const from = ({ at }: Numbers) => {
  return (ordinal: number): boolean => ordinal > at;
};
const forAWhile = ({ at, length }: Numbers) => {
  return (ordinal: number): boolean => ordinal > at && ordinal <= at + length;
};

/** A response with a status, and a wait of so many seconds. */
const error =
  (status: number, seconds: number, headers: Readonly<Record<string, string>> = {}) =>
  (now: number): WireResponse => ({
    status,
    headers: {
      'Content-Type': 'application/json',
      'X-RateLimit-Limit': '60',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': String(Math.ceil(now / 1000) + seconds),
      ...(status === 429 || status === 503 ? { 'Retry-After': `${seconds}` } : {}),
      ...headers,
    },
    bytes: Buffer.from(JSON.stringify({ code: 'hindered', message: 'Not now.', status })),
    delivery: 'whole',
  });

const undelivered = (delivery: WireResponse['delivery']) => (now: number) => ({
  ...error(200, 60)(now),
  delivery,
});

const page = (): WireResponse => ({
  status: 502,
  headers: { 'Content-Type': 'text/html' },
  bytes: Buffer.from('<html>Bad gateway</html>'),
  delivery: 'whole',
});

const valid: Hindrances = {
  nothing: () => ({}),
  'others take all': ({ at }) => sharing((ordinal) => (ordinal === at ? 2000 : 0)),
  'others take some at random': ({ length }) => sharing((ordinal) => scatter(ordinal) % length),
  'little is left of the day': ({ share }) => ({
    parts: {
      count: (call, all) => {
        const day = `${all.bucket(call)} 86400 ${Math.floor(call.now / 86_400_000)}`;
        if (call.used.size === 0) call.used.set(day, 1000 - share);
        return count(call, all);
      },
    },
  }),
  'each response takes long': ({ at }) => ({
    parts: { arrive: ({ sleep }) => sleep(at * 20) },
  }),
};

const invalid: Hindrances = {
  '429 at random': ({ seconds }) =>
    replacing((ordinal) => scatter(ordinal) % 5 === 0, error(429, seconds)),
  '429 from a request on': (drawn) => replacing(from(drawn), error(429, drawn.seconds)),
  '503 for a while': (drawn) => replacing(forAWhile(drawn), error(503, drawn.seconds)),
  'a page of a proxy for a while': (drawn) => replacing(forAWhile(drawn), page),
  'the key ends': (drawn) =>
    replacing(from(drawn), error(401, 60, { 'X-RateLimit-Remaining': '5' })),
  'a ban with 403': (drawn) => replacing(from(drawn), error(403, 60)),
  redirects: (drawn) => replacing(from(drawn), error(drawn.redirect, 60, { Location: '/v1/pets' })),
  'every so often a reset': ({ at }) =>
    replacing((ordinal) => ordinal % (2 + (at % 9)) === 0, undelivered('reset')),
  'cut for a while': (drawn) => replacing(forAWhile(drawn), undelivered('cut')),
  'hangs for a while': (drawn) => replacing(forAWhile(drawn), undelivered('hang')),
};

/** What a service may do: no requirement is broken by it. */
export const validHindrance = drawFrom(valid);

export const anyHindrance = drawFrom({ ...valid, ...invalid });
