import type { Contract } from '../../contract/contract.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import {
  type Credential,
  type SecurityAlternative,
  type ShownScheme,
  isCredential,
} from '../../contract/openapi/credential.ts';
import { hashText } from '../../contract/sample/random.ts';
import {
  type MockRequest,
  type RequestHeaders,
  addressOf,
  cookiePairs,
  headerText,
  isForeignLoad,
} from '../http/message.ts';
import { queryValues } from '../http/parameter-text.ts';
import { type Refusal, refuse } from '../operation/response/refusal.ts';
import type { Service } from './service.ts';
import {
  keylessSandbox,
  mainSandbox,
  sandboxNamePattern,
} from '../control/declaration/sandbox-name.ts';
import type { Endpoint } from '../operation/router.ts';
import type { Caller, Sandboxes } from './sandbox.ts';

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
    const word = planPrefix(plan);
    return { key: isMain ? `demo-${word}` : `${word}_${sandbox}`, plan };
  });
  return keys.length > 0 ? keys : [{ key: isMain ? 'demo' : sandbox, plan: '' }];
}

/** Plans by the prefix of their keys, such as `free` in `free_alice`; `demo` without plans. */
export function keyPlans(contract: Contract): ReadonlyMap<string, string | undefined> {
  const plans = plansOf(contract);
  if (plans.length === 0) return new Map([['demo', undefined]]);
  return new Map(plans.map((plan) => [planPrefix(plan), plan]));
}

function plansOf({ rateLimit }: Contract): readonly string[] {
  return rateLimit?.plans.map(({ name }) => name) ?? [];
}

/** The prefix of a plan's keys: `free` in `free_alice`. */
export function planPrefix(plan: string): string {
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
  const isTaken = !sandboxNamePattern.test(name) || name === keylessSandbox;
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
  if (sandboxNamePattern.test(key)) return key;
  const digest = [hashText(key), hashText(`${key}.`)];
  return `key-${digest.map((part) => part.toString(16).padStart(8, '0')).join('')}`;
}

/** The result of reading a credential. */
export type Proof =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'malformed'; readonly reason: string };

const missingProof: Proof = { kind: 'missing' };

/**
 * Reads any of several alternatives: the first key of the first complete alternative, else an
 * error. Credentials of the connection are assumed to be valid.
 */
export function readSecurity(
  security: readonly SecurityAlternative[],
  headers: RequestHeaders,
  query: string,
): Proof {
  const first = security[0]?.[0];
  const isOnly = security.length === 1 && security[0]?.length === 1;
  if (isOnly && first !== undefined && first.kind !== 'mutual-tls')
    return readCredential(first, headers, query);
  const read = (scheme: ShownScheme): Proof => readCredential(scheme, headers, query);
  const proofs = security.flatMap((schemes): Proof | readonly Proof[] => {
    const wanted = schemes.filter(isCredential);
    // Of several schemes of `Authorization` one is enough, because the field occurs once (RFC
    // 9110).
    const shown = wanted.filter((scheme) => scheme.kind !== 'api-key').map(read);
    const keys = wanted.filter((scheme) => scheme.kind === 'api-key').map(read);
    const [own = keys[0]] = [...shown.filter(({ kind }) => kind === 'key'), ...shown];
    return own === undefined ? [] : ([own, ...keys].find(({ kind }) => kind !== 'key') ?? own);
  });
  return (
    proofs.find(({ kind }) => kind === 'key') ??
    proofs.find(({ kind }) => kind === 'malformed') ??
    missingProof
  );
}

/** Reads the key where the credential is sent. The scheme ignores case (RFC 9110). */
export function readCredential(
  credential: Credential,
  headers: RequestHeaders,
  query: string,
): Proof {
  if (credential.kind === 'none') return missingProof;
  if (credential.kind === 'api-key') {
    const { in: place, name } = credential;
    const key =
      place === 'query'
        ? queryValues(query, name)[0]
        : place === 'header'
          ? headerText(headers, name.toLowerCase())
          : cookiePairs(headers).find((cookie) => cookie.name === name)?.text;
    return key === undefined || key === '' ? missingProof : { kind: 'key', key };
  }
  const text = headerText(headers, 'authorization');
  if (text === undefined || text.trim() === '') return missingProof;
  if (credential.kind === 'bearer') return readBearer(text);
  return credential.kind === 'basic' ? readBasic(text) : readHttp(credential.scheme, text);
}

/** token68 (RFC 9110 section 11.2) after the scheme and one or more spaces. */
const bearerPattern = /^bearer +([\w\-.~+/]+=*) *$/i;

function readBearer(text: string): Proof {
  const key = bearerPattern.exec(text)?.[1];
  if (key !== undefined) return { kind: 'key', key };
  return malformed(
    /^bearer(?:\s|$)/i.test(text)
      ? 'The bearer token is empty or contains characters that are not allowed in a token.'
      : 'The Authorization header does not use the Bearer scheme.',
  );
}

/** The key is the user name (RFC 7617 section 2). */
function readBasic(text: string): Proof {
  const token = /^basic +([A-Za-z\d+/_-]+=*) *$/i.exec(text)?.[1];
  const pair = token === undefined ? undefined : decodeBase64(token);
  const mark = pair?.indexOf(':') ?? -1;
  if (pair !== undefined && mark > 0) return { kind: 'key', key: pair.slice(0, mark) };
  return malformed(
    /^basic(?:\s|$)/i.test(text)
      ? 'The Basic credentials must be user:password in Base64.'
      : 'The Authorization header does not use the Basic scheme.',
  );
}

function decodeBase64(text: string): string | undefined {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return new TextDecoder().decode(Uint8Array.from(binary, (one) => one.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

/** One token, or parameters whose `username` is the key. Also accepts a bearer token. */
function readHttp(scheme: string, text: string): Proof {
  const [name = ''] = text.split(/\s/, 1);
  const rest = text.slice(name.length).trim();
  if (name.toLowerCase() === 'bearer') return readBearer(text);
  if (name.toLowerCase() === scheme && rest !== '')
    return { kind: 'key', key: /(?:^|[,\s])username="([^"]+)"/i.exec(rest)?.[1] ?? rest };
  return malformed(`The Authorization header does not use the scheme ${scheme}.`);
}

function malformed(reason: string): Proof {
  return { kind: 'malformed', reason };
}
