import type { Contract } from '../../contract/contract.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import type { SecurityAlternative } from '../../contract/openapi/credential.ts';
import { hashText } from '../../contract/sample/random.ts';
import { type Proof, readSecurity } from '../operation/request/credential.ts';
import {
  type MockRequest,
  type RequestHeaders,
  addressOf,
  isForeignLoad,
} from '../http/message.ts';
import { type Refusal, refuse } from '../operation/response/refusal.ts';
import type { Caller } from './sandbox.ts';
import type { Service } from './service.ts';
import { isSandboxName, keylessSandbox, mainSandbox } from '../control/declaration/sandbox-name.ts';
import type { Endpoint } from '../operation/router.ts';
import type { Sandboxes } from './sandboxes.ts';

/** A caller. If it has no valid key, with the refusal that it gets where a key is required. */
export interface Identity {
  readonly caller: Caller;
  /** As sent; `` for none. */
  readonly key: string;
  readonly denied: Refusal | undefined;
}

/** The parts of an endpoint that decide which key is required. */
type KeyedEndpoint = Pick<Endpoint, 'security' | 'isGuarded'>;

/** The sandbox of requests without a valid key. */
function keylessName({ isGuarded }: KeyedEndpoint): string {
  return isGuarded ? keylessSandbox : mainSandbox;
}

/** An API key that the mock knows from the start. Not a secret: it only works with mocks. */
export interface MockKey {
  readonly key: string;
  /** `` in documents without plans. */
  readonly plan: string;
  /** Requests by window; empty in documents without a rate limit. */
  readonly limits: readonly { readonly window: string; readonly limit: number }[];
}

/** The keys that a mock knows from the start. The service is compiled only to read their limits. */
export function listKeys(contract: Contract, serviceOf: () => Service): readonly MockKey[] {
  return keysIn(contract, mainSandbox).map(({ key, plan }) => {
    const { windows = [] } =
      (plan === '' ? undefined : serviceOf().openMeter(plan, {}).limits) ?? {};
    return { key, plan, limits: windows.map(({ name, limit }) => ({ window: name, limit })) };
  });
}

/**
 * One key per plan that opens a sandbox, such as `free_alice`, or `demo-free` for `main`; a key without a
 * plan, such as `alice` or `demo`, if the document has no plans.
 */
export function keysIn(
  contract: Contract,
  sandbox: string,
): readonly Pick<MockKey, 'key' | 'plan'>[] {
  if (sandbox === keylessSandbox) return [];
  const isMain = sandbox === mainSandbox;
  const keys = plansOf(contract).map((plan) => {
    const word = planWord(plan);
    return { key: isMain ? `demo-${word}` : `${word}_${sandbox}`, plan };
  });
  return keys.length > 0 ? keys : [{ key: isMain ? 'demo' : sandbox, plan: '' }];
}

/** Plans by the prefix of their keys, such as `free` in `free_alice`; `demo` without plans. */
export function keyPlans(contract: Contract): ReadonlyMap<string, string | undefined> {
  const plans = plansOf(contract);
  if (plans.length === 0) return new Map([['demo', undefined]]);
  return new Map(plans.map((plan) => [planWord(plan), plan]));
}

function plansOf({ rateLimit }: Contract): readonly string[] {
  return rateLimit?.plans.map(({ name }) => name) ?? [];
}

