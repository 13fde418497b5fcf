import type { Contract, Credential } from '../contract/index.ts';
import { type FixtureKey, fixtureKeys } from '../fixtures/keys.ts';
import { type Proof, readCredential, renderChallenge } from './credential.ts';
import type { RequestHeaders } from './exchange.ts';
import type { Meter } from './meter.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { Sandbox } from './sandbox.ts';

/** Who sent a request, as far as its key tells. */
export interface Caller {
  /** Name of the plan; undefined for callers without a valid key and in documents without plans. */
  readonly plan: string | undefined;
  readonly sandbox: Sandbox;
  readonly meter: Meter;
}

/** A caller, or one without a valid key together with the refusal it gets where a key is wanted. */
export interface Identity {
  readonly caller: Caller;
  readonly denied: Refusal | undefined;
}

/** Finds callers by the key they show. */
export interface Keyring {
  identify(credential: Credential, headers: RequestHeaders, query: string): Identity;
}

/** The keys of a contract: the fixture keys of its plans, and `demo-<plan>` for any other plan; `demo` where it has no plans. */
export function keysOf(contract: Contract): readonly FixtureKey[] {
  const plans = contract.rateLimit?.plans.map(({ name }) => name) ?? [];
  if (plans.length === 0) return [{ key: 'demo', plan: '' }];
  return plans.map((plan) => fixtureKeys.find((known) => known.plan === plan) ?? { key: derivedKey(plan), plan });
}

function derivedKey(plan: string): string {
  return `demo-${plan.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
}

/** A keyring over callers by key. `realm` names the service in challenges. */
export function createKeyring(callers: ReadonlyMap<string, Caller>, anonymous: Caller, realm: string): Keyring {
  return {
    identify(credential, headers, query) {
      const proof = readCredential(credential, headers, query);
      const caller = proof.kind === 'key' ? callers.get(proof.key) : undefined;
      if (caller !== undefined) return { caller, denied: undefined };
      return { caller: anonymous, denied: deny(credential, proof, realm) };
    },
  };
}

function deny(credential: Credential, proof: Proof, realm: string): Refusal {
  const message = denialMessage(proof);
  const challenge = renderChallenge(credential, realm, proof.kind === 'missing' ? undefined : message);
  return refuse('unauthorized', message, { headers: ['WWW-Authenticate', challenge] });
}

function denialMessage(proof: Proof): string {
  switch (proof.kind) {
    case 'missing': return 'No API key was sent.';
    case 'malformed': return proof.reason;
    case 'key':
    default: return 'The API key is unknown.';
  }
}
