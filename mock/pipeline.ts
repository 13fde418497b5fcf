import type { Endpoint } from './endpoint.ts';
import type { MockAnswer, MockRequest } from './exchange.ts';
import { type Exchange, recordExchange } from './journal.ts';
import type { Identity, Keyring } from './keyring.ts';
import type { Call, Outcome } from './outcome.ts';
import { isRefusal } from './refusal.ts';
import type { Router } from './router.ts';
import type { Wardrobe } from './wardrobe.ts';

/** What the pipeline works with. All of it belongs to one mock. */
export interface Pipeline {
  readonly router: Router;
  readonly keyring: Keyring;
  readonly wardrobe: Wardrobe;
  readonly onExchange: ((exchange: Exchange) => void) | undefined;
}

/** The way of a request: route, identify the key, count, authenticate, read and validate, act, dress, journal. */
export function answerRequest({ router, keyring, wardrobe, onExchange }: Pipeline, request: MockRequest): MockAnswer {
  const started = performance.now();
  const { endpoint, pathValues, query } = router.find(request.method, request.target);
  const identity = keyring.identify(endpoint.credential, request.headers, query);
  const { sandbox, meter } = identity.caller;
  const call: Call = { request, pathValues, query, sandbox, now: sandbox.clock.now() };
  const outcome = decide(endpoint, identity, call);
  if (endpoint.isCounted) meter.charge(call.now, outcome.status);
  const answer = wardrobe.dress(endpoint, outcome, meter, call.now);
  onExchange?.(recordExchange(call, answer, endpoint, identity.caller, outcome, performance.now() - started));
  return answer;
}

function decide(endpoint: Endpoint, { caller, denied }: Identity, call: Call): Outcome {
  const overLimit = endpoint.isCounted ? caller.meter.refuse(call.now) : undefined;
  if (overLimit !== undefined) return overLimit;
  const unauthorized = endpoint.isGuarded ? denied : undefined;
  if (unauthorized !== undefined && !endpoint.readsFirst) return unauthorized;
  const input = endpoint.read(call);
  if (isRefusal(input)) return input;
  return unauthorized ?? endpoint.act(input, call);
}