/** The prefix of a plan's keys: `free` in `free_alice`. */
export function planWord(plan: string): string {
  return plan.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

/** Throws `PetstoreError` for a key of `--key` that no request could use. */
export function refuseUnusableKeys(contract: Contract, taken: readonly string[] = []): void {
  const fixed = keysIn(contract, mainSandbox).map(({ key }) => key);
  const plans = plansOf(contract).length === 0 ? undefined : keyPlans(contract);
  const unusable = taken.find(
    (key) => plans !== undefined && !fixed.includes(key) && !plans.has(splitKey(key)?.plan ?? ''),
  );
  if (unusable === undefined || plans === undefined) return;
  const forms = [...plans.keys()].map((word) => `${word}_<name>`).join(', ');
  throw new PetstoreError(
    'argument',
    `The key "${unusable}" cannot be used: keys of this document have the form ${forms}.`,
  );
}

/** Identifies callers by their keys. */
export class Keyring {
  readonly #sandboxes: Sandboxes;
  readonly #fixed: ReadonlyMap<string, string | undefined>;
  readonly #plans: ReadonlyMap<string, string | undefined>;
  readonly #takesAny: boolean;
  readonly #taken: readonly string[] | undefined;

  /** `taken`: the only accepted keys besides those that the mock prints. */
  constructor(contract: Contract, sandboxes: Sandboxes, taken?: readonly string[]) {
    this.#sandboxes = sandboxes;
    const fixed = keysIn(contract, mainSandbox);
    this.#fixed = new Map(fixed.map(({ key, plan }) => [key, plan || undefined]));
    this.#plans = keyPlans(contract);
    this.#takesAny = plansOf(contract).length === 0;
    this.#taken = taken;
  }

  identify(
    endpoint: KeyedEndpoint,
    { headers, connection }: Pick<MockRequest, 'headers' | 'connection'>,
    query: string,
  ): Identity {
    const { security } = endpoint;
    const proof = readSecurity(security, headers, query);
    const key = proof.kind === 'key' ? proof.key : '';
    const opened = proof.kind === 'key' ? this.#find(key) : undefined;
    if (opened !== undefined) {
      const { name, plan } = opened;
      // Resources loaded by pages of other sites create no sandbox.
      const sandbox = isForeignLoad(headers)
        ? this.#sandboxes.peek(name)
        : this.#sandboxes.open(name);
      return { caller: sandbox.callerOf(key, plan), key, denied: undefined };
    }
    return {
      caller: this.#sandboxes.open(keylessName(endpoint)).anonymousAt(addressOf(connection)),
      key,
      denied: deny(security, proof),
    };
  }

  /** The name of a request's sandbox, without creating it. */
  sandboxOf(endpoint: KeyedEndpoint, headers: RequestHeaders, query: string): string {
    const proof = readSecurity(endpoint.security, headers, query);
    const opened = proof.kind === 'key' ? this.#find(proof.key) : undefined;
    return opened?.name ?? keylessName(endpoint);
  }

  /** Undefined for an unknown key. */
  #find(key: string) {
    if (this.#fixed.has(key)) return { name: mainSandbox, plan: this.#fixed.get(key) };
    if (this.#taken?.includes(key) === false) return undefined;
    const parts = splitKey(key);
    if (parts !== undefined && this.#plans.has(parts.plan))
      return { name: parts.name, plan: this.#plans.get(parts.plan) };
    const isMistake = this.#taken === undefined && isMistaken(key, this.#fixed.keys());
    if (!this.#takesAny || isMistake) return undefined;
    return { name: sandboxOfKey(key), plan: undefined };
  }
}

/**
 * Whether a key is refused even if any key is accepted: one that starts with `invalid`, for testing
 * 401; the name of an inherited property; or a near miss of a printed key, which is probably a
 * typo.
 */
function isMistaken(key: string, printed: Iterable<string>): boolean {
  const isMadeUp = /^invalid/i.test(key) || Object.hasOwn(Object.prototype, key);
  return isMadeUp || [...printed].some((known) => isNearMiss(key, known));
}

/** Whether a text differs from another one only by case, or by a single edit. */
function isNearMiss(text: string, known: string): boolean {
  if (text === known || Math.abs(text.length - known.length) > 1) return false;
  let same = 0;
  while (same < text.length && text[same] === known[same]) same += 1;
  const restOf = (one: string, other: string): string =>
    one.slice(one.length < other.length ? same : same + 1);
  const isOneEdit = restOf(text, known) === restOf(known, text);
  return isOneEdit || text.toLowerCase() === known.toLowerCase();
}

/**
 * The parts of a key such as `free_alice`, the plan in lower case; undefined for any other form.
 */
function splitKey(key: string): { readonly plan: string; readonly name: string } | undefined {
  const mark = key.indexOf('_');
  const name = key.slice(mark + 1);
  const isTaken = !isSandboxName(name) || name === keylessSandbox;
  return mark > 0 && !isTaken ? { plan: key.slice(0, mark), name } : undefined;
}

function deny(security: readonly SecurityAlternative[], proof: Proof): Refusal {
  const reason = proof.kind === 'malformed' ? proof.reason : 'The API key is unknown.';
  const wrong = proof.kind === 'missing' ? undefined : reason;
  const message = wrong ?? 'No API key was sent.';
  return refuse('unauthorized', message, { facts: { challenge: { security, wrong } } });
}

/** The name of a key's sandbox: the key itself if it is a valid name, else its digest. */
export function sandboxOfKey(key: string): string {
  if (isSandboxName(key)) return key;
  const digest = [hashText(key), hashText(`${key}.`)];
  return `key-${digest.map((part) => part.toString(16).padStart(8, '0')).join('')}`;
}
