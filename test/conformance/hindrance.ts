import type { Clock } from '../../conformance/transport/carrier.ts';
import type { Outcome, TransportError } from '../../conformance/transport/exchange.ts';
import type { Sender, WireRequest } from '../../conformance/transport/sender.ts';
import { answered } from './fake-sender.ts';

/** What a target does instead of what it should. */
export type Hindrance =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: number }
  | { readonly kind: 'lost'; readonly reason: TransportError['reason'] };

/** When it applies: from one request on, for a number of requests, to those with a method. */
export interface HinderedPart {
  readonly hindrance: Hindrance;
  /** From 0. */
  readonly from: number;
  readonly count: number;
  /** Undefined: whatever the method is. */
  readonly method?: string | undefined;
}

/**
 * A sender whose target hinders the run in some parts of it, with headers of the rate limit as they
 * should be: a refusal for it breaks no requirement.
 */
export function hinder(sender: Sender, parts: readonly HinderedPart[], { now }: Clock): Sender {
  let sent = -1;
  return {
    send: async (request) => {
      sent += 1;
      const part = parts.find((each) => isIn(each, request, sent));
      return part === undefined ? await sender.send(request) : instead(part.hindrance, now());
    },
    [Symbol.asyncDispose]: () => sender[Symbol.asyncDispose](),
  };
}

function isIn({ from, count, method }: HinderedPart, request: WireRequest, sent: number): boolean {
  return sent >= from && sent < from + count && (method ?? request.method) === request.method;
}

function instead(hindrance: Hindrance, now: number): Outcome {
  if (hindrance.kind === 'lost')
    return { kind: 'no-response', error: { reason: hindrance.reason, message: 'nothing came' } };
  const { status, retryAfter } = hindrance;
  return answered(
    status,
    { code: 'hindered', message: 'Not now.', status },
    {
      'X-RateLimit-Limit': '60',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': `${Math.ceil(now / 1000) + (retryAfter ?? 1)}`,
      ...(retryAfter === undefined ? {} : { 'Retry-After': `${retryAfter}` }),
    },
  );
}

/** Parts drawn on a seed: one to three, of every kind, anywhere in a run of this many requests. */
export function drawHindrance(seed: number, requests: number): readonly HinderedPart[] {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  const draw = (most: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  const pick = <T>(first: T, ...others: readonly T[]): T =>
    [first, ...others][draw(others.length + 1)] ?? first;
  return Array.from({ length: 1 + draw(3) }, () => ({
    hindrance: pick<Hindrance>(
      { kind: 'status', status: 429, retryAfter: pick(0, 1, 2, 30, 89, 91, 86_400) },
      { kind: 'status', status: 429, retryAfter: pick(1, 2, 30, 89, 91, 86_400) },
      { kind: 'status', status: 429, retryAfter: 1 },
      { kind: 'status', status: pick(401, 403, 404, 405, 410, 501) },
      { kind: 'status', status: pick(500, 502, 503, 504), retryAfter: pick(0, 5, 600) },
      { kind: 'status', status: pick(200, 204, 301, 304, 400, 409, 422) },
      { kind: 'lost', reason: pick('unreachable', 'cut', 'timeout', 'not-http', 'tls', 'name') },
    ),
    from: pick(0, 1, 2, draw(requests), draw(requests)),
    count: pick(1, 3, draw(requests), Infinity),
    method: pick(undefined, undefined, 'GET', 'POST'),
  }));
}
