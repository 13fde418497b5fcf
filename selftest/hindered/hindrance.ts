import type { Parts, WireResponse } from '../service/behaviour.ts';
import { count } from '../service/limiter.ts';
import type { Respond } from '../service/listener.ts';
import { createDraw, type Draw } from './random.ts';

/** What keeps a run from doing what it planned. */
export interface Hindrance {
  readonly name: string;
  /** What a service may do: no requirement is broken by it. */
  readonly isLawful: boolean;
  /** The parts of the service that it replaces. */
  readonly parts?: Parts | undefined;
  readonly wrap?: ((respond: Respond, time: Time) => Respond) | undefined;
}

export interface Time {
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** Others with the same key take so much of the quota before the request. */
function sharing(howMany: (ordinal: number) => number): Parts {
  return {
    count: (call, all) => {
      const others = call.key === undefined ? 0 : howMany(call.ordinal);
      for (let index = 0; index < others && count(call, all).allowed; index += 1);
      return count(call, all);
    },
  };
}

const error = (status: number, headers: Readonly<Record<string, string>> = {}): WireResponse => ({
  status,
  headers: { 'Content-Type': 'application/json', ...headers },
  bytes: Buffer.from(JSON.stringify({ code: 'hindered', message: 'Not now.', status })),
  delivery: 'whole',
});

const quota = (now: number, seconds: number): Readonly<Record<string, string>> => ({
  'X-RateLimit-Limit': '60',
  'X-RateLimit-Remaining': '0',
  'X-RateLimit-Reset': String(Math.ceil(now / 1000) + seconds),
});

type InsteadOf = (ordinal: number, now: number, draw: Draw) => WireResponse | undefined;

function instead(seed: number, respondInstead: InsteadOf): NonNullable<Hindrance['wrap']> {
  return (respond, { now }) => {
    let ordinal = 0;
    const draw = createDraw(seed);
    return async (request) => {
      ordinal += 1;
      return respondInstead(ordinal, now(), draw) ?? (await respond(request));
    };
  };
}

/** A hindrance drawn on a seed. */
export function drawHindrance(seed: number, onlyLawful: boolean): Hindrance {
  const draw = createDraw(seed);
  const at = draw.below(70);
  const share = draw.pick(0, 1, 5, 30, 51, 54, 55, 59);
  const seconds = draw.pick(0, 1, 2, 30, 89, 90, 91, 3600, 86_400);
  const length = 1 + draw.below(30);
  const status = draw.pick(301, 302, 307, 308);
  const lawful: readonly Hindrance[] = [
    { name: 'nothing', isLawful: true },
    {
      name: `others take all at request ${at}`,
      isLawful: true,
      parts: sharing((ordinal) => (ordinal === at ? 2000 : 0)),
    },
    {
      name: 'others take some at random',
      isLawful: true,
      parts: sharing((ordinal) => (Math.imul(ordinal + seed, 0x9e3779b1) >>> 8) % length),
    },
    {
      name: `the quota of the day ends after ${share} requests`,
      isLawful: true,
      parts: {
        count: (call, all) => {
          const day = `${all.bucket(call)} 86400 ${Math.floor(call.now / 86_400_000)}`;
          if (call.used.size === 0) call.used.set(day, 1000 - share);
          return count(call, all);
        },
      },
    },
    {
      name: `each takes ${at * 20} ms`,
      isLawful: true,
      wrap:
        (respond, { sleep }) =>
        async (request) => {
          await sleep(at * 20);
          return await respond(request);
        },
    },
  ];
  const others: readonly Hindrance[] = [
    {
      name: `429 at random, Retry-After ${seconds}`,
      isLawful: false,
      wrap: instead(seed, (_at, now, own) =>
        own.chance(0.2)
          ? error(429, { 'Retry-After': `${seconds}`, ...quota(now, seconds) })
          : undefined,
      ),
    },
    {
      name: `429 from request ${at} on`,
      isLawful: false,
      wrap: instead(seed, (ordinal, now) =>
        ordinal > at
          ? error(429, { 'Retry-After': `${seconds}`, ...quota(now, seconds) })
          : undefined,
      ),
    },
    {
      name: `503 for ${length} requests from ${at} on`,
      isLawful: false,
      wrap: instead(seed, (ordinal, now) =>
        ordinal > at && ordinal <= at + length
          ? error(503, { 'Retry-After': '1', ...quota(now, 1) })
          : undefined,
      ),
    },
    {
      name: `a page of a proxy for ${length} requests from ${at} on`,
      isLawful: false,
      wrap: instead(seed, (ordinal) =>
        ordinal > at && ordinal <= at + length
          ? {
              status: 502,
              headers: { 'Content-Type': 'text/html' },
              bytes: Buffer.from('<html>Bad gateway</html>'),
              delivery: 'whole',
            }
          : undefined,
      ),
    },
    {
      name: `the key ends at request ${at}`,
      isLawful: false,
      wrap: instead(seed, (ordinal, now) =>
        ordinal > at ? error(401, { ...quota(now, 60), 'X-RateLimit-Remaining': '5' }) : undefined,
      ),
    },
    {
      name: `a ban with 403 from request ${at} on`,
      isLawful: false,
      wrap: instead(seed, (ordinal, now) =>
        ordinal > at ? error(403, quota(now, 60)) : undefined,
      ),
    },
    {
      name: `redirects from request ${at} on`,
      isLawful: false,
      wrap: instead(seed, (ordinal, now) =>
        ordinal > at
          ? { ...error(status, { Location: '/v1/pets', ...quota(now, 60) }) }
          : undefined,
      ),
    },
    ...(['cut', 'reset', 'hang'] as const).map((delivery) => ({
      name: `${delivery} for ${length} requests from ${at} on`,
      isLawful: false,
      wrap: instead(seed, (ordinal) =>
        ordinal > at && ordinal <= at + length ? { ...error(200), delivery } : undefined,
      ),
    })),
    {
      name: `every ${2 + (at % 9)}th is reset`,
      isLawful: false,
      wrap: instead(seed, (ordinal) =>
        ordinal % (2 + (at % 9)) === 0 ? { ...error(200), delivery: 'reset' } : undefined,
      ),
    },
  ];
  const all = onlyLawful ? lawful : [...lawful, ...others];
  return all[draw.below(all.length)] ?? { name: 'nothing', isLawful: true };
}
