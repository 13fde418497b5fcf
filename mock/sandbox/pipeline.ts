import type { Endpoint } from '../operation/router.ts';
import { type MockRequest, type MockResponse, atOnce, headerText } from '../http/message.ts';
import type { JournalEntry } from './journal-entry.ts';
import type { Caller, FaultEffect } from './sandbox.ts';
import type { Memory } from './memory.ts';
import type { Identity, Keyring } from './keyring.ts';
import type { Call, Outcome } from '../operation/response/outcome.ts';
import {
  type Preference,
  type PreferredResponse,
  answerPreference,
  preferredInQuery,
  readPreference,
} from './preference.ts';
import { keepDetail, recordEntry } from './journal.ts';
import { type Refusal, refuse, refuseOverLimit } from '../operation/response/refusal.ts';
import { decodePart } from '../http/parameter-text.ts';
import { representAs } from '../operation/response/representation.ts';
import type { Router } from '../operation/router.ts';
import type { LimitReading, Meter } from '../rate-limit/limiter.ts';

/** The dependencies of the pipeline, of one mock. */
export interface Pipeline {
  /** Routes by the whole document, before the sandbox is known. */
  readonly router: Router;
  readonly keyring: Keyring;
  readonly memory: Memory;
  readonly watchers: Iterable<{ onEntry(entry: JournalEntry): void }>;
}

/** Routes, identifies the key, counts, authenticates, reads, acts, renders, and keeps a journal. */
export function answerRequest(
  { router, keyring, memory, watchers }: Pipeline,
  request: MockRequest,
): MockResponse {
  const started = performance.now();
  const described = router.find(request.method, request.target, request.headers);
  const identity = keyring.identify(described.endpoint, request, described.query);
  const { sandbox, meter } = identity.caller;
  const { service } = sandbox;
  const now = sandbox.clock.now();
  // A sandbox may have other paths than the document, because of its choices or its clock.
  const own = service.routerAt(now);
  const route =
    own === router ? described : own.find(request.method, request.target, request.headers);
  const { endpoint } = route;
  const { pathTexts, query } = route;
  const call: Call = {
    request,
    pathValues: pathTexts.map(decodePart),
    pathTexts,
    query,
    sandbox,
    now,
  };
  // Browsers send preflights by themselves. A fault there would keep a page from seeing what
  // happened to its request.
  const fault = endpoint.isCounted ? sandbox.faults?.next(call, endpoint.operation) : undefined;
  const stub =
    endpoint.isCounted && fault?.outcome === undefined
      ? sandbox.stubs?.next(call, endpoint.operation)
      : undefined;
  const isPreferred = request.headers['prefer'] !== undefined || preferredInQuery.test(query);
  const preference = isPreferred ? readPreference(request.headers, query) : undefined;
  const decision: Decision =
    stub?.outcome === undefined
      ? decide(endpoint, identity, call, { preference, fault, memory })
      : decideStubbed(stub.outcome, identity.caller, now);
  const accept = endpoint.isNegotiated ? headerText(request.headers, 'accept') : undefined;
  const outcome =
    accept === undefined || stub?.outcome !== undefined
      ? decision.outcome
      : representAs(decision.outcome, endpoint.operation, accept);
  if (endpoint.isCounted) meter.charge(now, outcome.status);
  const applied = preference === undefined ? '' : renderApplied(preference, decision);
  const rate = decision.rate ?? meter.read(now);
  const rendered = service.responseRenderer.render(endpoint.operation, outcome, {
    now,
    rate,
    applied,
    target: request.target,
    request,
    sandbox: sandbox.name,
    index: sandbox.journal.count,
  });
  const stubbed = stub?.alter(rendered) ?? rendered;
  const waiting = preference?.wait === undefined ? stubbed : later(stubbed, preference.wait * 1000);
  const response = fault?.alter(waiting) ?? waiting;
  const entry = recordEntry(call, {
    endpoint,
    identity,
    outcome,
    response,
    rate,
    fault: fault?.record,
    stub: stub?.record,
    preferred: applied,
    milliseconds: performance.now() - started,
  });
  sandbox.journal.add(entry, keepDetail(request, outcome, response));
  for (const watcher of watchers) watcher.onEntry(entry);
  return response;
}

