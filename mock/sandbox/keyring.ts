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
import { isSandboxName, keylessSandbox, mainSandbox } from './sandbox-name.ts';
import type { Endpoint } from '../operation/router.ts';
import type { Sandboxes } from './sandboxes.ts';

/** An API key that the mock knows from the start. Not a secret: it opens nothing but the mock. */
interface FixtureKey {
  readonly key: string;
  /** Name of a plan in the document. */
  readonly plan: string;
}

/** A caller, or one without a valid key together with the refusal it gets where a key is wanted. */
export interface Identity {
  readonly caller: Caller;
  /** As it was sent; `` for none. */
  readonly key: string;
  readonly denied: Refusal | undefined;
}

/** What decides which key a request has to show. */
type KeyedEndpoint = Pick<Endpoint, 'security' | 'isGuarded'>;

/** Whose sandbox a request without a valid key belongs to. */
function keylessName({ isGuarded }: KeyedEndpoint): string {
  return isGuarded ? keylessSandbox : mainSandbox;
}

/** The keys of a contract: `demo-<plan>` for each plan; `demo` without plans. */
export function keysOf(contract: Contract): readonly FixtureKey[] {
  const plans = plansOf(contract);
  if (plans.length === 0) return [{ key: 'demo', plan: '' }];
  return plans.map((plan) => ({ key: `demo-${planWord(plan)}`, plan }));
}

/** An API key that the mock knows. */
export interface MockKey {
  readonly key: string;
  /** `` in documents without plans. */
  readonly plan: string;
  /** Requests by window; empty in documents without a rate limit. */
  readonly limits: readonly { readonly window: string; readonly limit: number }[];
}

/** The keys that a mock knows from the start; its service is compiled only for their limits. */
export function listKeys(contract: Contract, serviceOf: () => Service): readonly MockKey[] {
  return keysOf(contract).map(({ key, plan }) => {
    const { windows = [] } =
      (plan === '' ? undefined : serviceOf().openMeter(plan, {}).limits) ?? {};
    return { key, plan, limits: windows.map(({ name, limit }) => ({ window: name, limit })) };
  });
}

/** A key of each plan that opens a sandbox; one without a plan in documents without plans. */
export function keysIn(contract: Contract, sandbox: string): readonly FixtureKey[] {
  if (sandbox === mainSandbox) return keysOf(contract);
  if (sandbox === keylessSandbox) return [];
  const plans = plansOf(contract);
  if (plans.length === 0) return [{ key: sandbox, plan: '' }];
  return plans.map((plan) => ({ key: `${planWord(plan)}_${sandbox}`, plan }));
}

/** Plans by the word that starts a key, such as `free_alice`; `demo` without plans. */
export function keyPlans(contract: Contract): ReadonlyMap<string, string | undefined> {
  const plans = plansOf(contract);
  if (plans.length === 0) return new Map([['demo', undefined]]);
  return new Map(plans.map((plan) => [planWord(plan), plan]));
}

function plansOf({ rateLimit }: Contract): readonly string[] {
  return rateLimit?.plans.map(({ name }) => name) ?? [];
}

/** The word of a plan, which starts its keys: `free_alice`. */
export function planWord(plan: string): string {
  return plan.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

/** Throws `PetstoreError` for a key that is to be taken, and that no request could use. */
export function refuseUnusableKeys(contract: Contract, taken: readonly string[] = []): void {
  const fixed = keysOf(contract).map(({ key }) => key);
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

/** What a known key opens. */
interface Opened {
  readonly name: string;
  readonly key: string;
  readonly plan: string | undefined;
}

/** Finds callers by the key they show. */
export class Keyring {
  readonly #sandboxes: Sandboxes;
  readonly #fixed: ReadonlyMap<string, string | undefined>;
  readonly #plans: ReadonlyMap<string, string | undefined>;
  readonly #takesAny: boolean;
  readonly #taken: readonly string[] | undefined;

  /** `taken`: the only keys besides those that the mock prints. */
  constructor(contract: Contract, sandboxes: Sandboxes, taken?: readonly string[]) {
    this.#sandboxes = sandboxes;
    const fixed = keysOf(contract).map(({ key, plan }) => [key, plan || undefined] as const);
    this.#fixed = new Map(fixed);
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
      // What another page loads leaves no sandbox behind.
      const sandbox = isForeignLoad(headers)
        ? this.#sandboxes.peek(name)
        : this.#sandboxes.open(name);
      return { caller: sandbox.callerOf(opened.key, plan), key, denied: undefined };
    }
    return {
      caller: this.#sandboxes.open(keylessName(endpoint)).anonymousAt(addressOf(connection)),
      key,
      denied: deny(security, proof),
    };
  }

  /** The name of the sandbox of a request, which is not opened by this. */
  sandboxOf(endpoint: KeyedEndpoint, headers: RequestHeaders, query: string): string {
    const proof = readSecurity(endpoint.security, headers, query);
    const opened = proof.kind === 'key' ? this.#find(proof.key) : undefined;
    return opened?.name ?? keylessName(endpoint);
  }

  /** Undefined for a key that is unknown. */
  #find(key: string): Opened | undefined {
    if (this.#fixed.has(key)) return { name: mainSandbox, key, plan: this.#fixed.get(key) };
    if (this.#taken?.includes(key) === false) return undefined;
    const parts = splitKey(key);
    if (parts !== undefined && this.#plans.has(parts.plan)) {
      const { plan, name } = parts;
      return { name, key: `${plan}_${name}`, plan: this.#plans.get(plan) };
    }
    const isMistake = this.#taken === undefined && isMistaken(key, this.#fixed.keys());
    if (!this.#takesAny || isMistake) return undefined;
    return { name: sandboxOfKey(key), key, plan: undefined };
  }
}

/**
 * A key that is refused where any is taken: one that begins with `invalid`, so that a client can see
 * how it is answered, a name that every object has, and a near miss of a key that the mock prints,
 * which is that key mistyped.
 */
function isMistaken(key: string, printed: Iterable<string>): boolean {
  const isMadeUp = /^invalid/i.test(key) || Object.hasOwn(Object.prototype, key);
  return isMadeUp || [...printed].some((known) => isNearMiss(key, known));
}

/** True for another text of the same letters in another case, or one that a single edit makes of it. */
function isNearMiss(text: string, known: string): boolean {
  if (text === known || Math.abs(text.length - known.length) > 1) return false;
  let same = 0;
  while (same < text.length && text[same] === known[same]) same += 1;
  const restOf = (one: string, other: string): string =>
    one.slice(one.length < other.length ? same : same + 1);
  const isOneEdit = restOf(text, known) === restOf(known, text);
  return isOneEdit || text.toLowerCase() === known.toLowerCase();
}

/** The parts of a key such as `free_alice`, the plan in lower case; undefined for another form. */
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

/** The name of the sandbox of a key: the key itself where it can be one, else a digest of it. */
export function sandboxOfKey(key: string): string {
  if (isSandboxName(key)) return key;
  const digest = [hashText(key), hashText(`${key}.`)];
  return `key-${digest.map((part) => part.toString(16).padStart(8, '0')).join('')}`;
}
