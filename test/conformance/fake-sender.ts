import type { ReceivedResponse, Outcome } from '../../conformance/transport/exchange.ts';
import type { Sender, WireRequest } from '../../conformance/transport/sender.ts';

/** A sender for tests: responds to each request by a function, and records requests. */
export interface FakeSender extends Sender {
  readonly requests: readonly WireRequest[];
}

/** Creates a sender that responds to the nth request (from 0) with `response`. */
export function createFakeSender(
  response: (request: WireRequest, nth: number) => Outcome,
): FakeSender {
  const requests: WireRequest[] = [];
  return {
    requests,
    send: (request) => {
      requests.push(request);
      return Promise.resolve(response(request, requests.length - 1));
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** A response with a JSON body. */
export function answered(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Outcome {
  const response: ReceivedResponse = {
    status,
    headers: Object.entries({ 'Content-Type': 'application/json', ...headers }),
    body: body === undefined ? '' : JSON.stringify(body),
    utf8: true,
  };
  return { kind: 'answered', response };
}

/** The rate-limit headers of the Petstore. */
export function quota(
  limit: number,
  remaining: number,
  reset: number,
): Readonly<Record<string, string>> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(reset),
  };
}