/** Preferences that were applied. */
function renderApplied({ wait }: Preference, { applied = [] }: Decision): string {
  return (wait === undefined ? applied : [...applied, `wait=${wait}`]).join(', ');
}

interface Decision extends Partial<PreferredResponse> {
  readonly outcome: Outcome;
}

/** The context of a decision, besides the request. */
interface Circumstances {
  readonly preference: Preference | undefined;
  readonly fault: FaultEffect | undefined;
  readonly memory: Memory;
}

function decide(
  endpoint: Endpoint,
  { caller, denied }: Identity,
  call: Call,
  { preference, fault, memory }: Circumstances,
): Decision {
  if (fault?.outcome !== undefined)
    return { outcome: fault.outcome, rate: readSpent(fault.outcome, caller.meter, call.now) };
  const overLimit = endpoint.isCounted ? caller.meter.check(call.now) : undefined;
  if (overLimit !== undefined) return { outcome: refuseOverLimit(overLimit) };
  const unauthorized = endpoint.isGuarded ? (denied ?? forbid(endpoint, caller)) : undefined;
  if (unauthorized !== undefined && !endpoint.readsFirst) return { outcome: unauthorized };
  const preferred =
    preference === undefined || endpoint.operation === undefined || unauthorized !== undefined
      ? undefined
      : answerPreference(caller, endpoint.operation, preference, {
          now: call.now,
          index: caller.sandbox.journal.count,
        });
  const input = endpoint.read(call);
  // `Prefer` selects a response to a valid request, or another example for the refusal of an
  // invalid one.
  if (input.kind === 'refusal' && preferred?.outcome.status !== input.status)
    return { outcome: input };
  if (preferred !== undefined) return preferred;
  if (input.kind === 'refusal') return { outcome: input };
  return {
    outcome:
      unauthorized ?? refuseGrowth(endpoint, caller.sandbox, memory) ?? endpoint.act(input, call),
  };
}

/** When memory is used up, additions are refused; reads and removals continue. */
function refuseGrowth(
  { isSafe, method }: Endpoint,
  sandbox: Caller['sandbox'],
  memory: Memory,
): Refusal | undefined {
  if (isSafe && !sandbox.store.isUsed) return undefined;
  const message = memory.refuseGrowth(sandbox, method === 'DELETE');
  return isSafe || message === undefined ? undefined : refuse('memory', message);
}

/** A stub with the rate-limit status gets the headers of a used-up limit. */
function decideStubbed(outcome: Outcome, { meter, sandbox }: Caller, now: number): Decision {
  const { rateLimit } = sandbox.service.contract;
  const spent = outcome.status === rateLimit?.status ? meter.pretendSpent(now) : undefined;
  if (spent === undefined) return { outcome };
  const facts = { ...outcome.facts, retryAfter: spent.overLimit.seconds };
  return { outcome: { ...outcome, facts }, rate: spent.rate };
}

/** Rate-limit values as if everything were used up until `Retry-After`, if a fault says so. */
function readSpent(
  { reason, facts }: Refusal,
  meter: Meter,
  now: number,
): LimitReading | undefined {
  const spent = reason === 'rate_limited' ? meter.pretendSpent(now)?.rate : undefined;
  const seconds = facts?.retryAfter;
  return spent && seconds !== undefined ? { ...spent, resetAt: now + seconds * 1000 } : spent;
}

/** If keys have scopes, keys of sandboxes whose name ends in `-readonly` may only read. */
function forbid({ isSafe }: Endpoint, { sandbox }: Caller): Refusal | undefined {
  const isForbidden = !isSafe && sandbox.service.scopesKeys && sandbox.name.endsWith('-readonly');
  return isForbidden ? refuse('forbidden', 'The API key is read-only.') : undefined;
}

function later(response: MockResponse, milliseconds: number): MockResponse {
  const delivery = response.delivery ?? atOnce;
  return { ...response, delivery: { ...delivery, delay: delivery.delay + milliseconds } };
}
