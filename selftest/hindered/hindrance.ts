import * as fc from 'fast-check';
import type { Parts, WireResponse } from '../service/behaviour.ts';
import { count } from '../service/limiter.ts';
import type { Respond } from '../service/listener.ts';

/** The time that a service goes by. */
interface Time {
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** What keeps a run from doing what it planned. */
interface Hindrance {
  /** The parts of the service that it replaces. */
  readonly parts?: Parts;
  readonly wrap?: (respond: Respond, time: Time) => Respond;
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

/** A name that tells what hinders, and the numbers that it goes by. */
function drawFrom(table: Hindrances) {
  return fc
    .tuple(fc.constantFrom(...Object.entries(table)), numbers)
    .map(([[name, create], drawn]) => ({ name, drawn, ...create(drawn) }));
}

/** Others with the same key take so much of the quota before the request. */
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

/** The responses to some requests, by their number from 1, are others. */
function instead(respondInstead: (ordinal: number, now: number) => WireResponse | undefined) {
  return {
    wrap: (respond: Respond, { now }: Time): Respond => {
      let ordinal = 0;
      return async (request) => {
        ordinal += 1;
        return respondInstead(ordinal, now()) ?? (await respond(request));
      };
    },
  };
}

function error(
  status: number,
  now: number,
  seconds: number,
  headers: Readonly<Record<string, string>> = {},
): WireResponse {
  const quota = {
    'X-RateLimit-Limit': '60',
    'X-RateLimit-Remaining': '0',
    'X-RateLimit-Reset': String(Math.ceil(now / 1000) + seconds),
  };
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...quota, ...headers },
    bytes: Buffer.from(JSON.stringify({ code: 'hindered', message: 'Not now.', status })),
    delivery: 'whole',
  };
}

/** Numbers that look random, from 0 on and below `most`. */
function scatter(ordinal: number, most: number): number {
  return (Math.imul(ordinal + 7, 0x9e3779b1) >>> 8) % most;
}

const valid: Hindrances = {
  nothing: () => ({}),
  'others take all': ({ at }) => sharing((ordinal) => (ordinal === at ? 2000 : 0)),
  'others take some at random': ({ length }) => sharing((ordinal) => scatter(ordinal, length)),
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
    wrap:
      (respond, { sleep }) =>
      async (request) => {
        await sleep(at * 20);
        return await respond(request);
      },
  }),
};

const invalid: Hindrances = {
  '429 at random': ({ seconds }) =>
    instead((ordinal, now) =>
      scatter(ordinal, 5) === 0
        ? error(429, now, seconds, { 'Retry-After': `${seconds}` })
        : undefined,
    ),
  '429 from a request on': ({ at, seconds }) =>
    instead((ordinal, now) =>
      ordinal > at ? error(429, now, seconds, { 'Retry-After': `${seconds}` }) : undefined,
    ),
  '503 for a while': ({ at, length, seconds }) =>
    instead((ordinal, now) =>
      ordinal > at && ordinal <= at + length
        ? error(503, now, seconds, { 'Retry-After': `${seconds}` })
        : undefined,
    ),
  'a page of a proxy for a while': ({ at, length }) =>
    instead((ordinal) =>
      ordinal > at && ordinal <= at + length
        ? {
            status: 502,
            headers: { 'Content-Type': 'text/html' },
            bytes: Buffer.from('<html>Bad gateway</html>'),
            delivery: 'whole',
          }
        : undefined,
    ),
  'the key ends': ({ at }) =>
    instead((ordinal, now) =>
      ordinal > at ? error(401, now, 60, { 'X-RateLimit-Remaining': '5' }) : undefined,
    ),
  'a ban with 403': ({ at }) =>
    instead((ordinal, now) => (ordinal > at ? error(403, now, 60) : undefined)),
  redirects: ({ at, redirect }) =>
    instead((ordinal, now) =>
      ordinal > at ? error(redirect, now, 60, { Location: '/v1/pets' }) : undefined,
    ),
  'every so often a reset': ({ at }) =>
    instead((ordinal, now) =>
      ordinal % (2 + (at % 9)) === 0 ? { ...error(200, now, 60), delivery: 'reset' } : undefined,
    ),
  'cut for a while': (drawn) => undelivered('cut', drawn),
  'reset for a while': (drawn) => undelivered('reset', drawn),
  'hangs for a while': (drawn) => undelivered('hang', drawn),
};

function undelivered(delivery: WireResponse['delivery'], { at, length }: Numbers): Hindrance {
  return instead((ordinal, now) =>
    ordinal > at && ordinal <= at + length ? { ...error(200, now, 60), delivery } : undefined,
  );
}

/** What a service may do: no requirement is broken by it. */
export const validHindrance = drawFrom(valid);

export const anyHindrance = drawFrom({ ...valid, ...invalid });
